// Scans along the rows of a tile (TileStep::Scan with alongRow). A row is combined with itself, moved by 1, 2, 4, ...
// elements, until every element is combined with all before it: log2(length) steps on the vector unit, none of which
// processes single elements (Hillis and Steele).
//
//   line     i i i i | a b c d e f        a block of identities, then the row
//   by 1     gathered . i a b c d e       shifts by less than a block of 32 bytes
//   by 8     copied                       shifts by whole blocks
//
// Rows of up to 16 blocks are moved all at once, by gathers whose offsets the vector unit makes for a whole tile;
// others, and those in parts, one after the other. If a row has several parts, the first element of a part is first
// combined with the running value of the parts before it. In reverse a long row is turned by the gather that brings it,
// and by the one that takes the results.

#ifndef OPC_LOWERING_AICORE_PLACE_LINESCANS_H
#define OPC_LOWERING_AICORE_PLACE_LINESCANS_H

#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

class LineScans {
public:
  /// `neededOfOne`: for each value, whether a launch with rows of one element needs it.
  LineScans(const KernelParts &parts, std::vector<bool> neededOfOne)
      : parts(parts), w(parts.writer), neededOfOne(std::move(neededOfOne)) {}

  /// What is known before all loops. `rowLength`: the most elements of a part of a row; `stride`: then, from row to row
  /// of a tile. `severalElements` and `severalParts`: 1 if rows have several elements, else 0.
  struct Extents {
    mlir::Value rowLength, stride, severalElements, severalParts;
  };
  /// Creates buffers, and fills the byte offsets of elements; called before all loops.
  void makeTables(const Extents &of);
  /// Called before the first part of the `tileRows` rows of a tile.
  void start(mlir::Value tileRows);
  void write(const TileStep &step, const TileExtent &extent);

private:
  /// The buffers of the scans with the same type and operation.
  struct Line {
    mlir::Value line;  ///< a block of identities, then a row
    mlir::Value moved; ///< the shifted row
    mlir::Value last;  ///< the byte offset of the last element of a part, in each lane of a block
  };
  /// By the size of elements: byte offsets of the elements of a row, the same moved, those of the turned row, and those
  /// that an exclusive scan takes; the column of each element of a tile, and which elements move.
  struct Offsets {
    mlir::Value whole, moved, turned, shifted, columns, mask;
    mlir::Value isShort, isLong; ///< 1 where rows are short, or are not; else 0
  };
  Line &lineOf(const TileStep &step) {
    return lines[{unsigned(parts.program.values[step.result].type), unsigned(step.intrinsic)}];
  }
  bool isOfSeveral(const TileStep &step) const;
  mlir::Value buffer(const std::string &name, ElementType type, int64_t elements);
  static int64_t lanesOf(ElementType type) { return kBlockBytes / int64_t(elementSize(type)); }
  /// Fills offsets of `length` elements for a gather of `from`, shifted by some bytes.
  mlir::Value move(ElementType type, mlir::Value from, mlir::Value bytes, mlir::Value length);
  void makeOrder(const TileStep &step, const TileExtent &extent);
  void combine(const TileStep &step, mlir::Value own, mlir::Value with);
  void writeLine(const TileStep &step, const TileExtent &extent, mlir::Value row);
  void makeColumns(const TileStep &step, const Offsets &of, mlir::Value stride);
  void moveAll(const TileStep &step, const TileExtent &extent, int64_t distance);
  void writeShort(const TileStep &step, const TileExtent &extent);
  void moveBlocks(const TileStep &step, mlir::Value line, mlir::Value length);

  const KernelParts &parts;
  KernelWriter &w;
  const std::vector<bool> neededOfOne;
  mlir::Value severalElements, severalParts;
  std::map<std::pair<unsigned, unsigned>, Line> lines; ///< by element type and intrinsic
  llvm::DenseMap<unsigned, Offsets> offsets;           ///< by size
  llvm::DenseMap<TileId, mlir::Value> before; ///< by result: for each row a block with the value before this part
};

/// Adds the memory that scans along rows need.
void addLineScans(const TileProgram &program, TileNeeds &needs);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_LINESCANS_H
