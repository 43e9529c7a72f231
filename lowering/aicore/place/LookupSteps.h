// Steps of a tile program that read elements of tensors at computed indices (TileStep::Lookup). The scalar unit reads
// the indices of a row, or of an element, clamps each to its range and issues a copy.

#ifndef OPC_LOWERING_AICORE_PLACE_LOOKUPSTEPS_H
#define OPC_LOWERING_AICORE_PLACE_LOOKUPSTEPS_H

#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

class LookupSteps {
public:
  /// `tileRows`: the rows of a full tile.
  LookupSteps(const KernelParts &parts, mlir::Value tileRows) : parts(parts), w(parts.writer), tileRows(tileRows) {}

  /// Fills the byte offsets that gather copied elements into a row; call before all loops.
  void makeOffsets();
  /// Writes a step with a lookup for a tile, or for a value that all its rows share; then `extent` has no rows.
  void write(const TileStep &step, const TileExtent &extent, llvm::ArrayRef<KernelParts::BatchLoop> batches);

private:
  using Lookup = TileStep::Lookup;
  /// The element of a tile of indices, by row and column of the tile; null if the tile has none.
  mlir::Value readPlace(const TileStep &step, const Lookup::Place &place, mlir::Value row, mlir::Value column);
  mlir::Value offsetOf(const TileStep &step, mlir::Value row, mlir::Value column);
  mlir::Value inRange(mlir::Value index, mlir::Value count, te::Beyond beyond);
  bool isPerRow(const TileStep &step) const;
  void copyRows(const TileStep &step, mlir::Value offset, mlir::Value rows, mlir::Value cols, mlir::Value ld,
                mlir::Value at);
  /// The element type of a tensor in the kernel's argument: integers of 64 bits are two words.
  ElementType typeOf(unsigned tensor) const {
    const ElementType type = parts.shape.tensors[tensor].type;
    return type == ElementType::Int64 ? ElementType::Int32 : type;
  }
  mlir::Value wordsOf(unsigned tensor) {
    return w.constant(parts.shape.tensors[tensor].type == ElementType::Int64 ? 2 : 1);
  }
  void writeRows(const TileStep &step);
  void writeLines(const TileStep &step);
  void writeElements(const TileStep &step, mlir::Value row);
  void writeWords(const TileStep &step, mlir::Value row);
  void writeWordColumns(const TileStep &step);
  void writeNearest(const TileStep &step, mlir::Value words, mlir::Value offsets, mlir::Value length, int64_t most,
                    mlir::Value result);
  mlir::Value buffer(const std::string &name, ElementType type, int64_t elements);
  /// The number of elements of a tensor in a block of 32 bytes.
  static int64_t blockOf(ElementType type) { return kBlockBytes / int64_t(elementSize(type)); }
  mlir::Value field(const TileStep &step, const std::string &suffix, std::optional<int64_t> min = 0) {
    return w.field(parts.nameOf(step.lookup->tensor) + suffix, min);
  }
  /// The suffix of the fields for a dimension of a tensor; empty if an input gives the indices, since there is
  /// one dimension.
  std::string numberOf(const Lookup &lookup, unsigned dim) const {
    return parts.shape.tensors[lookup.tensor].indices ? std::string() : std::to_string(dim);
  }
  Spread spreadOf(TileId value) const { return parts.spreadOf(value); }

  const KernelParts &parts;
  KernelWriter &w;
  mlir::Value tileRows;
  TileExtent extent;                                    ///< of the current tile
  llvm::SmallVector<KernelParts::BatchLoop> batches;    ///< of the current trip
  llvm::DenseMap<unsigned, mlir::Value> elementOffsets; ///< by tensor
  mlir::Value columnOffsets;                            ///< of the rows of a tile
  unsigned made = 0;                                    ///< buffers, which have names of their own
};

/// Adds the memory for lines and elements.
void addLookups(const TileProgram &program, const KernelShape &shape, TileNeeds &needs);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_LOOKUPSTEPS_H
