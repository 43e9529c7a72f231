// Results of iterated units, moved by a few units in the last place.
//
// How far div, rec, sqrt, rsqrt, exp and ln of the chip lie from the exact value is not published (Semantics.h
// assumes the nearest number). A launch that is perturbed shows whether a result depends on that: each of their
// results moves by up to N units, by a hash of its bits and place, so that a run can be repeated.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_PERTURB_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_PERTURB_H

#include "runtime/target/Intrinsics.h"

#include <cstdint>

namespace opc::sim {

/// Whether what the intrinsic computes is assumed to be the nearest number.
bool hasAssumedUlp(Intrinsic intrinsic);

/// Moves each of `count` f16 or f32 results by -units to units in the last place. Zeros, infinities and NaN stay, and
/// no finite result leaves its sign or becomes infinite; other types stay as they are.
void perturb(void *results, ElementType type, int64_t count, unsigned units, uint64_t seed);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_PERTURB_H
