// OutputCheck.

#include "runtime/device/sim/sanitize/OutputCheck.h"

#include <algorithm>

namespace opc::sim {

bool OutputCheck::performs(const SimInstruction &op) {
  const PipeInstruction::Kind kind = op.instruction->kind;
  if (kind != PipeInstruction::Store && kind != PipeInstruction::ScalarWrite && kind != PipeInstruction::Fixpipe)
    return true;
  const SimAccess &access = op.accesses[0];
  if (access.operand->space != ProgramOperand::GM)
    return true;
  Output &output = outputs[access.operand->tensor];
  output.store = op.instruction;
  if (access.rowBytes <= 0 || access.rows <= 0)
    return true;
  if (access.rows == 1 || access.stride == access.rowBytes) {
    output.stored.assign(access.address, access.end(), 1);
    return true;
  }
  for (int64_t row = 0; row < access.rows; ++row) {
    const int64_t begin = access.address + row * access.stride;
    output.stored.assign(begin, begin + access.rowBytes, 1);
  }
  return true;
}

bool OutputCheck::launchEnds() {
  bool clean = true;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output &output = outputs[i];
    const SimTensor &tensor = launch.tensors[i];
    if (!tensor.writable || tensor.inPlace)
      continue;
    int64_t stored = 0, first = 0;
    output.stored.forRanges(0, tensor.bytes, [&](int64_t begin, int64_t end, uint32_t) {
      end = std::min(end, tensor.bytes); // a recorded kernel may store after it
      stored += end - begin;
      first = begin == first ? end : first;
    });
    if (stored == tensor.bytes)
      continue;
    const int64_t size = elementSize(tensor.type);
    clean = false;
    const std::string found = "expects every element of output '" + printable(tensor.name) +
                              "' to be stored, found none from element " + std::to_string(first / size) + " on, " +
                              std::to_string((tensor.bytes - stored) / size) + " of " +
                              std::to_string(tensor.bytes / size) + " in all";
    const PipeInstruction *store = output.store;
    if (!store)
      for (const PipeInstruction &instruction : launch.program.instructions)
        if (instruction.kind == PipeInstruction::Store && instruction.destination.tensor == i)
          store = &instruction;
    if (store)
      launch.error(Code::E0566, *store, found, "init_c1");
    else
      launch.diagnostics.error(Code::E0566, {}, "init (output never written): " + found, "init_c1");
  }
  return clean;
}

} // namespace opc::sim
