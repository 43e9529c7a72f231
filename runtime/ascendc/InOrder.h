// Performs a program that is still being recorded, in the order of its issue: what a kernel reads while it runs.

#ifndef OPC_RUNTIME_ASCENDC_INORDER_H
#define OPC_RUNTIME_ASCENDC_INORDER_H

#include "runtime/device/sim/Executor.h"
#include "runtime/device/sim/sanitize/MemoryCheck.h"

#include <optional>

namespace opc::ascendc {

class InOrder {
public:
  InOrder(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors);

  /// Performs all there is, block after block; false at an access that no memory has: the program cannot go on.
  bool catchUp();
  /// What the last read gave.
  uint64_t value() const { return lastRead; }
  /// The register bits of an element; nothing where no memory has it.
  std::optional<uint64_t> element(const ProgramOperand &operand, int64_t address);
  /// The unified buffer.
  const uint8_t *ub() { return executor.ub(); }

private:
  const SimulatorProgram &program;
  SimOptions options;
  std::vector<int64_t> tiling;
  Diagnostics unheard; ///< the simulator tells the same
  sim::Launch launch;
  sim::Executor executor;
  sim::MemoryCheck check;
  std::vector<int64_t> registers;
  size_t pc = 0;
  uint64_t lastRead = 0;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_INORDER_H
