#include "tools/opc/compile/AppliedText.h"

#include "ops/contract/write/WriteSchedule.h"

namespace opc::tool {

std::string appliedText(const ScheduleRefusal &refusal, const std::string &file) {
  const ScheduleFix &fix = refusal.fixes.front();
  size_t count = refusal.fixes.size();
  std::string text =
      "'" + refusal.kernel + "' did not fit UB: applied " + knobsText(fix.entry) + " in '" + printablePath(file) +
      "', " + (count == 1 ? std::string("the only change") : "the cheapest of " + std::to_string(count) + " changes") +
      " that would fit, about " + std::to_string(fix.cycles) + " cycles for 2^20 elements by the cost model";
  if (!refusal.dependsOn.empty()) {
    std::string names;
    for (const std::string &figure : refusal.dependsOn)
      names += (names.empty() ? "" : ", ") + figure;
    text += "; that it is the cheapest depends on assumed " + names;
  }
  if (changesResults(fix))
    text += "; it changes results: 'opc test' says whether the contract's tolerance still holds";
  return text;
}

} // namespace opc::tool
