// memcheck: checks the bounds and the alignment of every access, and the sizes that the copy engine supports.
//
// Registers are captured at issue and do not change afterwards, so an access is checked then, before arithmetic on it
// could overflow; only the offsets of a gather or scatter are checked when it runs. Rules sim_c10 to sim_c19.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_MEMORYCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_MEMORYCHECK_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/sanitize/CubeLimits.h"

#include <set>

namespace opc::sim {

class MemoryCheck final : public SimObserver {
public:
  MemoryCheck(const Launch &launch, const uint8_t *ub) : launch(launch), ub(ub), limits(launch) {}

  bool issued(const SimInstruction &op) override;
  bool performs(const SimInstruction &op) override;

private:
  bool checkCount(const SimInstruction &op) const;
  bool checkWhole(const SimInstruction &op) const;
  bool checkReducedRows(const SimInstruction &op) const;
  bool checkCube(const SimInstruction &op) const;
  bool checkImage(const SimInstruction &op) const;
  bool checkScales(const SimInstruction &op) const;
  bool checkStride(const SimInstruction &op, const SimAccess &access) const;
  bool checkUnifiedBuffer(const SimInstruction &op, const SimAccess &access) const;
  bool checkGlobal(const SimInstruction &op, const SimAccess &access) const;
  bool checkOverlap(const SimInstruction &op) const;
  /// What is wrong with the place of an access on the chip.
  enum class Misplaced : uint8_t { Outside, Unaligned, OtherSlot };
  // Apart from the checks that each access passes, which have no room for texts on their stacks: a build with
  // sanitizers marks that room at each call.
  [[gnu::noinline]] bool refuseStride(const SimInstruction &op, const SimAccess &access) const;
  [[gnu::noinline]] bool refusePlace(const SimInstruction &op, const SimAccess &access, Misplaced how,
                                     int64_t alignment) const;
  bool refuse(Code code, const SimInstruction &op, std::string found, std::string rule, std::string fix = {}) const;

  bool checkEnd(const SimInstruction &op, const SimAccess &access) const;

  const Launch &launch;
  const uint8_t *ub;
  CubeLimits limits;
  mutable std::set<uint16_t> beyond; ///< locations of accesses after the end of a tensor, each reported once
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_MEMORYCHECK_H
