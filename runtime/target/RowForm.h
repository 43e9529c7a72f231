// Arithmetic on rows with a block of 32 bytes each, as strided calls: how rows are grouped, and
// what that costs. Kernels of Ascend C follow the same rule (lowering/emit/ascendc/Helpers.cpp).

#ifndef OPC_RUNTIME_TARGET_ROWFORM_H
#define OPC_RUNTIME_TARGET_ROWFORM_H

#include "runtime/target/Target.h"

#include <algorithm>

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

/// Cycles for `count` elements of `rows` rows; of none, those of an instruction on nothing. The
/// scalar unit's loop over groups takes less than the vector unit's start and is left out.
inline int64_t rowsCycles(const Target &target, Intrinsic intrinsic, TypeRow types, int64_t count,
                          int64_t rows) {
  const int64_t lanes = kBlockBytes / int64_t(elementSize(types.source));
  if (rows <= 0 || count <= 0)
    return target.vectorCycles(intrinsic, types, 0);
  const int64_t length = count / rows;
  const int64_t along = target.vectorCycles(intrinsic, types, length);
  // Neither factor is near the limits of 64 bits: a tile lies in UB, and lengths were checked.
  auto times = [](int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX / 4 : product;
  };
  if (length > kMostAcross * lanes)
    return times(rows, along);
  const int64_t across = target.vectorCycles(intrinsic, types, kRowsAcross * length);
  const int64_t rest = rows % kRowsAcross;
  return times(rows / kRowsAcross, across) + (rest >= kLeastAcross ? across : rest * along);
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ROWFORM_H
