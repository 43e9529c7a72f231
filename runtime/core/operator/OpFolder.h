// An op folder, read: the manifest, and the promise that the files it names are there.

#ifndef OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H
#define OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <memory>
#include <optional>
#include <string>

namespace opc {

struct OpFolder {
  std::string path;
  Manifest manifest;
  std::shared_ptr<void> keep; ///< holds what keeps the files in their place; may be empty
};

/// Reads and checks the folder; nothing, with E0500 or E0501, when it is none. Files outside of the folder are
/// refused, links included.
std::optional<OpFolder> openOpFolder(const std::string &path, Diagnostics &diagnostics);
/// The same with the text of its manifest.json, which the caller has read.
std::optional<OpFolder> openOpFolder(const std::string &path, const std::string &manifestText,
                                     Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_OPERATOR_OPFOLDER_H
