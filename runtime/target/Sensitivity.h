// Whether a claim stands on an assumption: it is asked again of chips whose assumed cost figures are half and
// double, one at a time.
//
// A tool that says "bound by mte2", "compute bound" or "this schedule is faster" has it from a model whose constants
// nobody published. What holds for all these chips can be said; else the tool names the figures that decide.

#ifndef OPC_RUNTIME_TARGET_SENSITIVITY_H
#define OPC_RUNTIME_TARGET_SENSITIVITY_H

#include "runtime/target/Target.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A chip that differs from another in one assumed figure of the cost model.
struct ChangedTarget {
  std::string_view figure;
  double factor; ///< 0.5 or 2
  Target target;
};

/// Half and double of every assumed figure of the cost model, in the order of the table.
std::vector<ChangedTarget> changedTargets(const Target &target);

/// The assumed figures that decide a claim: at half or at double of them it does not hold. Empty: it can be said.
/// `claim` is asked of one changed chip at a time; that it holds for `target` itself is the caller's to know.
std::vector<std::string_view> decidingFigures(const Target &target, const std::function<bool(const Target &)> &claim);

/// "depends on assumed vector_exp_cycles, load_rate"; empty for no figures.
std::string dependsText(const std::vector<std::string_view> &figures);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_SENSITIVITY_H
