// From what the emitters wrote to the files of an op folder. The layout stands in runtime/program/Manifest.h.
//
// Bytes depend on the contract and the artefacts alone: no time, no path, no order of a hash table. Nothing touches
// the disk but the read of the contract that is copied; whoever asked writes the files, all or none.
//
// Rule package_c1: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_PACKAGE_PACKAGE_H
#define OPC_LOWERING_PACKAGE_PACKAGE_H

#include "ops/contract/Shapes.h"
#include "runtime/program/Bytecode.h"
#include "runtime/target/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// What is there of a kernel, one for each type row that was compiled.
struct PackageKernel {
  std::string name; ///< "add_relu_float16"
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  TilingFunction tiling;
  std::vector<std::string> launchAttributes; ///< in the order of the tiling data's last fields
  std::string simulatorProgram;              ///< bytes of the program file; empty: not built
};

struct PackageRequest {
  const Contract *contract = nullptr; ///< required, as is the target
  /// As its author wrote it, where the operator was renamed; nullptr: `contract`. The folder's copy and hash
  /// are of this one.
  const Contract *written = nullptr;
  const Target *target = nullptr;
  BodyLevel body = BodyLevel::AICore;
  StaticShapes shapes;                   ///< of a static operator; none: it is dynamic
  std::string compiler;                  ///< "opc 0.1.0"
  std::vector<PackageKernel> kernels;    ///< of the chip
  std::vector<PackageKernel> cpuKernels; ///< of the CPU library where it has others; empty: the same
  std::string kernelSource,
      tilingHeader;       ///< texts of the Ascend C kernel and of its tiling; empty: none
  std::string cpuLibrary; ///< bytes of the shared object; empty: not built
  std::vector<std::string> cpuLevels;
};

struct PackageFile {
  std::string path; ///< in the folder
  std::string bytes;
};

/// Every file of the folder, manifest.json last; nothing, with E0390 or E0600, when a rule is broken.
std::optional<std::vector<PackageFile>> packageOperator(const PackageRequest &request, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_PACKAGE_H
