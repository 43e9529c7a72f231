// racecheck: two accesses to a byte, one of them a write, must be ordered by flags or barriers. Rule race_c1.
//
// PipeClocks gives the happens-before order: a race is reported even if it did not change a result and the two
// accesses did not overlap in the times of this run. Each access is compared with the latest accesses to the same
// bytes (Shadow.h) by every pipe, including its own if that pipe does not complete in order.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H

#include "runtime/device/sim/sanitize/state/PipeClocks.h"
#include "runtime/device/sim/sanitize/state/Shadow.h"

namespace opc::sim {

class RaceCheck {
public:
  RaceCheck(const Launch &launch, const PipeClocks &clocks);

  /// Takes an instruction that its pipe starts; false after an error when it races.
  bool step(const SimInstruction &op);

private:
  /// Number of instructions of each pipe that are kept for reports.
  static constexpr size_t kRemembered = 256;

  bool compare(const SimInstruction &op, const SimAccess &access) const;
  bool compareRow(const SimInstruction &op, const SimAccess &access, const Shadow::Memory &memory,
                  const Shadow::Row &row) const;
  bool refuse(const SimInstruction &op, const SimAccess &access, const Shadow::Row &row, uint32_t place) const;
  void remember(const SimInstruction &op, uint32_t place);

  const Launch &launch;
  const PipeClocks &clocks;
  Shadow shadow;
  std::array<std::vector<SimInstruction>, kNumPipes> last; ///< indexed by place modulo kRemembered
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H
