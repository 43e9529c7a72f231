// Tests whether a claim depends on assumed cost figures: evaluates it again with each assumed figure at half and at
// double its value, one at a time.
//
// Statements such as "bound by mte2", "compute bound" or "this schedule is faster" come from a cost model with
// unpublished constants. A tool states a claim that holds for all these variants; otherwise it names the figures that
// the claim depends on.

#ifndef OPC_RUNTIME_TARGET_SENSITIVITY_H
#define OPC_RUNTIME_TARGET_SENSITIVITY_H

#include "runtime/target/Target.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A variant of a chip that differs in one assumed figure of the cost model.
struct ChangedTarget {
  std::string_view figure;
  double factor; ///< 0.5 or 2
  Target target;
};

/// The variants with half and double of every assumed figure of the cost model, in the order of the table.
std::vector<ChangedTarget> changedTargets(const Target &target);

/// The assumed figures that a claim depends on: at half or at double the value of each, `claim` returns false. Empty
/// when the claim holds for all variants. The caller must know that the claim holds for `target` itself.
std::vector<std::string_view> decidingFigures(const Target &target, const std::function<bool(const Target &)> &claim);

/// "depends on assumed vector_exp_cycles, load_rate"; empty for no figures.
std::string dependsText(const std::vector<std::string_view> &figures);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_SENSITIVITY_H
