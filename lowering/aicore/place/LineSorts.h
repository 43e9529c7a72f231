// The first elements of a line in sorted order, and their indices (TileStep::Sort), by the chip's sort of 32 scores
// with indices and its merges of sorted lists.
//
// A kernel keeps the best elements so far, in order. A part of the line is put after them, all are sorted, and the
// first ones are the best of the next part:
//
//            0                 best       best + part       sorted (2048)
//   scores   | best so far     | part     | lowest          |
//
// The sort is stable and parts follow each other, so equal elements stay in the order of their indices. More results
// than fit are found in pieces: each takes the elements after the last one of the piece before.
//
// The chip sorts floats. It is not documented how it orders NaN, and one value is needed below all others. Scores
// therefore are numbers alone:
//
//   types of up to 16 bits   the element; infinities and NaN of floats are numbers beyond all others
//   float32                  two scores: first the kind of the element, a number or NaN; then the number
//   int32                    two scores: the upper 16 bits, then the lower ones
//
// With two scores all are sorted by the second one, then by the first one: both sorts are stable.

#ifndef OPC_LOWERING_AICORE_PLACE_LINESORTS_H
#define OPC_LOWERING_AICORE_PLACE_LINESORTS_H

#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

/// Adds the memory of a sort.
void addLineSorts(const TileProgram &program, const KernelShape &shape, TileNeeds &needs);

class LineSorts {
public:
  explicit LineSorts(const KernelParts &parts);

  /// Whether lines are rows of a tile; otherwise each element of a line is a row.
  bool isAlongRow() const { return sort.alongRow; }
  unsigned tensor() const { return sort.tensor; }
  /// The most results of a piece.
  int64_t mostOfPiece() const { return most; }

  /// Before all loops. `length`: of a line, in elements; `results`: of a piece, at least 1 and at most mostOfPiece().
  void start(mlir::Value length, mlir::Value results);
  /// Starts a line.
  void startLine();
  /// Finds the next results of a line; `offset` of its first element in the tensor, its elements are `step` apart.
  /// `isFollowed`: 1 if another piece of the line follows, else 0.
  void findPiece(mlir::Value offset, mlir::Value step, mlir::Value isFollowed);
  /// Ends a piece of `count` results.
  void endPiece(mlir::Value count, mlir::Value isFollowed);
  /// Writes a step with a sort: results of the piece, or their indices.
  void write(const TileStep &step, const TileExtent &extent);

private:
  mlir::Value buffer(const char *name, ElementType type, int64_t elements);
  mlir::Value number(double value) { return w.constantOf(ElementType::Float32, value); }
  mlir::Value integer(int64_t value) { return w.constantOf(ElementType::Int32, double(value)); }
  mlir::Value asFloat(mlir::Value index);
  /// The elements of the current part in a buffer with the best ones before them, and in one without.
  mlir::Value ofPart(mlir::Value memref) { return w.part(memref, best, partLength); }
  mlir::Value temporary(mlir::Value memref) { return w.part(memref, zero, partLength); }
  mlir::Value firsts(mlir::Value memref) { return w.part(memref, zero, best); }
  mlir::Value allOf(mlir::Value memref) { return w.part(memref, zero, sorted); }
  void scalar(Intrinsic intrinsic, mlir::Value source, mlir::Value scalar, mlir::Value to);
  void compare(Comparison comparison, mlir::Value source, mlir::Value scalar);
  void selectOr(mlir::Value source, double otherwise, mlir::Value to);
  void loadPart(mlir::Value offset, mlir::Value step, mlir::Value first);
  void convert(mlir::Value from, mlir::Value to, mlir::Value count, int64_t capacity);
  mlir::Value scoreHalf();
  mlir::Value scoreSingle();
  mlir::Value scoreWord();
  mlir::Value scorePart();
  void markTaken(mlir::Value score);
  void sortBy(mlir::Value scores, mlir::Value words);
  void takeBest(mlir::Value isFollowed);
  bool uses(bool ofPlaces) const;

  const KernelParts &parts;
  KernelWriter &w;
  TileStep::Sort sort;
  ElementType type, held; ///< of the input; of its elements while they are sorted: float32 or int32
  bool isDouble;          ///< two scores
  int64_t most, capacity; ///< results of a piece; elements that are sorted at once
  mlir::Location location;
  mlir::Value zero, one;
  mlir::Value length, best, partMost; ///< of a line; best ones kept, a multiple of 64; elements of a part
  mlir::Value sorted, partLength;     ///< elements that are sorted at once; those after the best ones
  /// Scores, indices and elements, the best ones first.
  mlir::Value upper, lower, places, values;
  mlir::Value numbers, mask, temporaries[3], words[2], pairs[2], order, offsets, moved, movedValues;
  mlir::Value lastUpper, lastLower, lastPlace, lastOffset; ///< of the piece before, in a block
  mlir::Value limitUpper, limitLower, limitPlace;          ///< the same as scalars
  mlir::Value blockOffsets, rowOffsets, spreadPlaces;      ///< if elements of a line are rows
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_LINESORTS_H
