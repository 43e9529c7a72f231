// The request for a kernel library, from a module that a CPU pipeline has processed.

#ifndef OPC_LOWERING_PIPELINES_OPERATOR_CPUREQUEST_H
#define OPC_LOWERING_PIPELINES_OPERATOR_CPUREQUEST_H

#include "lowering/cpu/library/CpuLibrary.h"
#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace opc {

/// The request for the te kernels of a module after `cpu-te-pipeline`, without the levels. Launches on the CPU use
/// the tiling functions of that pipeline. They are part of the library's entries, while the manifest's kernels have
/// those of the AI Core. Returns nullopt after an error, which MLIR reported.
std::optional<CpuLibraryRequest> teCpuRequest(mlir::ModuleOp kernels, const Contract &contract);

/// Whether a kernel multiplies matrices of int8 and uint8.
bool multipliesBytes(mlir::ModuleOp kernels);

/// The bytecode of a tiling function for either device, for a type row of a te body; nullopt after an error, which
/// MLIR reported.
std::optional<std::vector<uint8_t>> tilingCode(mlir::func::FuncOp tiling, const Contract &contract, unsigned row);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_OPERATOR_CPUREQUEST_H
