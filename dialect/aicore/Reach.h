// How far into the computation of a tile its DMA buffers are in use: with one slot a load waits for
// the last intrinsic that touches the tile before, and the first one that touches a result waits
// for the store of the tile before.
//
//   v          | cast x | ........................... | cast y |
//   x's bytes  |--------|                                          loads: a small part
//   y's bytes                                         |--------|   stores: a small part

#ifndef OPC_DIALECT_AICORE_REACH_H
#define OPC_DIALECT_AICORE_REACH_H

#include "llvm/ADT/StringRef.h"

namespace opc::aicore {

/// On an instance, beside its needs under each schedule: `loads` and `stores` of each in
/// thousandths of the tile's computation (array of i64, two for each).
inline constexpr llvm::StringLiteral kReachAttr = "aicore.reach";

struct Reach {
  double loads = 1;  ///< share of the computation up to the last use of what was loaded
  double stores = 1; ///< share from the first use of what is stored
};

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_REACH_H
