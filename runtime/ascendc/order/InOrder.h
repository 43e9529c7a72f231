// Performs a program while it is being recorded, in the order of issue, so that the kernel can read elements.

#ifndef OPC_RUNTIME_ASCENDC_ORDER_INORDER_H
#define OPC_RUNTIME_ASCENDC_ORDER_INORDER_H

#include "runtime/device/sim/Executor.h"
#include "runtime/device/sim/sanitize/MemoryCheck.h"

#include <optional>

namespace opc::ascendc {

class InOrder {
public:
  InOrder(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors);

  /// Performs everything recorded so far, block after block; false at an access out of bounds, where the program
  /// cannot continue.
  bool catchUp();
  /// The result of the last read.
  uint64_t value() const { return lastRead; }
  /// The register bits of an element; nullopt when it is out of bounds.
  std::optional<uint64_t> element(const ProgramOperand &operand, int64_t address);
  /// The unified buffer.
  const uint8_t *ub() { return executor.ub(); }

private:
  const SimulatorProgram &program;
  SimOptions options;
  std::vector<int64_t> tiling;
  Diagnostics unheard; ///< discarded: the simulator reports the same errors
  sim::Launch launch;
  sim::Executor executor;
  sim::MemoryCheck check;
  std::vector<int64_t> registers;
  size_t pc = 0;
  uint64_t lastRead = 0;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_ORDER_INORDER_H
