// Functions that move bytes of any element type: parts of vectors, repeated rows, elements spread along rows, elements
// in the order of nested loops. Each module has at most one of each, shared by all kernels of a level.

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H
#define OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// Padding in bytes after the end of a buffer that repeatBytes, spreadElements or fillNest fills.
constexpr int64_t kBehindCopies = 128;

/// Limits the sizes of elements, in bytes, for which spreadElements and fillNest have code in this module; all four
/// without it.
void limitElementSizes(llvm::Module &module, llvm::ArrayRef<unsigned> sizes);

/// Calls the function of that name; `emit` defines it if the module has none.
void callShared(CodeBuilder &b, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments,
                llvm::function_ref<void(CodeBuilder &)> emit);

/// to[0 .. bytes) = from[0 .. bytes)
void copyBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *bytes);

/// Writes rows of bytes that are rows of another tensor, or repeat one element:
///
///   ordinary    whole cache lines of the output; where the row begins or ends inside of a line, halves of a line
///               overlap them. A store that touches two lines costs more than one that is half as long
///   streaming   whole lines by non-temporal stores. What a row has of the lines at its ends is written by ordinary
///               stores of exactly these bytes, since a line that is written both ways is read back from memory
///   few bytes   less than a line: two pieces of the greatest size that fits, which overlap. Masked stores of two
///               neighbouring rows into one line wait for each other
///
/// The first two prefetch what they read. The caller orders non-temporal stores (endStreams).
class RowMover {
public:
  /// All addresses and sizes are multiples of `elementBytes`.
  RowMover(CodeBuilder &b, unsigned elementBytes) : b(b), elementBytes(elementBytes) {}

  /// From here on rows repeat an element instead of being read.
  void setValue(llvm::Value *scalar);
  bool hasValue() const { return value; }
  /// An element of the row at `source`, or that of setValue.
  llvm::Value *element(llvm::Value *source);
  /// Whether rows of `bytes` bytes are streamed where `stream` (i1) allows it; null at levels that do not stream.
  llvm::Value *mayStream(llvm::Value *stream, llvm::Value *bytes);
  /// Writes `bytes` bytes, at least one, at `row`: those at `source`. `sourceAhead` is prefetched meanwhile, and
  /// `streams` a result of mayStream.
  void row(llvm::Value *row, llvm::Value *source, llvm::Value *sourceAhead, llvm::Value *bytes, llvm::Value *streams);

private:
  llvm::Type *typeOf(unsigned bytes);
  llvm::Value *read(unsigned bytes, llvm::Value *i);
  void put(unsigned bytes, llvm::Value *i);
  void moveFew(llvm::Value *i, llvm::Value *bytes, unsigned most);
  void ask(llvm::Value *i, unsigned bytes);
  void each(llvm::Value *begin, llvm::Value *end, unsigned turn, llvm::function_ref<void(llvm::Value *)> move);
  void lines(llvm::Value *begin, llvm::Value *bytes, unsigned size, bool streams);
  void ordinary(llvm::Value *bytes, llvm::Value *begin);
  void streaming(llvm::Value *bytes, llvm::Value *begin);

  CodeBuilder &b;
  const unsigned elementBytes;
  llvm::Value *to = nullptr, *from = nullptr, *ahead = nullptr; ///< of this row
  llvm::Value *value = nullptr;                                 ///< a vector of elements; null: rows are read
};

/// Copies `rows` rows of `rowBytes`, which are `toStep` and `fromStep` bytes apart. Rows of one element are moved
/// as elements, others by RowMover, which may stream with `stream` (i1; null: never). The rows may be their own copies.
void copyRows(CodeBuilder &b, llvm::Value *to, llvm::Value *toStep, llvm::Value *from, llvm::Value *fromStep,
              llvm::Value *rowBytes, llvm::Value *rows, llvm::Value *stream);

/// to[0 .. bytes) = from[0 .. rowBytes), repeated; both sizes are at least 1.
void repeatBytes(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rowBytes, llvm::Value *bytes);

/// Repeats each of `rows` elements of `elementBytes` (1, 2, 4, 8; limitElementSizes) `n` times.
void spreadElements(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *rows, llvm::Value *n,
                    llvm::Value *elementBytes);

/// Writes the elements of a tensor contiguously in the order of nested loops: `count` of them (at least 1), from the
/// `position`-th on. `nest` has the size and the step in elements of each of `loops` loops, innermost first, as 64-bit
/// numbers; sizes are at least 1. Elements have 1, 2, 4 or 8 bytes (limitElementSizes).
void fillNest(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *nest, llvm::Value *loops,
              llvm::Value *position, llvm::Value *count, llvm::Value *elementBytes);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_COPIES_H
