// Positions of windows in their input: which of them exist, and strided loads.
//
//   x[start + 0 * step], x[start + 1 * step], ...         those from `first` to before `behind` lie within x

#ifndef OPC_LOWERING_CPU_VECTOR_WINDOWS_POSITIONS_H
#define OPC_LOWERING_CPU_VECTOR_WINDOWS_POSITIONS_H

#include "lowering/cpu/vector/code/Memory.h"

namespace opc::cpu {

/// first <= behind.
struct ValidRange {
  llvm::Value *first, *behind;
};
/// The numbers i of 0 .. count for which start + i * step is in 0 .. size; step is at least 1.
ValidRange validRange(CodeBuilder &b, llvm::Value *start, int64_t step, llvm::Value *size, llvm::Value *count);

/// Strides for which loadStrided takes vectors.
inline constexpr int64_t kVectorStride = 2;

/// Loads `lanes` elements from `pointer` + i, `stride` apart; a scalar for 0 lanes. Accesses nothing after the
/// last one.
llvm::Value *loadStrided(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, const Element &element, unsigned lanes,
                         int64_t stride);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_WINDOWS_POSITIONS_H
