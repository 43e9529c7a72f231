// The forms for rows, which are strided calls: arithmetic on rows that each have a block of 32 bytes as second operand,
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

/// How each row of a tile is reduced. A row is some repeats of 256 bytes, the last of which may be shorter.
enum class RowReduction : uint8_t {
  Alone,   ///< one call for each row
  Repeats, ///< call p reduces repeat p of row r to element p of a block of row r, and a last call reduces these blocks;
           ///< rows of one repeat need only one call
  Halves ///< calls on all rows combine repeats 2p and 2p + 1 lane by lane until a row is one repeat, which a last call
         ///< reduces: for adjacent rows of a power of two of whole repeats
};
/// The costs by which the ways are compared, in cycles: the start of a call, and the reduction of a repeat; combining a
/// repeat costs one cycle. Kernels contain these numbers in their text, so a calibration does not change them.
inline constexpr int64_t kStartCycles = 16, kReductionCycles = 2;
/// The largest number of repeats of one strided call: the number is encoded in a byte.
inline constexpr int64_t kMostRepeats = 255;

/// The reduction of repeats that gives parts of this reduction, and the operation that combines two parts.
inline Intrinsic ofRepeats(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::vreduce_max   ? Intrinsic::vreduce_repeat_max
         : intrinsic == Intrinsic::vreduce_min ? Intrinsic::vreduce_repeat_min
                                               : Intrinsic::vreduce_repeat_sum;
}
inline Intrinsic ofPairs(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::vreduce_max   ? Intrinsic::vmax
         : intrinsic == Intrinsic::vreduce_min ? Intrinsic::vmin
                                               : Intrinsic::vadd;
}

/// Rows of a tile: `columns` elements of each are reduced, and rows are `length` elements apart.
struct ReducedRows {
  ElementType type;
  int64_t rows, columns, length;

  int64_t lanes() const { return kRepeatBytes / int64_t(elementSize(type)); }
  /// The repeats of a row.
  int64_t repeats() const { return columns <= 0 ? 0 : (columns - 1) / lanes() + 1; }

  RowReduction way() const {
    const int64_t parts = repeats(), block = kBlockBytes / int64_t(elementSize(type));
    if (parts <= 1)
      return RowReduction::Repeats;
    const int64_t number = rows < kMostSize ? rows : kMostSize; // no tile has as many
    if (parts > kMostSize)
      return RowReduction::Alone;
    int64_t least = number * (kStartCycles + kReductionCycles * parts);
    RowReduction result = RowReduction::Alone;
    auto take = [&](RowReduction way, int64_t cycles) {
      if (cycles < least)
        result = way, least = cycles;
    };
    const int64_t last = kStartCycles + kReductionCycles * number;
    if (parts <= block)
      take(RowReduction::Repeats, (parts + 1) * last);
    if ((parts & (parts - 1)) == 0 && columns == length && columns == parts * lanes())
      take(RowReduction::Halves, __builtin_ctzll(uint64_t(parts)) * kStartCycles + (parts - 1) * number + last);
    return result;
  }

  /// The cost in cycles. `costOf` gives the cost of an intrinsic on some elements: Target::vectorCost, or vectorCycles,
  /// which rounds each call to whole cycles. One call on no elements if there are none.
  template <typename CostOf> auto cost(Intrinsic intrinsic, CostOf costOf) const {
    using Cost = decltype(costOf(intrinsic, rows));
    const int64_t number = rows < kMostSize ? rows : kMostSize, size = columns < kMostSize ? columns : kMostSize;
    if (number <= 0 || size <= 0)
      return costOf(intrinsic, int64_t(0));
    const RowReduction how = way();
    if (how == RowReduction::Alone)
      return Cost(number) * costOf(intrinsic, size);
    auto calls = [&](Intrinsic call, int64_t times) {
      const int64_t rest = times % kMostRepeats;
      return Cost(times / kMostRepeats) * costOf(call, kMostRepeats * lanes()) +
             (rest ? costOf(call, rest * lanes()) : Cost(0));
    };
    Cost cycles = calls(intrinsic, number);
    if (how == RowReduction::Repeats)
      return repeats() > 1 ? Cost(repeats() + 1) * cycles : cycles;
    for (int64_t parts = repeats() / 2; parts > 0; parts /= 2)
      cycles += calls(ofPairs(intrinsic), number * parts);
    return cycles;
  }

private:
  static constexpr int64_t kMostSize = int64_t(1) << 20;
};

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ROWFORM_H
