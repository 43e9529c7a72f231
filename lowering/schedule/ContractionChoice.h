// The schedule of a matrix product on the cube: the tile of results in L0C, which determines the step of k, chosen by
// cost among all that fit.
//
//   rows, width   a tile of the result: L0C has it, twice if it takes half of it at most
//   depth         parts of the operands, rows x depth and depth x width, twice in L1 and in L0A or L0B (CubeTiles.h);
//                 of a resident key, L1 has all of k of the left one, once
//   tile          where something is computed from the results: the elements that UB has at once, some of the columns
//
// Pipes overlap, so the cost of a launch is the maximum of the times of its pipes, plus the first step and the last
// tile, during which the others wait:
//
//   MTE2   parts of operands, other inputs of the results          MTE1   fractals of both
//   M      the products; with one tile in L0C, FIX after it        FIX    the tile out of L0C
//   V      computation on the results                              MTE3   rows that are stored

#ifndef OPC_LOWERING_SCHEDULE_CONTRACTIONCHOICE_H
#define OPC_LOWERING_SCHEDULE_CONTRACTIONCHOICE_H

#include "dialect/aicore/tiles/RowTiles.h"
#include "lowering/schedule/Heuristic.h"

#include <array>

namespace opc {

/// The sizes of m, n and k for which a schedule is chosen if the sizes are open until launch.
inline constexpr std::array<int64_t, 3> kNominalSizes = {1024, 1024, 1024};
/// The same with windows: 128 channels of 28 x 28, filters of 3 x 3.
inline constexpr std::array<int64_t, 3> kNominalConvolution = {128, 784, 1152};
/// The same with a resident panel: a layer of a transformer for a few hundred tokens, whose k the panel has to hold.
inline constexpr std::array<int64_t, 3> kNominalPanel = {256, 1024, 3072};
/// The same with a right matrix in L1 and rows that are reduced: scores of attention.
inline constexpr std::array<int64_t, 3> kNominalRightMatrix = {512, 512, 64};
/// The same with long rows: the longest ones.
inline constexpr std::array<int64_t, 3> kNominalLongRows = {1024, aicore::kMostLongRow, 1024};
std::array<int64_t, 3> nominalSizes(const ShapeKey &key);
/// Whether a key's right operand lies along k.
bool isRightAlongK(const ShapeKey &key);
/// Of k, what one load copies to L1 for a key without an operand that stays there.
int64_t loadedDepth(aicore::NeedsAttr needs, const ShapeKey &key, const aicore::CubeTile &tile);
/// Whether a key is for long rows that are not the longest, which leave room for more of them.
bool hasShorterRows(const ShapeKey &key);

/// The tile of an instance with this schedule. Rows that are reduced are whole in UB, too.
inline aicore::CubeTile cubeTile(aicore::NeedsAttr needs, aicore::ScheduleAttr schedule, const ShapeKey &key,
                                 const Target &target) {
  if ((key.isLong || key.hasResidentRight) && aicore::isLongRow(schedule))
    return aicore::tileOfLongRows(schedule, needs.getOperandBytes(), target);
  return aicore::CubeTile::of(schedule, needs.getOperandBytes(), needs.getTileBits() != 0 && !key.reduced[1], target);
}

/// The needs of a kernel with a matrix product.
struct ProductNeeds {
  aicore::NeedsAttr own; ///< with the UB of `operands`
  OperandNeeds operands; ///< the time that they take
};

/// The cheapest schedule for these sizes, or the author's if there is one. `schedule` is null if none fits.
ScheduleChoice chooseContraction(const ProductNeeds &needs, const ShapeKey &key, const ContractSchedule &author,
                                 const Target &target, const std::array<int64_t, 3> &sizes, int64_t batches = 1);

/// Cycles in which an operand is computed for `sizeK` of all rows or columns of a tile, by the slowest pipe; nullopt if
/// it is multiplied as it lies in memory.
std::optional<int64_t> computedOperandCycles(const ProductNeeds &needs, aicore::ScheduleAttr schedule,
                                             const ShapeKey &key, const Target &target, bool isRight, int64_t sizeK);

/// Cycles for which the pipes wait after each tile, since the vector unit computes operands and works on results in
/// turn.
int64_t computedOperandWait(const ProductNeeds &needs, aicore::ScheduleAttr schedule, const ShapeKey &key,
                            const Target &target);

/// Cycles of a launch of these sizes by the target's cost model.
int64_t contractionCycles(const ProductNeeds &needs, aicore::ScheduleAttr schedule, const ShapeKey &key,
                          const Target &target, const std::array<int64_t, 3> &sizes, int64_t batches = 1);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_CONTRACTIONCHOICE_H
