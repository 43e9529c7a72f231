// Resolves an instruction with the registers at its issue: counts, flag id, and every access to memory.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/target/RowForm.h"

namespace opc::sim {

/// The type row of a vector instruction, for the target and the numerics.
TypeRow typeRowOf(const PipeInstruction &instruction);

/// Whether the instruction has the form for rows: its second source is a block of 32 bytes for each row, with its
/// own length.
inline bool takesRows(const PipeInstruction &instruction) {
  return instruction.sources[1].length != kNoRegister && mayTakeRows(instruction.intrinsic);
}
/// Whether the instruction reduces each row of a tile. Its source and its destination have separate lengths.
inline bool reducesRows(const PipeInstruction &instruction) {
  return instruction.kind == PipeInstruction::Vector && instruction.rows != kNoRegister &&
         intrinsicInfo(instruction.intrinsic).form == IntrinsicForm::Reduce;
}
/// The rows of an instruction that reduces rows, after its accesses are known.
inline ReducedRows reducedRowsOf(const SimInstruction &op) {
  const ElementType type = op.instruction->sources[0].type;
  return {type, op.rows, op.count, op.accesses[1].stride / int64_t(elementSize(type))};
}
/// Whether a compare processes only some lanes of a vector.
inline bool comparesPart(const PipeInstruction &instruction) {
  return instruction.sources[0].length != kNoRegister && writesMask(intrinsicInfo(instruction.intrinsic).form);
}

/// The number of lanes that a compare processes: `count` rounded up to whole vector registers.
int64_t wholeVectors(const Target &target, const PipeInstruction &instruction, int64_t count);

/// Sets everything except block, sequence and times. A size that overflows becomes INT64_MAX, which every
/// check refuses.
void capture(const Launch &launch, uint32_t index, const int64_t *registers, SimInstruction &result);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_CAPTURE_H
