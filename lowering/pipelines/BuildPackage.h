// From contracts to the files of a vendor package: compiles each operator, writes its host side, and
// lays everything out.

#ifndef OPC_LOWERING_PIPELINES_BUILDPACKAGE_H
#define OPC_LOWERING_PIPELINES_BUILDPACKAGE_H

#include "lowering/pipelines/Compile.h"

namespace opc {

struct BuildPackageOptions {
  const Target *target = nullptr; ///< required
  std::string vendor = "customize";
  std::string version;        ///< "1.0.0"
  bool customLayout = false;  ///< op_impl/custom/... as older frameworks have it
  std::string prefix;         ///< put before each operator's type; empty: none
  bool shadowBuiltin = false; ///< a type that the vendor ships built in is meant to win
};

/// One operator of a package as files for the vendor's own project generator.
struct BoardKitOperator {
  Contract contract;               ///< as the package names it
  std::string opFolder;            ///< path of the op folder in the package
  std::vector<CompiledFile> files; ///< op.json, op_host/..., op_kernel/..., aclnn_<op>.h
};

struct BuildPackageResult {
  std::vector<CompiledFile> files; ///< package.json last; empty after an error
  std::vector<BoardKitOperator> boardKit;
};

/// Rules, beyond those of the stages: package_c4 (E0393), package_c5 (E0104).
BuildPackageResult buildPackage(const std::vector<Contract> &contracts, const BuildPackageOptions &options,
                                Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_BUILDPACKAGE_H
