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

/// Makes an installer of the files of a package; it accepts --quiet and --install-path=. Equal files give equal
/// bytes. Returns nullopt after reporting E0606 when makeself is missing, or E0601.
std::optional<Installer> makeInstaller(const std::vector<CompiledFile> &files, const std::string &vendor,
                                       const std::string &version, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PKG_INSTALLER_H
