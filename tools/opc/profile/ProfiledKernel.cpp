// One run with a profiler, and runs with each assumed figure at half and at double of its value.
//
// A run with a changed figure computes the same values in a different time.

#include "tools/opc/profile/ProfiledKernel.h"

#include "runtime/target/Sensitivity.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace opc::tool {

/// Whether a changed figure can change the cost of this launch; otherwise it is not run again.
static bool matters(const ChangedTarget &changed, const Target &target, const WorkTally &work) {
  return work.cost(changed.target) != work.cost(target) || changed.target.flagCycles() != target.flagCycles() ||
         changed.target.barrierCycles(Pipe::MTE2) != target.barrierCycles(Pipe::MTE2);
}

static bool measureEffects(ProfiledKernel &kernel, const SimResult &result, Profile &profile,
                           Diagnostics &diagnostics) {
  const Target &target = *kernel.launch().target;
  SimOptions bare;
  bare.sanitize = Sanitize{}; // only bounds: the first run had all checks
  bare.l2 = kernel.launch().memory.l2;
  std::array<int64_t, 2> ofBoards{};
  const BoardRates boards = boardRates(target);
  for (auto [rate, cycles] : {std::pair(boards.low, &ofBoards[0]), {boards.high, &ofBoards[1]}}) {
    SimResult other;
    if (!kernel.simulate(withRate(target, toBytesPerCycle(target, rate)), bare, other, diagnostics))
      return false;
    *cycles = other.cycles;
  }
  profile.memory.cyclesOfBoards = {ofBoards[0], ofBoards[1]};
  for (const ChangedTarget &changed : changedTargets(target)) {
    if (!matters(changed, target, result.work))
      continue;
    SimResult other;
    if (!kernel.simulate(changed.target, bare, other, diagnostics))
      return false;
    if (profile.effects.empty() || profile.effects.back().name != changed.figure) {
      const auto &figures = target.figures();
      const auto figure =
          std::find_if(figures.begin(), figures.end(), [&](const Figure &each) { return each.name == changed.figure; });
      profile.effects.push_back(
          {figure->name, figure->unit, figure->source, figure->value, profile.cycles, profile.cycles});
    }
    FigureEffect &effect = profile.effects.back();
    (changed.factor < 1 ? effect.halfCycles : effect.doubleCycles) = other.cycles;
  }
  auto &effects = profile.effects;
  auto size = [&](const FigureEffect &effect) {
    return std::max(std::abs(effect.halfCycles - profile.cycles), std::abs(effect.doubleCycles - profile.cycles));
  };
  effects.erase(
      std::remove_if(effects.begin(), effects.end(), [&](const FigureEffect &effect) { return size(effect) == 0; }),
      effects.end());
  std::sort(effects.begin(), effects.end(), [&](const FigureEffect &a, const FigureEffect &b) {
    const int64_t sizes[] = {size(a), size(b)};
    return std::tie(sizes[1], a.name) < std::tie(sizes[0], b.name);
  });
  return true;
}

std::optional<Profile> profileKernel(ProfiledKernel &kernel, Profiler &profiler, bool effects, std::string *trace,
                                     Diagnostics &diagnostics) {
  SimOptions options;
  options.observers = {&profiler};
  options.traceText = trace;
  options.l2 = kernel.launch().memory.l2;
  SimResult result;
  if (!kernel.simulate(*kernel.launch().target, options, result, diagnostics))
    return std::nullopt;
  Profile profile = makeProfile(kernel.launch(), result, profiler);
  if (effects && !measureEffects(kernel, result, profile, diagnostics))
    return std::nullopt;
  return profile;
}

} // namespace opc::tool
