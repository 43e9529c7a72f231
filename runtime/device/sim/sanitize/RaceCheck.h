// racecheck: two accesses to one byte, one of them a write, must be ordered by flags or barriers. Rule race_c1.
//
// Order is PipeClocks's: a race is told whether or not it changed a number, and whether or not the two met in the
// time of this run. Each access is held against the latest touches of the same bytes (Shadow.h) by every pipe, its
// own too where that pipe does not complete in order.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H

#include "runtime/device/sim/sanitize/state/PipeClocks.h"
#include "runtime/device/sim/sanitize/state/Shadow.h"

namespace opc::sim {

class RaceCheck {
public:
  RaceCheck(const Launch &launch, const PipeClocks &clocks);

  /// An instruction that its pipe starts; false with an error when it races.
  bool step(const SimInstruction &op);

private:
  /// Instructions of a pipe that are remembered as a whole, for reports.
  static constexpr size_t kRemembered = 256;

  bool compare(const SimInstruction &op, const SimAccess &access) const;
  bool compareRow(const SimInstruction &op, const SimAccess &access, const Shadow::Memory &memory,
                  const Shadow::Row &row) const;
  bool refuse(const SimInstruction &op, const SimAccess &access, const Shadow::Row &row, uint32_t place) const;
  void remember(const SimInstruction &op, uint32_t place);

  const Launch &launch;
  const PipeClocks &clocks;
  Shadow shadow;
  std::array<std::vector<SimInstruction>, kNumPipes> last; ///< place modulo kRemembered
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_RACECHECK_H
