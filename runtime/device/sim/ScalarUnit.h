// The scalar unit: registers, program counter and interpreter of the bytecode.

#ifndef OPC_RUNTIME_DEVICE_SIM_SCALARUNIT_H
#define OPC_RUNTIME_DEVICE_SIM_SCALARUNIT_H

#include "runtime/device/sim/launch/Launch.h"

namespace opc::sim {

class ScalarUnit {
public:
  ScalarUnit(const Launch &launch) : launch(launch), registers(launch.program.numRegisters) {}

  /// Why `run` returned.
  enum class Stop : uint8_t {
    Time,  ///< the clock is past the bound
    Issue, ///< it issues pipe instruction `issued()`
    Read,  ///< it needs the value of scalar read `issued()`
    Work,  ///< it performs `worked()`
    Halt,
    Error,
  };

  void start(int64_t block, int64_t cycle);
  /// Runs until the clock is past `bound` or for another reason of Stop.
  Stop run(int64_t bound);
  /// Continues after Stop::Issue.
  void didIssue(int64_t cycles);
  /// Continues after Stop::Read.
  void didRead(uint64_t value, int64_t cycles);
  /// Continues after Stop::Work.
  void didWork(int64_t cycles);
  /// Accounts for an instruction that the unit issued to itself.
  void work(int64_t cycles) {
    clock += cycles;
    busy += cycles;
  }
  /// Stalls the unit until a cycle.
  void waitUntil(int64_t cycle) { clock = clock < cycle ? cycle : clock; }

  int64_t now() const { return clock; }
  uint32_t issued() const { return uint32_t(launch.program.code[pc].imm); }
  const ScalarInstruction &worked() const { return launch.program.code[pc]; }
  const int64_t *values() const { return registers.data(); }
  /// All instructions of the unit, of ScalarOp::Work too.
  int64_t steps() const { return stepCount + workCount; }
  int64_t busyCycles() const { return busy; }
  /// The location of the next pipe instruction in the code: the location of errors in scalar code.
  Location nextLocation() const;

private:
  Stop fail(EvalStatus status);

  const Launch &launch;
  std::vector<int64_t> registers;
  size_t pc = 0;
  int64_t clock = 0;
  int64_t busy = 0;
  int64_t block = 0;
  int64_t stepCount = 0; ///< instructions that the limit counts: those of the program
  int64_t workCount = 0;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SCALARUNIT_H
