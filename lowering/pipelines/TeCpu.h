// The CPU form of a te body: its tiling functions by the CPU's policy, and the kernel library.
//
//   phase fused, all type rows and shape keys ─► one tiling function a type row ─►
//   CpuLibraryRequest
//
// Launches on the CPU run these tiling functions: they come with the library's entries, where the
// manifest's kernels carry those of the AI Core.

#ifndef OPC_LOWERING_PIPELINES_TECPU_H
#define OPC_LOWERING_PIPELINES_TECPU_H

#include "lowering/cpu/library/CpuLibrary.h"
#include "ops/contract/Shapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace opc {

/// What buildCpuLibrary takes for a module at phase `fused` with all shape keys of the given type
/// rows, but for the levels. Adds the tiling functions to the module. With shapes of a static
/// operator, only the key that they take. nullopt after an error.
std::optional<CpuLibraryRequest> teCpuRequest(mlir::ModuleOp fused, const Contract &contract,
                                              const StaticShapes &shapes, const std::vector<unsigned> &typeRows,
                                              Diagnostics &diagnostics);

/// The bytecode of a tiling function of either device, of a te body and type row; nullopt after an
/// error, which MLIR was told.
std::optional<std::vector<uint8_t>> tilingCode(mlir::func::FuncOp tiling, const Contract &contract, unsigned row);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_TECPU_H
