// Elements between memory and registers: types, whole vectors, parts of vectors, streams.
//
// In registers f16 and bf16 are f32, and i1 (a byte in memory, 0 or 1) is i1. Everything else is as in memory.
// Pointers are aligned to their element, no more.

#ifndef OPC_LOWERING_CPU_VECTOR_MEMORY_H
#define OPC_LOWERING_CPU_VECTOR_MEMORY_H

#include "lowering/cpu/vector/CodeBuilder.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace opc::cpu {

/// The element type of a tensor as kernels see it.
class Element {
public:
  enum Kind { Plain, Half, BFloat, Bool };

  /// nullopt for types that have no CPU form.
  static std::optional<Element> of(mlir::Type type, llvm::LLVMContext &context);

  Kind kind = Plain;
  llvm::Type *memory = nullptr;   ///< i16 for f16 and bf16, i8 for i1
  llvm::Type *computed = nullptr; ///< in registers
  unsigned bytes = 0;             ///< in memory

  /// Bits of a lane in registers; an i1 is as wide as what it was compared from.
  unsigned computedBits() const { return kind == Bool ? 8 : computed->getScalarSizeInBits(); }
};

/// Value in the form of memory to the one computed in; scalars and vectors. Exact.
llvm::Value *fromMemory(CodeBuilder &b, llvm::Value *value, const Element &element);
/// Back, rounded to nearest even.
llvm::Value *toMemory(CodeBuilder &b, llvm::Value *value, const Element &element);
/// What a value is after a store and a load: rounded to the element.
llvm::Value *roundTo(CodeBuilder &b, llvm::Value *value, const Element &element);

/// `lanes` elements from `pointer` + i; a scalar for 0 lanes.
llvm::Value *load(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, const Element &element, unsigned lanes);
void store(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, const Element &element);
/// A store past the caches. The address is a multiple of streamAlignment.
void stream(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, const Element &element);
unsigned streamAlignment(const Element &element, unsigned lanes);
/// Makes streams visible in order with everything after.
void endStreams(CodeBuilder &b);

/// The first `count` (0 to `lanes`) lanes are loaded, the others are 0. No byte behind is touched.
llvm::Value *loadPart(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element,
                      unsigned lanes);
void storePart(CodeBuilder &b, llvm::Value *value, llvm::Value *pointer, llvm::Value *i, llvm::Value *count,
               const Element &element);
/// to[0 .. count) = from[0 .. count), element by element.
void copyElements(CodeBuilder &b, llvm::Value *from, llvm::Value *to, llvm::Value *count, const Element &element);

/// Asks for the lines that `lanes` elements from `pointer` + i + `ahead` bytes on lie in.
void prefetch(CodeBuilder &b, llvm::Value *pointer, llvm::Value *i, const Element &element, unsigned lanes,
              int64_t ahead, bool write = false);

/// Lanes first .. first + count of a vector, and vectors one behind the other.
llvm::Value *lanesAt(CodeBuilder &b, llvm::Value *vector, unsigned first, unsigned count);
llvm::Value *joined(CodeBuilder &b, llvm::ArrayRef<llvm::Value *> parts);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_MEMORY_H
