// The self-extracting installer of a package, made by makeself.

#ifndef OPC_TOOLS_OPC_PKG_INSTALLER_H
#define OPC_TOOLS_OPC_PKG_INSTALLER_H

#include "lowering/pipelines/Compile.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct Installer {
  std::string name; ///< "custom_opp_linux_x86_64.run"
  std::string bytes;
};

/// An installer of these files, which are a package; it takes --quiet and --install-path=. The same files give the
/// same bytes. Nothing, with E0606 when makeself is not there, or E0601.
std::optional<Installer> makeInstaller(const std::vector<CompiledFile> &files, const std::string &vendor,
                                       const std::string &version, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PKG_INSTALLER_H
