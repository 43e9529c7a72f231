#include "runtime/core/model/HostStep.h"

#include "runtime/core/model/NonMaxSuppression.h"
#include "runtime/core/model/NonZero.h"
#include "runtime/program/model/HostFunction.h"

namespace opc {

std::unique_ptr<HostStep> HostStep::create(const PlanStep &step, const std::vector<PlanValue> &values) {
  switch (static_cast<HostFunction>(step.kernel)) {
  case HostFunction::NonMaxSuppression:
    return NonMaxSuppression::create(step, values);
  case HostFunction::NonZero:
    return std::make_unique<NonZero>(step, values);
  }
  return nullptr;
}

} // namespace opc
