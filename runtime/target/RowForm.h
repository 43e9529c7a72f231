// The forms for rows, done by strided calls: arithmetic on rows that each have a block of 32 bytes as second operand,
// and reductions of each row. This header says how calls group rows, and what they cost. Ascend C kernels group rows in
// the same way (lowering/emit/ascendc/Helpers.cpp).

#ifndef OPC_RUNTIME_TARGET_ROWFORM_H
#define OPC_RUNTIME_TARGET_ROWFORM_H

#include "runtime/target/Target.h"

#include <cstdint>

namespace opc {

/// A call works on eight rows at once, with a block of each row in a repeat, if a row has at most `kMostAcross`
/// blocks: the stride and the number of repeats are encoded in a byte each. Otherwise a call works on one row, with a
/// repeat of that row at a time.
inline constexpr int64_t kRowsAcross = kRepeatBytes / kBlockBytes, kMostAcross = 255;
/// The fewer than eight rows that remain after groups of eight take either one call, with as many repeats as eight
/// rows, or one call for each row. Starting a call costs as many cycles as kBlocksOfStart blocks of one row; 8 blocks
/// are a repeat and a repeat takes a cycle, kDivisionWeight cycles for a division. Kernels contain these numbers in
/// their text, so a calibration does not change them.
inline constexpr int64_t kBlocksOfStart = 128, kDivisionWeight = 4;

/// Whether one call works on all `rest` remaining rows, fewer than eight, of `width` blocks each.
inline bool takesRestAcross(Intrinsic intrinsic, int64_t rest, int64_t width) {
  const int64_t weight = intrinsic == Intrinsic::vdiv ? kDivisionWeight : 1;
  return rest > 0 && weight * width * (kRowsAcross - rest) < kBlocksOfStart * (rest - 1);
}

/// Whether an intrinsic has the form for rows. All that have it are of form Binary.
inline bool mayTakeRows(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vadd:
  case Intrinsic::vsub:
  case Intrinsic::vmul:
  case Intrinsic::vdiv:
  case Intrinsic::vmax:
  case Intrinsic::vmin:
    return true;
  default:
    return false;
  }
}

/// The calls for some rows: `across` calls on eight rows each, `along` calls on one row each.
struct RowCalls {
  int64_t length = 0; ///< elements of a row
  int64_t across = 0, along = 0;
};

/// The calls for `count` elements in `rows` rows; one call on no elements when either is 0.
inline RowCalls rowCalls(Intrinsic intrinsic, TypeRow types, int64_t count, int64_t rows) {
  if (rows <= 0 || count <= 0)
    return {0, 0, 1};
  const int64_t lanes = kBlockBytes / int64_t(elementSize(types.source)), length = count / rows;
  if (length > kMostAcross * lanes)
    return {length, 0, rows};
  const int64_t rest = rows % kRowsAcross;
  const bool whole = takesRestAcross(intrinsic, rest, length / lanes);
  return {length, rows / kRowsAcross + whole, whole ? 0 : rest};
}

/// Cost in cycles by Target::vectorCost, without rounding of each call to whole cycles. The scalar unit's loop over
/// groups is not counted, since it takes less time than the vector unit needs to start a call.
inline double rowsCost(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count, int64_t rows) {
  const RowCalls calls = rowCalls(intrinsic, types, count, rows);
  return double(calls.across) * target.vectorCost(intrinsic, types, calls.across ? kRowsAcross * calls.length : 0) +
         double(calls.along) * target.vectorCost(intrinsic, types, calls.length);
}

/// Cost with each call rounded to whole cycles, as the simulator counts them.
inline int64_t rowsCycles(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count, int64_t rows) {
  const RowCalls calls = rowCalls(intrinsic, types, count, rows);
  // Counts of tiles in UB cannot overflow, but counts in programs that were not verified can. The limit leaves room
  // for the sum of two products.
  auto times = [](int64_t calls, int64_t cycles) {
    constexpr int64_t most = INT64_MAX / 4;
    int64_t product;
    return __builtin_mul_overflow(calls, cycles, &product) || product > most ? most : product;
  };
  return times(calls.across, target.vectorCycles(intrinsic, types, calls.across ? kRowsAcross * calls.length : 0)) +
         times(calls.along, target.vectorCycles(intrinsic, types, calls.length));
}

/// Reductions of rows. A row is some repeats of 256 bytes, the last of which may be shorter. Either one call reduces
/// the same repeat of every row, a call for each repeat, and a last call what they left:
///
///   call p       scratch[block of row r][p] = reduction of repeat p of row r
///   last call    result of row r = reduction of the block of row r
///
/// or each row has a call of its own. Rows of one repeat have one call. Starting a call costs as many cycles as the
/// reduction of kRepeatsOfStart repeats; kernels contain this number in their text.
inline constexpr int64_t kRepeatsOfStart = 8;
/// The rows of one strided call: the number of repeats is encoded in a byte.
inline constexpr int64_t kMostRepeats = 255;

/// The reduction of repeats that gives parts of this reduction.
inline Intrinsic ofRepeats(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::vreduce_max   ? Intrinsic::vreduce_repeat_max
         : intrinsic == Intrinsic::vreduce_min ? Intrinsic::vreduce_repeat_min
                                               : Intrinsic::vreduce_repeat_sum;
}

/// The repeats of a row of `columns` elements.
inline int64_t repeatsOfRow(ElementType type, int64_t columns) {
  const int64_t lanes = kRepeatBytes / int64_t(elementSize(type));
  return columns <= 0 ? 0 : (columns - 1) / lanes + 1;
}

/// Whether one call reduces a repeat of all rows; otherwise each row has a call.
inline bool reducesRepeats(ElementType type, int64_t rows, int64_t columns) {
  const int64_t repeats = repeatsOfRow(type, columns), most = kBlockBytes / int64_t(elementSize(type));
  const bool isCheaper = rows > kMostRepeats || kRepeatsOfStart * (repeats + 1) < (kRepeatsOfStart - 1) * rows;
  return repeats == 1 || (repeats > 1 && repeats <= most && isCheaper);
}

/// The cost in cycles of the reduction of each of `rows` rows. `costOf` is the cost of a call on some elements:
/// Target::vectorCost, or vectorCycles, which rounds each call to whole cycles. One call on no elements if there are
/// none. No tile has more rows or columns than are counted.
template <typename CostOf> auto rowReductionCost(ElementType type, int64_t rows, int64_t columns, CostOf costOf) {
  constexpr int64_t most = int64_t(1) << 20;
  rows = rows < most ? rows : most, columns = columns < most ? columns : most;
  using Cost = decltype(costOf(rows));
  if (rows <= 0 || columns <= 0)
    return costOf(0);
  if (!reducesRepeats(type, rows, columns))
    return Cost(rows) * costOf(columns);
  const int64_t lanes = kRepeatBytes / int64_t(elementSize(type)), repeats = repeatsOfRow(type, columns);
  const int64_t calls = repeats > 1 ? repeats + 1 : 1, rest = rows % kMostRepeats;
  return Cost(calls) * (Cost(rows / kMostRepeats) * costOf(kMostRepeats * lanes) + (rest ? costOf(rest * lanes) : 0));
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ROWFORM_H
