// Scans along the rows of a tile (TileStep::Scan with alongRow). A row is combined with itself, shifted by 1, 2, 4, ...
// elements, until every element is combined with all before it: log2 of its length steps on the vector unit, none of
// which waits for a single element.
//
//   line     i i i i | a b c d e f        a block of identities, then the row
//   by 1     gathered . i a b c d e       shifts by less than a block of 32 bytes
//   by 8     copied                       shifts by whole blocks
//
// If a row has several parts, the first element of a part is first combined with the running value before it. For a
// reverse scan the gather that loads the row reverses it, and so does the gather that stores the results.

#ifndef OPC_LOWERING_AICORE_PLACE_LINESCANS_H
#define OPC_LOWERING_AICORE_PLACE_LINESCANS_H

#include "lowering/aicore/place/KernelForms.h"

namespace opc::aicore {

class LineScans {
public:
  /// `neededOfOne`: for each value, whether a launch with rows of one element needs it.
  LineScans(const KernelParts &parts, std::vector<bool> neededOfOne)
      : parts(parts), w(parts.writer), neededOfOne(std::move(neededOfOne)) {}

  /// Makes buffers, and fills the byte offsets of elements; before all loops. `rowLength`: the largest number of
  /// elements of a part of a row. `severalElements`: 1 if rows have several elements, else 0.
  void makeTables(mlir::Value rowLength, mlir::Value severalElements);
  /// Before the first part of the `tileRows` rows of a tile. `severalParts`: 1 if rows have several parts,
  /// else 0.
  void start(mlir::Value tileRows, mlir::Value severalElements, mlir::Value severalParts);
  void write(const TileStep &step, const TileExtent &extent);

private:
  /// The buffers of scans with one type and one intrinsic.
  struct Line {
    mlir::Value line;  ///< a block of identities, then a row
    mlir::Value moved; ///< the shifted row
    mlir::Value last;  ///< the byte offset of the last element of a part, in each lane of a block
  };
  /// For each element size: byte offsets of the elements of a row, the same shifted, those of the reversed row, and
  /// those for an exclusive scan.
  struct Offsets {
    mlir::Value whole, moved, turned, shifted;
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
  void moveBlocks(const TileStep &step, mlir::Value line, mlir::Value length);

  const KernelParts &parts;
  KernelWriter &w;
  const std::vector<bool> neededOfOne;
  std::map<int64_t, mlir::Value> isLonger;             ///< 1 if parts of rows have more elements, else 0
  mlir::Value several;                                 ///< 1 if rows have several parts
  std::map<std::pair<unsigned, unsigned>, Line> lines; ///< by element type and intrinsic
  llvm::DenseMap<unsigned, Offsets> offsets;           ///< by size
  llvm::DenseMap<TileId, mlir::Value> before; ///< by result: for each row a block with the value before this part
};

/// Adds the memory that scans along rows need.
void addLineScans(const TileProgram &program, TileNeeds &needs);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_LINESCANS_H
