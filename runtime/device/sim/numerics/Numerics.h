// The numerics of vector intrinsics: one function for each intrinsic and type row, on plain memory.
//
// The functions of a family are in one file, and each family file is compiled once for every architecture level of
// the host, into a namespace with the level's name. All levels give the same bits and differ in speed only.
// Semantics.h describes their semantics and what of it is assumed.

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
  int64_t lengths[kMaxSources] = {};     ///< elements of each source; used by merges and by the form for rows
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

/// Levels of the host's architecture, lowest first.
enum class HostLevel : uint8_t { Plain, V3, V4 };
inline constexpr unsigned kNumHostLevels = 3;
std::string_view hostLevelName(HostLevel level);
/// Whether functions of a level are built in and this machine can run them. Always true for Plain.
bool hostSupports(HostLevel level);
HostLevel bestHostLevel();

/// The function of an intrinsic with 16-bit floats that overflow to the largest finite number (OpenChoice::Overflow);
/// null for intrinsics without that choice.
VectorFunction findSaturatingFunction(Intrinsic intrinsic, TypeRow types);

/// The function of an intrinsic; null when it has no such type row. Fill has no source: its row has the destination
/// type twice.
VectorFunction findVectorFunction(Intrinsic intrinsic, TypeRow types, HostLevel level);

/// The function that adds `count` elements of `source` to those of `destination`, for stores with atomic add. `type`
/// must be int16, float16, int32 or float32.
VectorFunction findAtomicAdd(ElementType type);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_NUMERICS_H
