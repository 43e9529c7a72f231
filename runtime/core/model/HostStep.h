// A step of a plan that a function of the runtime computes, on one thread of the host.

#ifndef OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H
#define OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/program/model/ModelPlan.h"

#include <memory>
#include <vector>

namespace opc {

/// NonMaxSuppression of one shape. Of each class of each batch the boxes with a score above the threshold are taken by
/// their score, the larger first, of equal ones the first; one whose overlap with a box that was kept (its intersection
/// over its union) is above the threshold is dropped. A box without an area overlaps nothing; a score that is NaN is
/// below every threshold, and the last without one.
class HostStep {
public:
  /// Of a step of a checked plan. Null when no memory holds what it computes with.
  static std::unique_ptr<HostStep> create(const PlanStep &step, const std::vector<PlanValue> &values);

  /// Operands, then results; null for operands that are left out. Allocates nothing.
  void run(void *const *tensors);

private:
  struct Candidate {
    float score;
    int64_t place;
  };
  struct Box {
    float low[2], high[2];
  };
  Box boxAt(const float *box) const;
  int64_t keepOfClass(const float *boxes, const float *scores, int64_t most, float overlap, const float *least,
                      int64_t batch, int64_t ofClass, int64_t *rows);

  int64_t batches = 0, classes = 0, places = 0, room = 0; ///< `room` in rows of the result
  size_t operands = 0;
  bool isCentred = false;
  Tensor memory; ///< a candidate for each place, and a box for each that may be kept
  Candidate *candidates = nullptr;
  Box *kept = nullptr;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H
