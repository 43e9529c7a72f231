// Arithmetic on rows with a block of 32 bytes each, as strided calls: how rows are grouped, and
// what that costs. Kernels of Ascend C follow the same rule (lowering/emit/ascendc/Helpers.cpp).

#ifndef OPC_RUNTIME_TARGET_ROWFORM_H
#define OPC_RUNTIME_TARGET_ROWFORM_H

#include "runtime/target/Target.h"

#include <cstdint>

namespace opc {

/// Eight rows are worked on at once, a block of each in a repeat, where a group has at least
/// `kLeastAcross` of them and no row has more than `kMostAcross` blocks (a stride and a number of
/// repeats are bytes). Else one row after the other, a repeat of it at a time.
inline constexpr int64_t kRowsAcross = kRepeatBytes / kBlockBytes, kLeastAcross = 4,
                         kMostAcross = 255;

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
inline RowCalls rowCalls(TypeRow types, int64_t count, int64_t rows) {
  if (rows <= 0 || count <= 0)
    return {0, 0, 1};
  const int64_t lanes = kBlockBytes / int64_t(elementSize(types.source)), length = count / rows;
  if (length > kMostAcross * lanes)
    return {length, 0, rows};
  const int64_t rest = rows % kRowsAcross;
  const bool whole = rest >= kLeastAcross;
  return {length, rows / kRowsAcross + whole, whole ? 0 : rest};
}

/// Cycles as Target::vectorCost has them, without the rounding of each call. The scalar unit's loop
/// over groups takes less than the vector unit's start and is left out.
inline double rowsCost(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count,
                       int64_t rows) {
  const RowCalls calls = rowCalls(types, count, rows);
  return double(calls.across) *
             target.vectorCost(intrinsic, types, calls.across ? kRowsAcross * calls.length : 0) +
         double(calls.along) * target.vectorCost(intrinsic, types, calls.length);
}

/// The same in whole cycles of each call, as the simulator charges them.
inline int64_t rowsCycles(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count,
                          int64_t rows) {
  const RowCalls calls = rowCalls(types, count, rows);
  // Neither factor is near the limits of 64 bits in a tile of UB; counts of unproved programs are.
  // Two such products add up.
  auto times = [](int64_t calls, int64_t cycles) {
    constexpr int64_t most = INT64_MAX / 4;
    int64_t product;
    return __builtin_mul_overflow(calls, cycles, &product) || product > most ? most : product;
  };
  return times(calls.across, target.vectorCycles(intrinsic, types,
                                                 calls.across ? kRowsAcross * calls.length : 0)) +
         times(calls.along, target.vectorCycles(intrinsic, types, calls.length));
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ROWFORM_H
