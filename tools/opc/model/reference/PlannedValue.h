// Values of a model's plan beside those of a reference. A plan has memory for the most rows that data may give a value;
// a reference has the rows that there are.

#ifndef OPC_TOOLS_OPC_MODEL_REFERENCE_PLANNEDVALUE_H
#define OPC_TOOLS_OPC_MODEL_REFERENCE_PLANNEDVALUE_H

#include "runtime/program/model/ModelPlan.h"
#include "tools/opc/model/reference/ValueDifference.h"

namespace opc::tool {

/// As compareValue; in a plan whose data count rows, only the rows that the reference has.
ValueDifference comparePlanned(const ModelPlan &plan, const PlanValue &value, const void *data, const Tensor &reference,
                               double ofReference);

/// Writes the reference's elements to their places in `data`, the memory of a value that comparePlanned took.
void putReference(const ModelPlan &plan, const PlanValue &value, const Tensor &reference, void *data);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_PLANNEDVALUE_H
