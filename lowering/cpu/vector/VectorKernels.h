// From te kernels at phase `fused` to LLVM functions of wide vectors: entries of a kernel library, one for each
// kernel and level.
//
//   elementwise   Elementwise.cpp     planes of rows, streams; Walk.h: which elements
//   rows          Rows.cpp            sweeps along rows; reductions in several accumulators
//   reductions    Rows.cpp, Columns.cpp
//
// What a lane computes is in Payload.h, and is the same at all levels; sums are added up in an order that depends on
// the level and on sizes, never on blocks or threads.

#ifndef OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H
#define OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H

#include "lowering/cpu/vector/Frame.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// Adds the entry of a kernel for a level to the module. nullptr after an error at an op (cpu_c5 to cpu_c8).
/// `fields`: those of the tiling data, in order; `tensorNames`: the contract's inputs, then outputs.
llvm::Function *addVectorKernel(llvm::Module &module, mlir::func::FuncOp function, llvm::ArrayRef<KernelField> fields,
                                llvm::ArrayRef<std::string> tensorNames, const CpuLevel &level);

/// addVectorKernel for an elementwise one.
llvm::Function *addElementwise(llvm::Module &module, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields,
                               const CpuLevel &level);

// Each emits what the items frame.begin .. frame.end need. False after an error (cpu_c8).
bool emitRows(CodeBuilder &b, FusedKernel &kernel, Frame &frame);
bool emitColumns(CodeBuilder &b, FusedKernel &kernel, Frame &frame);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H
