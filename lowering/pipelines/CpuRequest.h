// What a kernel library is made of, read from a module that a CPU pipeline is done with.

#ifndef OPC_LOWERING_PIPELINES_CPUREQUEST_H
#define OPC_LOWERING_PIPELINES_CPUREQUEST_H

#include "lowering/cpu/library/CpuLibrary.h"
#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace opc {

/// The request for the te kernels of a module behind `cpu-te-pipeline`, but for the levels. Launches on the CPU run
/// the tiling functions of that pipeline: they come with the library's entries, where the manifest's kernels have
/// those of the AI Core. nullopt after an error, which MLIR reported.
std::optional<CpuLibraryRequest> teCpuRequest(mlir::ModuleOp kernels, const Contract &contract);

/// The bytecode of a tiling function of either device, of a te body and type row; nullopt after an error,
/// which MLIR reported.
std::optional<std::vector<uint8_t>> tilingCode(mlir::func::FuncOp tiling, const Contract &contract, unsigned row);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_CPUREQUEST_H
