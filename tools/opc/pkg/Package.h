// The subcommands of `opc pkg`.

#ifndef OPC_TOOLS_OPC_PKG_PACKAGE_H
#define OPC_TOOLS_OPC_PKG_PACKAGE_H

#include "tools/opc/Command.h"

namespace opc::tool {

void declarePackageBuild(Declaration &declaration);
void declarePackageInstall(Declaration &declaration);
void declarePackageRemove(Declaration &declaration);
void declarePackageList(Declaration &declaration);
void declarePackageVerify(Declaration &declaration);
void declarePackageDoctor(Declaration &declaration);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PKG_PACKAGE_H
