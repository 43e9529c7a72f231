// From contracts to the files of a vendor package: compiles each operator, emits its host side, and lays out all files.

#ifndef OPC_LOWERING_PIPELINES_BUILDPACKAGE_H
#define OPC_LOWERING_PIPELINES_BUILDPACKAGE_H

#include "lowering/pipelines/Compile.h"

namespace opc {

struct BuildPackageOptions {
  const Target *target = nullptr; ///< required
  std::string vendor = "customize";
  std::string version;                ///< "1.0.0"
  bool customLayout = false;          ///< op_impl/custom/..., as in older frameworks
  std::string prefix;                 ///< prepended to the type of each operator; empty: none
  std::vector<std::string> cpuLevels; ///< as in CompileOptions
  bool cpuKernels = true;             ///< likewise
  bool shadowBuiltin = false;         ///< types that the vendor ships as built-in operators are overridden on purpose
};

/// An operator of a package, as files for the vendor's own project generator.
struct BoardKitOperator {
  Contract contract;               ///< under its name in the package
  std::string opFolder;            ///< path of the op folder in the package
  std::vector<CompiledFile> files; ///< op.json, op_host/..., op_kernel/..., aclnn_<op>.h
};

struct BuildPackageResult {
  std::vector<CompiledFile> files; ///< package.json last; empty after an error
  std::vector<BoardKitOperator> boardKit;
};

/// Besides the rules of the stages, checks package_c4 (E0393) and package_c5 (E0104).
BuildPackageResult buildPackage(const std::vector<Contract> &contracts, const BuildPackageOptions &options,
                                Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_BUILDPACKAGE_H
