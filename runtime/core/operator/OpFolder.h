// An op folder that was opened: its manifest, whose files were checked to exist.

#ifndef OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H
#define OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace opc {

struct OpFolder {
  std::string path;
  Manifest manifest;
  std::shared_ptr<void> keep; ///< protects the files from removal while it lives; may be null
};

/// Reads and checks a folder; nullopt after reporting E0500 or E0501 when it is not a valid op folder. Files outside
/// the folder are refused, also when reached through links.
std::optional<OpFolder> openOpFolder(const std::string &path, Diagnostics &diagnostics);
/// Opens a folder whose manifest.json the caller has read already.
std::optional<OpFolder> openOpFolder(const std::string &path, const std::string &manifestText,
                                     Diagnostics &diagnostics);
/// Opens a folder whose manifest the caller has read and checked already. Files that `isUsed` rejects are not checked:
/// the caller must not open them.
using UsedFile = std::function<bool(const Manifest &manifest, const std::string &file)>;
std::optional<OpFolder> openOpFolder(const std::string &path, Manifest manifest, Diagnostics &diagnostics,
                                     const UsedFile &isUsed);

} // namespace opc

#endif // OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H
