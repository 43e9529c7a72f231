// From te kernels at phase `fused` to LLVM functions of wide vectors: entries of a kernel library, one for each
// kernel and level.
//
//   elementwise   Elementwise.cpp     inner kernels over rows, non-temporal stores; driver loop in Walk.h
//   rows          Rows.cpp            sweeps along rows; reductions with several accumulators
//   reductions    Rows.cpp, Columns.cpp
//   windows       windows/Pools.cpp   reductions of windows
//   gathers       Gather.cpp          rows or elements where indices say
//   lookups       Evaluator.cpp       elements at places that payloads compute; rows as of gathers
//   scans         Scan.cpp            rows or columns, combined element by element
//   sorts         places/Sort.cpp     the first elements of lines in order, piece by piece
//   scatters      places/Scatter.cpp  a copy, then rows or elements where indices say
//   contractions  contraction/          matrix products: packed panels, register tiles, what follows on the results
//
// Payload.h emits the computation of a lane, which is the same at all levels. The order of a sum depends on the level
// and on sizes, but never on blocks or threads.

#ifndef OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H
#define OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H

#include "lowering/cpu/vector/Frame.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// The entry of a kernel for a level, null after an error. The range of a call counts parts of blocks, 2^partBits of
/// each. `packs` are inputs that may be packed before (OPC_KERNEL_ENTRY_PACKS).
struct VectorKernel {
  llvm::Function *entry = nullptr;
  unsigned partBits = 0;
  PackedInputs packs = {};
};

/// Adds the entry of a kernel for a level to the module. Errors are at an op (cpu_c5 to cpu_c8). `fields` are the
/// fields of the tiling data, in order; `tensorNames` the contract's inputs, then its outputs.
VectorKernel addVectorKernel(llvm::Module &module, mlir::func::FuncOp function, llvm::ArrayRef<KernelField> fields,
                             llvm::ArrayRef<std::string> tensorNames, const CpuLevel &level);

/// addVectorKernel for elementwise kernels.
llvm::Function *addElementwise(llvm::Module &module, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields,
                               const CpuLevel &level);

/// The inner kernel (plane, Walk.h) of a kernel for rows of at least `wide` elements; tensors that do not vary along a
/// row have one element in it. Reuses an equal one of the module.
llvm::Function *addPlane(llvm::Module &module, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields,
                         const CpuLevel &level, unsigned wide, llvm::function_ref<bool(unsigned)> moves);

/// The inner kernels for whole vectors along loop 1, of `lanes` elements, and for single elements after them.
struct RowPlanes {
  RowPlanes(llvm::Module &module, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields, const CpuLevel &level);

  unsigned lanes;
  llvm::Function *wide, *narrow;
};

/// Adds the entry of a launch that has several nests, with an entry each: its blocks are those of nest 0, then those of
/// nest 1 and so on; the field `block_num_n<number>` is the number of blocks of a nest. A call runs its blocks of the
/// nests in turns; with `inOrder` each as a whole, since it may read what nests before it wrote.
llvm::Function *joinEntries(llvm::Module &module, llvm::StringRef name, llvm::ArrayRef<VectorKernel> nests,
                            llvm::ArrayRef<KernelField> fields, bool inOrder, const CpuLevel &level);

// Each function emits the code for the items frame.begin .. frame.end. False after an error (cpu_c8).
bool emitRows(CodeBuilder &b, FusedKernel &kernel, Frame &frame);
bool emitColumns(CodeBuilder &b, FusedKernel &kernel, Frame &frame);
bool emitWindows(CodeBuilder &b, FusedKernel &kernel, Frame &frame);
bool emitGather(llvm::Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame,
                llvm::ArrayRef<KernelField> fields);
bool emitScan(llvm::Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame,
              llvm::ArrayRef<KernelField> fields);
bool emitSort(llvm::Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame,
              llvm::ArrayRef<KernelField> fields);
bool emitScatter(CodeBuilder &b, FusedKernel &kernel, Frame &frame);
/// Likewise; returns the status of the entry.
llvm::Value *emitContraction(CodeBuilder &b, FusedKernel &kernel, Frame &frame);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_VECTORKERNELS_H
