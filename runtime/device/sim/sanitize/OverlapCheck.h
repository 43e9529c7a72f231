// Finds instructions that access the same bytes at the same time, one of them writing.
//
// An instruction is in flight from its start to its completion, which on most pipes is after the start of the next
// instruction of the same pipe. Flags and barriers wait for completion, so instructions that they order are never in
// flight together. Two that are have no order, and their result is undefined. Rule sim_c22.
//
// This check finds the races of one timing. RaceCheck and the compiler's verifier prove the absence of races in all
// timings by vector clocks.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_OVERLAPCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_OVERLAPCHECK_H

#include "runtime/device/sim/launch/Launch.h"

#include <array>
#include <deque>

namespace opc::sim {

/// Whether two accesses have a byte in common.
bool accessesMeet(const SimAccess &a, const SimAccess &b);

class OverlapCheck final : public SimObserver {
public:
  explicit OverlapCheck(const Launch &launch) : launch(launch) {}

  bool blockStarts(int64_t block, int64_t cycle) override;
  bool performs(const SimInstruction &op) override;

private:
  bool compare(const SimInstruction &op, const SimInstruction &underWay) const;
  bool refuse(const SimInstruction &before, const SimAccess &first, const SimInstruction &after,
              const SimAccess &second) const;

  const Launch &launch;
  std::array<std::deque<SimInstruction>, kNumPipes> underWay; ///< in the order of completion
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_OVERLAPCHECK_H
