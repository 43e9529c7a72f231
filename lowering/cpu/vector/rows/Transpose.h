// Transposes matrices in memory, for elements of any type.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

namespace opc::cpu {

/// to[row * toStep + column] = from[column * fromStep + row], for `rows` rows and `columns` columns; steps are in
/// elements, of 1, 2, 4 or 8 bytes. With `ahead` (i1) later columns are prefetched. With `stream` (i1) stores of long
/// rows are non-temporal; the caller orders them (endStreams).
void transpose(CodeBuilder &b, llvm::Value *to, llvm::Value *toStep, llvm::Value *from, llvm::Value *fromStep,
               llvm::Value *rows, llvm::Value *columns, llvm::Value *elementBytes, llvm::Value *ahead,
               llvm::Value *stream);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H
