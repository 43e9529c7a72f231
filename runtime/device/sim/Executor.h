// What an instruction does to memory: copies between GM and UB, vector work through the numerics, scalar
// reads and writes.

#ifndef OPC_RUNTIME_DEVICE_SIM_EXECUTOR_H
#define OPC_RUNTIME_DEVICE_SIM_EXECUTOR_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/numerics/Numerics.h"

#include <memory>

namespace opc::sim {

class Executor {
public:
  explicit Executor(const Launch &launch);

  /// Whether there is memory, and a function for every instruction of the program; an error otherwise.
  bool ready() const;
  /// The same for instructions that the program got since: no errors are told.
  bool takeInstructions();
  /// The unified buffer, 64-byte aligned.
  uint8_t *ub() { return memory.get(); }
  /// Fills UB with a pattern that is NaN in every float type and no small integer.
  void poison();
  /// The effect of a copy, a vector instruction or a scalar write that the checks let pass.
  void perform(const SimInstruction &op);
  /// The element a scalar read names: floats as the bits of an f32, integers with their sign.
  uint64_t read(const SimInstruction &op) const;

private:
  struct Free {
    void operator()(uint8_t *pointer) const;
  };
  void load(const SimInstruction &op);
  void store(const SimInstruction &op);
  void vector(const SimInstruction &op);
  void scalarWrite(const SimInstruction &op);
  uint8_t *global(const SimAccess &access) const {
    return static_cast<uint8_t *>(launch.tensors[access.operand->tensor].data) + access.address;
  }

  const Launch &launch;
  std::unique_ptr<uint8_t, Free> memory;
  std::vector<VectorFunction> functions; ///< one for each instruction, null for others than vector ones
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_EXECUTOR_H
