// Functions of a module that move bytes, whatever elements these are: parts of vectors, rows that are repeated,
// elements that are spread along rows. One of each for all kernels of a level.

#ifndef OPC_LOWERING_CPU_VECTOR_COPIES_H
#define OPC_LOWERING_CPU_VECTOR_COPIES_H

#include "lowering/cpu/vector/CodeBuilder.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// Bytes behind its end that a buffer needs which `repeat` or `spread` fills.
constexpr int64_t kBehindCopies = 128;

/// to[0 .. bytes) = from[0 .. bytes)
void copyBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *bytes);

/// to[0 .. bytes) = from[0 .. rowBytes) again and again; both at least 1.
void repeatBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rowBytes, llvm::Value *bytes);

/// Each of `rows` elements of `elementBytes` (1, 2, 4, 8) over `n` elements.
void spreadElements(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rows, llvm::Value *n,
                    llvm::Value *elementBytes);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_COPIES_H
