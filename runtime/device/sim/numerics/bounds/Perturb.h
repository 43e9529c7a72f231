// Perturbation of results by a few units in the last place.
//
// The error of the chip's div, rec, sqrt, rsqrt, exp and ln is not published (Semantics.h assumes the nearest
// number). A perturbed launch shows whether a result depends on this: each result of these functions moves by up to N
// units, determined by a hash of its bits and index, so that a run can be repeated.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_PERTURB_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_PERTURB_H

#include "runtime/target/Intrinsics.h"

#include <cstdint>

namespace opc::sim {

/// Whether the nearest number is an assumption for this intrinsic.
bool hasAssumedUlp(Intrinsic intrinsic);

/// Moves each of `count` f16 or f32 results by -units to units in the last place. Zeros, infinities and NaN do not
/// change; finite results keep their sign and stay finite. Other types are not changed.
void perturb(void *results, ElementType type, int64_t count, unsigned units, uint64_t seed);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_PERTURB_H
