// NonMaxSuppression as a step of a plan.

#ifndef OPC_RUNTIME_CORE_MODEL_NONMAXSUPPRESSION_H
#define OPC_RUNTIME_CORE_MODEL_NONMAXSUPPRESSION_H

#include "runtime/core/model/HostStep.h"
#include "runtime/core/tensor/Tensor.h"

namespace opc {

/// NonMaxSuppression of one shape. For each class of each batch, it visits the boxes with a score above the threshold
/// in descending order of the score, equal scores in the order of the boxes; it drops a box whose overlap (intersection
/// over union) with a kept box exceeds the threshold. A box without an area overlaps nothing; a NaN score is below
/// every threshold, and comes last if there is none.
class NonMaxSuppression : public HostStep {
public:
  static std::unique_ptr<HostStep> create(const PlanStep &step, const std::vector<PlanValue> &values);
  void run(void *const *tensors) override;

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
  Tensor memory; ///< a candidate for each box, and memory for each box that may be kept
  Candidate *candidates = nullptr;
  Box *kept = nullptr;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_NONMAXSUPPRESSION_H
