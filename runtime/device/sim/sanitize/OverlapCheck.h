// Do two instructions touch the same bytes at the same time, one of them writing?
//
// An instruction is under way from its start to its completion, which on most pipes comes after the next instruction
// of the same pipe has started. Flags and barriers wait for completion, so instructions that they order never meet
// here; two that do meet have nothing between them, and what they leave depends on the machine's mood. Rule sim_c22.
//
// This sees the races of one timing. The proof over all timings is the verifier's, by vector clocks.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_OVERLAPCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_OVERLAPCHECK_H

#include "runtime/device/sim/launch/Launch.h"

#include <array>
#include <deque>

namespace opc::sim {

/// Whether two accesses to one memory have a byte in common, row by row.
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
