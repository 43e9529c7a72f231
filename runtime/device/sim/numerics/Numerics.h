// What vector intrinsics compute: one function for each intrinsic and row of types, over plain memory.
//
// The functions of an op family stand in one file, and each family file is compiled once for every architecture level
// of the host, into a namespace of the level's name. All levels give the same bits; they differ in speed alone. Which
// semantics they implement, and which of it is assumed, says Semantics.h.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_NUMERICS_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_NUMERICS_H

#include "runtime/target/Intrinsics.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opc::sim {

/// Operands of one vector instruction. Pointers are aligned to their elements; bounds were checked before.
struct VectorCall {
  void *destination = nullptr;
  const void *sources[kMaxSources] = {}; ///< in the order of the program format
  int64_t lengths[kMaxSources] = {};     ///< elements of each source; read by merges alone
  int64_t count = 0;                     ///< elements of the destination, or of the source (countsSource)
  uint64_t scalar = 0;                   ///< register bits: an f32 in the low half for float types, else an integer
  RoundingMode rounding = RoundingMode::None;
  CompareMode compare = CompareMode::Lt;
  GatherPattern pattern = GatherPattern::All;
  bool fused = false; ///< the product of a multiply-add is not rounded
};

using VectorFunction = void (*)(const VectorCall &call);

struct VectorEntry {
  Intrinsic intrinsic;
  ElementType source;
  ElementType destination;
  VectorFunction function;
};

/// Levels of the host's architecture, worst first.
enum class HostLevel : uint8_t { Plain, V3, V4 };
inline constexpr unsigned kNumHostLevels = 3;
std::string_view hostLevelName(HostLevel level);
/// Whether functions of a level are built in and this machine can run them. Plain is always there.
bool hostSupports(HostLevel level);
HostLevel bestHostLevel();

/// What the intrinsic computes where 16-bit floats that grow too large become the largest finite number
/// (OpenChoice::Overflow); nullptr for intrinsics without that choice.
VectorFunction findSaturatingFunction(Intrinsic intrinsic, TypeRow types);

/// nullptr when the intrinsic has no such row. Fill has no source: its row repeats the destination.
VectorFunction findVectorFunction(Intrinsic intrinsic, TypeRow types, HostLevel level);

/// Adds `count` elements of `source` to those of `destination`, as a store with atomic add does; the type must be one
/// of int16, float16, int32, float32.
VectorFunction findAtomicAdd(ElementType type);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_NUMERICS_H
