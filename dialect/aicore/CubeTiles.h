// The tile of a matrix product that a schedule says: `rows` of the result, and as many columns as make up `tile`.

#ifndef OPC_DIALECT_AICORE_CUBETILES_H
#define OPC_DIALECT_AICORE_CUBETILES_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// Sizes in elements, all multiples of a fractal.
struct CubeTile {
  int64_t rows = 0, width = 0; ///< of the result
  int64_t depth = 0;           ///< of k, that is multiplied at once

  /// The tile of a schedule. k is as deep as operands of `bytes` an element fit L0A and L0B twice, which has the fewest
  /// steps and the longest rows of copies; at most 512.
  static CubeTile of(ScheduleAttr schedule, int64_t bytes, const Target &target) {
    CubeTile tile{schedule.getRows(), schedule.getTile() / schedule.getRows(), kFractalRows};
    auto fits = [&](int64_t depth) {
      return 2 * tile.rows * depth * bytes <= target.memoryBytes(Memory::L0A) &&
             2 * tile.width * depth * bytes <= target.memoryBytes(Memory::L0B);
    };
    while (tile.depth < 512 && fits(2 * tile.depth))
      tile.depth *= 2;
    return tile;
  }
  /// Whether L0C has two of them.
  bool fitsTwice(const Target &target) const {
    return 2 * rows * width * int64_t(sizeof(float)) <= target.memoryBytes(Memory::L0C);
  }
};

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_CUBETILES_H
