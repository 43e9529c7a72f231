// Selects the checks of a launch.

#include "runtime/device/sim/sanitize/Checks.h"

#include "runtime/device/sim/sanitize/ContentCheck.h"
#include "runtime/device/sim/sanitize/MemoryCheck.h"
#include "runtime/device/sim/sanitize/OrderCheck.h"
#include "runtime/device/sim/sanitize/OutputCheck.h"
#include "runtime/device/sim/sanitize/OverlapCheck.h"
#include "runtime/device/sim/sanitize/UndefinedCheck.h"

#include <algorithm>

namespace opc::sim {

Checks::Checks(const Launch &launch, const uint8_t *ub) {
  const std::optional<Sanitize> &chosen = launch.options.sanitize;
  owned.push_back(std::make_unique<MemoryCheck>(launch, ub));
  if (!chosen && launch.options.order == SimOrder::Time)
    owned.push_back(std::make_unique<OverlapCheck>(launch));
  if (chosen && (chosen->race || chosen->sync))
    owned.push_back(std::make_unique<OrderCheck>(launch, chosen->race, chosen->sync));
  const bool recorded = launch.options.recorded;
  if ((!chosen || chosen->init) && recorded)
    owned.push_back(std::make_unique<UndefinedCheck>(launch, ub));
  if (recorded ? chosen && chosen->init : !chosen || chosen->init)
    owned.push_back(std::make_unique<ContentCheck>(launch, ub, chosen.has_value()));
  if (chosen && chosen->init)
    owned.push_back(std::make_unique<OutputCheck>(launch));
  checkFlags = !chosen || chosen->sync;
  for (const std::unique_ptr<SimObserver> &check : owned)
    observers.push_back(check.get());
  observers.insert(observers.end(), launch.options.observers.begin(), launch.options.observers.end());
}

template <typename Call> static bool all(const std::vector<SimObserver *> &observers, Call call) {
  return std::all_of(observers.begin(), observers.end(), call);
}

bool Checks::blockStarts(int64_t block, int64_t cycle) {
  return all(observers, [&](SimObserver *check) { return check->blockStarts(block, cycle); });
}

bool Checks::issued(const SimInstruction &op) {
  return all(observers, [&](SimObserver *check) { return check->issued(op); });
}

bool Checks::starts(const SimInstruction &op) {
  return all(observers, [&](SimObserver *check) { return check->starts(op); });
}

bool Checks::performs(const SimInstruction &op) {
  return all(observers, [&](SimObserver *check) { return check->performs(op); });
}

bool Checks::blockEnds(int64_t block, int64_t cycle) {
  return all(observers, [&](SimObserver *check) { return check->blockEnds(block, cycle); });
}

bool Checks::launchEnds() {
  return all(observers, [](SimObserver *check) { return check->launchEnds(); });
}

} // namespace opc::sim
