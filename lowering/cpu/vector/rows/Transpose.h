// Transposes blocks of memory in registers, for elements of any type.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

namespace opc::cpu {

/// to[row * columns + column] = from[column * step + row], for `rows` rows and `columns` columns; `step` is in
/// elements. Elements have 1, 2, 4 or 8 bytes; `scratch` can hold all of them.
void transpose(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *step, llvm::Value *rows,
               llvm::Value *columns, llvm::Value *elementBytes, llvm::Value *scratch);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_TRANSPOSE_H
