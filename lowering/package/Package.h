// From the output of the emitters to the files of an op folder. runtime/program/Manifest.h describes the layout.
//
// The bytes depend only on the contract and the artefacts: not on time, paths, or the order of hash tables. The only
// access to the disk is reading the contract that is copied; the caller writes the files, all or none.
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

/// The artefacts of a kernel, one for each type row that was compiled.
struct PackageKernel {
  std::string name; ///< "add_relu_float16"
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  TilingFunction tiling;
  std::vector<std::string> launchAttributes; ///< in the order of the tiling data's last fields
  std::string simulatorProgram;              ///< bytes of the program file; empty if not built
  std::string cpuAlone;                      ///< as in the manifest
  bool assumesFixToV = false;                ///< as in the manifest
};

struct PackageRequest {
  const Contract *contract = nullptr; ///< required, as is the target
  /// The contract as its author wrote it, if the operator was renamed; nullptr: `contract`. The copy and the hash in
  /// the folder are of this one.
  const Contract *written = nullptr;
  const Target *target = nullptr;
  BodyLevel body = BodyLevel::AICore;
  StaticShapes shapes;                   ///< of a static operator; empty for a dynamic one
  std::string compiler;                  ///< "opc 0.1.0"
  std::vector<PackageKernel> kernels;    ///< kernels for the chip
  std::vector<PackageKernel> cpuKernels; ///< kernels of the CPU library, if different; empty: the same
  std::string kernelSource,
      tilingHeader;       ///< texts of the Ascend C kernel and of its tiling; empty if not built
  std::string cpuLibrary; ///< bytes of the shared object; empty if not built
  std::string cpuObjects; ///< the archive of its objects; empty: not kept
  std::vector<std::string> cpuLevels;
};

struct PackageFile {
  std::string path; ///< path in the folder
  std::string bytes;
};

/// All files of the folder, manifest.json last; nullopt after E0390 or E0600 if a rule is broken.
std::optional<std::vector<PackageFile>> packageOperator(const PackageRequest &request, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_PACKAGE_H
