// An operand of a matrix product that elementwise operations compute, for the cube: its parts are made in UB and copied
// to L1, where they lie as the parts of an operand that comes from memory.
//
//   rows of the operand, other inputs   loaded                 mte2
//   steps of the prologue               computed in UB         v
//   rows beyond the operand, and the
//   rest of its last block along k      zero                   v
//   columns of fractals                 L1                     mte3
//
// A part in L1 is made in pieces of some rows, so that UB needs the same room for every tile. An operand that several
// tiles read is computed for each of them.

#ifndef OPC_LOWERING_AICORE_PLACE_CONTRACTION_COMPUTEDOPERAND_H
#define OPC_LOWERING_AICORE_PLACE_CONTRACTION_COMPUTEDOPERAND_H

#include "dialect/aicore/tiles/CubeTiles.h"
#include "lowering/aicore/place/contraction/WindowPanels.h"
#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

class ComputedOperand {
public:
  /// Makes what all tiles share, at the insertion point.
  /// `mostColumns`: of a part in L1. `ofFractal`: the elements of k that it is filled up to.
  ComputedOperand(const KernelParts &parts, const Prologue &prologue, int64_t mostColumns, int64_t ofFractal);

  bool isOf(unsigned tensor) const { return tensor == prologue.tensor; }
  /// Makes `lines` of `columns` of the operand, at most `mostLines` of `mostColumns`, in `part` of L1, whose columns of
  /// fractals are `height` rows apart, or in bands of 16 of k if they are transposed in squares of float32. Both are
  /// filled up with zeros to whole fractals. To be called once.
  void make(const Extent &lines, const Extent &columns, std::pair<int64_t, int64_t> most, mlir::Value part,
            mlir::Value height, llvm::ArrayRef<KernelParts::BatchLoop> batches);

private:
  using Value = mlir::Value;

  ScheduleAttr scheduleOf() const;
  void makeMask(int64_t mostColumns);
  Value inUb(const char *suffix, int64_t elements, ElementType type);
  void makePiece(const Extent &lines, const Extent &columns, llvm::ArrayRef<KernelParts::BatchLoop> batches);
  void storeBands(const Extent &piece, const Extent &columns, int64_t mostColumns, int64_t pieceLines, Value first,
                  Value part);
  void load(const Extent &lines, const Extent &columns, Value count, Value ld,
            llvm::ArrayRef<KernelParts::BatchLoop> batches);
  void clearRest(TileId value, const Extent &columns, Value length);

  const KernelParts &parts;
  const int64_t ofFractal; ///< of k
  const Prologue &prologue;
  const Homes homes;
  const TileNeeds needs;
  const OperandPiece ofPiece;
  const ScheduleAttr schedule;
  KernelWriter w; ///< of the prologue's program
  const std::vector<unsigned> levels;
  const KernelParts own;        ///< the prologue as a kernel
  std::optional<TileId> masked; ///< the value whose rest along k becomes zero; none if it is zero already
  Value mask;                   ///< the elements of a piece of the last part along k that exist
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_CONTRACTION_COMPUTEDOPERAND_H
