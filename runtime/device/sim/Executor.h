// Executes the effects of instructions on memory: copies between GM and UB, vector intrinsics (numerics/), scalar
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

  /// Whether memory was allocated and every instruction of the program has a function; reports an error otherwise.
  bool ready() const;
  /// Looks up functions for instructions that were added to the program since; false, without an error, when one
  /// has none.
  bool takeInstructions();
  /// On-chip memory, 64-byte aligned: the unified buffer, then the windows of the other memories (Memories.h).
  uint8_t *ub() { return memory.get(); }
  /// Fills on-chip memory with a pattern that is a NaN in every float type and not a small integer.
  void poison();
  /// Performs a copy, a vector instruction or a scalar write, which the checks must have accepted.
  void perform(const SimInstruction &op);
  /// The element of a scalar read: floats as the bits of an f32, integers sign-extended.
  uint64_t read(const SimInstruction &op) const;

private:
  struct Free {
    void operator()(uint8_t *pointer) const;
  };
  void load(const SimInstruction &op);
  void store(const SimInstruction &op);
  void vector(const SimInstruction &op);
  void reduceRows(const SimInstruction &op);
  void scalarWrite(const SimInstruction &op);
  // CubeExecutor.cpp
  void loadNz(const SimInstruction &op);
  void fill(const SimInstruction &op);
  void loadFractals(const SimInstruction &op);
  void loadIm2col(const SimInstruction &op);
  void loadBias(const SimInstruction &op);
  void mmad(const SimInstruction &op);
  void fixpipe(const SimInstruction &op);
  uint8_t *global(const SimAccess &access) const {
    return static_cast<uint8_t *>(launch.tensors[access.operand->tensor].data) + access.address;
  }

  const Launch &launch;
  std::unique_ptr<uint8_t, Free> memory;
  std::vector<VectorFunction> functions; ///< one for each instruction, null unless it is a vector instruction
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_EXECUTOR_H
