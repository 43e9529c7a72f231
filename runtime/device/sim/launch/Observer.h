// What a checker or a tracer sees of a launch: every instruction with its registers captured, its times
// and its accesses.
//
// The simulator's own checks of memory and order are built on this interface, and so is the trace. An observer may
// end the launch: it records an error in its Diagnostics and returns false.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H

#include "runtime/program/SimulatorProgram.h"

#include <cstdint>

namespace opc {

/// One memory operand with its registers' values: `rows` rows of `rowBytes` bytes, `stride` bytes apart.
struct SimAccess {
  const ProgramOperand *operand = nullptr;
  bool write = false;
  int64_t address = 0; ///< UB: byte address; GM: byte offset in tensor operand->tensor
  int64_t rowBytes = 0;
  int64_t rows = 1;
  int64_t stride = 0;

  /// One past the last byte of the last row; the address itself when there is nothing.
  int64_t end() const { return rows == 0 || rowBytes == 0 ? address : address + (rows - 1) * stride + rowBytes; }
};

/// An instruction in the queue of its pipe or performed by it. Times are cycles since the launch.
struct SimInstruction {
  const PipeInstruction *instruction = nullptr;
  uint32_t index = 0; ///< in the program's instructions
  int64_t block = 0;
  int64_t sequence = 0; ///< order of issue among all pipes of a launch, from 0
  int64_t count = 0;
  int64_t rows = 1;
  int64_t flagId = 0;
  uint64_t scalar = 0; ///< register bits
  uint64_t pad = 0;
  int64_t padBefore = 0; ///< loads: elements of padding before each row

  int64_t dispatched = 0; ///< the scalar unit handed it over
  int64_t start = 0;
  int64_t end = 0;      ///< the pipe may start its next instruction
  int64_t complete = 0; ///< its effects are there; after `end` on pipes that do not complete in order

  static constexpr unsigned kMaxAccesses = 6; // a select: 4; a merge: 5
  unsigned numAccesses = 0;
  SimAccess accesses[kMaxAccesses]; ///< destination, sources, scratch, as far as there are any
};

class SimObserver {
public:
  virtual ~SimObserver() = default;
  /// Unified buffer and flags are as new.
  virtual bool blockStarts(int64_t block, int64_t cycle) { return true; }
  /// The scalar unit hands an instruction to its pipe; times after `dispatched` are not known yet.
  virtual bool issued(const SimInstruction &instruction) { return true; }
  /// A pipe starts an instruction, a wait when its flag has been set. Calls come in the order of each pipe; between
  /// two pipes, a wait comes after its set.
  virtual bool starts(const SimInstruction &instruction) { return true; }
  /// A pipe performs an instruction; its effect on memory comes after this call. Calls come in the order of time; a
  /// wait comes when its flag has been set, though its pipe may have started to wait long before.
  virtual bool performs(const SimInstruction &instruction) { return true; }
  /// All pipes have run dry.
  virtual bool blockEnds(int64_t block, int64_t cycle) { return true; }
  /// All blocks have ended.
  virtual bool launchEnds() { return true; }
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H
