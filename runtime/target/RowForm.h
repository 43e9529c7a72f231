// Arithmetic on rows with a block of 32 bytes each, as strided calls: how rows are grouped, and what that costs.
// Kernels of Ascend C follow the same rule (lowering/emit/ascendc/Helpers.cpp).

#ifndef OPC_RUNTIME_TARGET_ROWFORM_H
#define OPC_RUNTIME_TARGET_ROWFORM_H

#include "runtime/target/Target.h"

#include <cstdint>

namespace opc {

/// Eight rows are worked on at once, a block of each in a repeat, where no row has more than `kMostAcross` blocks (a
/// stride and a number of repeats are bytes). Else one row after the other, a repeat of it at a time.
inline constexpr int64_t kRowsAcross = kRepeatBytes / kBlockBytes, kMostAcross = 255;
/// What is left behind groups of eight takes the repeats of eight at once, or a start for each row: a start costs as
/// much as this many blocks of one row, 8 a repeat, a repeat a cycle. A division takes four cycles a repeat. Kernels
/// have these numbers in their text, whatever a board measures.
inline constexpr int64_t kBlocksOfStart = 128, kDivisionWeight = 4;

/// Whether `rest` rows of `width` blocks, fewer than eight, are worked on at once.
inline bool takesRestAcross(Intrinsic intrinsic, int64_t rest, int64_t width) {
  const int64_t weight = intrinsic == Intrinsic::vdiv ? kDivisionWeight : 1;
  return rest > 0 && weight * width * (kRowsAcross - rest) < kBlocksOfStart * (rest - 1);
}

/// Whether an intrinsic, of form Binary, has the form for rows.
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

/// The calls that work on rows: `across` of eight rows each, `along` of one row each.
struct RowCalls {
  int64_t length = 0; ///< elements of a row
  int64_t across = 0, along = 0;
};

/// For `count` elements of `rows` rows; of none, one call on nothing.
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

/// Cycles as Target::vectorCost has them, without the rounding of each call. The scalar unit's loop over groups takes
/// less than the vector unit's start and is left out.
inline double rowsCost(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count, int64_t rows) {
  const RowCalls calls = rowCalls(intrinsic, types, count, rows);
  return double(calls.across) * target.vectorCost(intrinsic, types, calls.across ? kRowsAcross * calls.length : 0) +
         double(calls.along) * target.vectorCost(intrinsic, types, calls.length);
}

/// The same in whole cycles of each call, as the simulator charges them.
inline int64_t rowsCycles(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count, int64_t rows) {
  const RowCalls calls = rowCalls(intrinsic, types, count, rows);
  // Neither factor is near the limits of 64 bits in a tile of UB; counts of unproved programs are. Two such
  // products add up.
  auto times = [](int64_t calls, int64_t cycles) {
    constexpr int64_t most = INT64_MAX / 4;
    int64_t product;
    return __builtin_mul_overflow(calls, cycles, &product) || product > most ? most : product;
  };
  return times(calls.across, target.vectorCycles(intrinsic, types, calls.across ? kRowsAcross * calls.length : 0)) +
         times(calls.along, target.vectorCycles(intrinsic, types, calls.length));
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ROWFORM_H
