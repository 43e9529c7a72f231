// Relations between the items of a planning problem, by item, for the algorithms.

#ifndef OPC_LOWERING_AICORE_PLAN_RELATIONS_H
#define OPC_LOWERING_AICORE_PLAN_RELATIONS_H

#include "lowering/aicore/plan/Problem.h"

namespace opc::aicore {

struct PlanRelations {
  explicit PlanRelations(const PlanProblem &problem);

  /// By item: the items that it must not overlap.
  std::vector<std::vector<unsigned>> apart;
  /// By item: the coincident items, which it must not overlap unless it begins at the same address.
  std::vector<std::vector<unsigned>> partners;
  /// Maximal sets of items that live at one time, in the order of time.
  std::vector<std::vector<unsigned>> crowds;
};

/// `bytes` rounded up to a multiple of `alignment`.
inline int64_t alignUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_RELATIONS_H
