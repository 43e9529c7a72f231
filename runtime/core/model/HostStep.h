// A step of a plan that runs as a function of the runtime (HostFunction.h), on one thread of the host.

#ifndef OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H
#define OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H

#include "runtime/program/model/ModelPlan.h"

#include <memory>
#include <vector>

namespace opc {

class HostStep {
public:
  virtual ~HostStep() = default;

  /// Creates a step of a checked plan. Null if its memory cannot be allocated.
  static std::unique_ptr<HostStep> create(const PlanStep &step, const std::vector<PlanValue> &values);

  /// `tensors` has operands, then results; null for omitted operands. Allocates nothing. Rows beyond the number that it
  /// finds become 0, so that each run leaves the same bytes.
  virtual void run(void *const *tensors) = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_HOSTSTEP_H
