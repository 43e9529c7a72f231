// How the items of a planning problem stand to each other, by item, for the algorithms.

#ifndef OPC_LOWERING_AICORE_PLAN_RELATIONS_H
#define OPC_LOWERING_AICORE_PLAN_RELATIONS_H

#include "lowering/aicore/plan/Problem.h"

namespace opc::aicore {

struct PlanRelations {
  explicit PlanRelations(const PlanProblem &problem);

  /// By item: those that it lies apart from whatever happens.
  std::vector<std::vector<unsigned>> apart;
  /// By item: those that it lies apart from or begins with.
  std::vector<std::vector<unsigned>> partners;
  /// Sets of items that live at one time, in the order of time.
  std::vector<std::vector<unsigned>> crowds;
};

/// The least multiple of `alignment` that is not below `bytes`.
inline int64_t alignUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_RELATIONS_H
