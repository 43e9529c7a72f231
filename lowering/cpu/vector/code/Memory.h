// Elements between memory and registers: types, full and partial vectors, non-temporal (streaming) stores, prefetches.
//
// In registers f16 and bf16 are f32, and i1 (a byte of 0 or 1 in memory) is i1. All other types are the same as in
// memory. Pointers are only aligned to their element.

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_MEMORY_H
#define OPC_LOWERING_CPU_VECTOR_CODE_MEMORY_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace opc::cpu {

/// The element type of a tensor, as kernels see it.
class Element {
public:
  enum Kind { Plain, Half, BFloat, Bool };

  /// nullopt for types without a CPU form.
  static std::optional<Element> of(mlir::Type type, llvm::LLVMContext &context);

  Kind kind = Plain;
  llvm::Type *memory = nullptr;   ///< i16 for f16 and bf16, i8 for i1
  llvm::Type *computed = nullptr; ///< in registers
  unsigned bytes = 0;             ///< in memory

  /// Width of a lane in registers. An i1 is as wide as the operands of its comparison.
  unsigned computedBits() const { return kind == Bool ? 8 : computed->getScalarSizeInBits(); }
};

/// Converts a value from its type in memory to the computation type; for scalars and vectors. Exact.
llvm::Value *fromMemory(CodeBuilder &b, llvm::Value *value, const Element &element);
/// The reverse, rounded to nearest even.
llvm::Value *toMemory(CodeBuilder &b, llvm::Value *value, const Element &element);
/// The value after a store and a load: rounded to the element type.
llvm::Value *roundTo(CodeBuilder &b, llvm::Value *value, const Element &element);

/// `lanes` elements from `pointer` + i; a scalar for 0 lanes.
llvm::Value *load(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, const Element &element, unsigned lanes);
void store(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, const Element &element);
/// A non-temporal store. The address must be a multiple of streamAlignment.
void stream(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, const Element &element);
unsigned streamAlignment(const Element &element, unsigned lanes);
/// Orders non-temporal stores before everything that follows (a store fence).
void endStreams(CodeBuilder &b);

/// Loads the first `count` (0 to `lanes`) lanes; the others are 0. Accesses no byte beyond them.
llvm::Value *loadPart(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element,
                      unsigned lanes);
/// Whether vectors of these elements are loaded with a mask, which reads no other lanes.
bool hasMasks(const CodeBuilder &b, const Element &element);
/// The lanes of a mask of the elements from `pointer` on, zeros in the others, where hasMasks().
llvm::Value *loadMasked(CodeBuilder &b, llvm::Value *pointer, llvm::Value *mask, const Element &element);
/// Lanes `begin` to before `end` of the elements from `pointer` on, zeros in the others, where hasMasks().
llvm::Value *loadWithin(CodeBuilder &b, llvm::Value *pointer, llvm::Value *begin, llvm::Value *end,
                        const Element &element, unsigned lanes);
void storePart(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, llvm::Value *count,
               const Element &element);
/// to[0 .. count) = from[0 .. count), element by element.
void copyElements(CodeBuilder &b, llvm::Value *from, llvm::Value *to, llvm::Value *count, const Element &element);

/// Prefetches the cache lines of `lanes` elements, at `pointer` + i + `ahead` bytes, into the innermost cache or, for
/// `level` 2, the next one.
void prefetch(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, const Element &element, unsigned lanes,
              int64_t ahead, bool write = false, unsigned level = 1);

/// Lanes first .. first + count of a vector, and the concatenation of vectors.
llvm::Value *lanesAt(CodeBuilder &b, llvm::Value *vector, unsigned first, unsigned count);
llvm::Value *joined(CodeBuilder &b, llvm::ArrayRef<llvm::Value *> parts);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_MEMORY_H
