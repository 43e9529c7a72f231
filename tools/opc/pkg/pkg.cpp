// `opc pkg`: packages of operators. Each subcommand has its own file.

#include "tools/opc/pkg/Package.h"

namespace opc::tool {

static Action declare(Declaration &declaration) {
  declarePackageBuild(declaration);
  declarePackageInstall(declaration);
  declarePackageRemove(declaration);
  declarePackageList(declaration);
  declarePackageVerify(declaration);
  declarePackageDoctor(declaration);
  return {};
}

const Command &pkgCommand() {
  static const Command command = {"pkg", "build and install packages of operators",
                                  "  opc pkg build op_contract.yaml --vendor=mine --version=1.0.0 --output=out\n"
                                  "  opc pkg install out --install-path=/opt/opp",
                                  declare};
  return command;
}

} // namespace opc::tool
