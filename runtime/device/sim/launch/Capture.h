// From an instruction and the registers at its issue to what it will do: counts, flag id, and every access to memory.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/target/RowForm.h"

namespace opc::sim {

/// The types by which the target and the numerics know a vector instruction.
TypeRow typeRowOf(const PipeInstruction &instruction);

/// Whether the second source is a block of 32 bytes for each row: then it has a length of its own.
inline bool takesRows(const PipeInstruction &instruction) {
  return instruction.sources[1].length != kNoRegister && mayTakeRows(instruction.intrinsic);
}

/// The lanes a compare works on: `count` and what is missing to whole vector registers.
int64_t wholeVectors(const Target &target, const PipeInstruction &instruction, int64_t count);

/// Fills everything but block, sequence and times. Sizes that overflow are INT64_MAX: no check lets them pass.
void capture(const Launch &launch, uint32_t index, const int64_t *registers, SimInstruction &result);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H
