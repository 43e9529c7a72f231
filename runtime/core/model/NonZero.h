// NonZero as a step of a plan.

#ifndef OPC_RUNTIME_CORE_MODEL_NONZERO_H
#define OPC_RUNTIME_CORE_MODEL_NONZERO_H

#include "runtime/core/model/HostStep.h"

#include <vector>

namespace opc {

/// The indices of the elements that are not 0, in the order of memory. Both zeros of floating point are 0, NaN is not.
class NonZero : public HostStep {
public:
  NonZero(const PlanStep &step, const std::vector<PlanValue> &values);
  void run(void *const *tensors) override;

private:
  template <typename T, typename IsZero> int64_t find(const void *data, IsZero isZero, int64_t *rows);

  ElementType type;
  std::vector<int64_t> shape;
  std::vector<int64_t> place; ///< of the current element
  int64_t elements = 1, room; ///< `room` in rows of the result
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_NONZERO_H
