// Functions that move bytes of any element type: parts of vectors, repeated rows, elements spread along rows, elements
// in the order of nested loops. Each module has at most one of each, shared by all kernels of a level.

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H
#define OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// Padding in bytes after the end of a buffer that repeatBytes, spreadElements or fillNest fills.
constexpr int64_t kBehindCopies = 128;

/// Calls the function of that name; `emit` defines it if the module has none.
void callShared(CodeBuilder &b, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments,
                llvm::function_ref<void(CodeBuilder &)> emit);

/// to[0 .. bytes) = from[0 .. bytes)
void copyBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *bytes);

/// Copies `rows` rows of `rowBytes`, which are `toStep` and `fromStep` bytes apart. Rows of one element are moved
/// as elements. With `stream` (i1), whole cache lines of rows that have enough of them are stored non-temporally; the
/// caller orders these stores (endStreams). The rows may be their own copies.
void copyRows(CodeBuilder &b, llvm::Value *to, llvm::Value *toStep, llvm::Value *from, llvm::Value *fromStep,
              llvm::Value *rowBytes, llvm::Value *rows, llvm::Value *stream);

/// to[0 .. bytes) = from[0 .. rowBytes), repeated; both sizes are at least 1.
void repeatBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rowBytes, llvm::Value *bytes);

/// Repeats each of `rows` elements of `elementBytes` (1, 2, 4, 8) `n` times.
void spreadElements(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rows, llvm::Value *n,
                    llvm::Value *elementBytes);

/// Writes the elements of a tensor contiguously in the order of nested loops: `count` of them (at least 1), from the
/// `position`-th on. `nest` has the size and the step in elements of each of `loops` loops, innermost first, as 64-bit
/// numbers; sizes are at least 1. Elements have 1, 2, 4 or 8 bytes.
void fillNest(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *nest, llvm::Value *loops,
              llvm::Value *position, llvm::Value *count, llvm::Value *elementBytes);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H
