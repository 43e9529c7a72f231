// What the planner's live ranges say of kernels: tables of those that fit, and messages for those that do not.

#ifndef OPC_LOWERING_PIPELINES_STORYBOARD_H
#define OPC_LOWERING_PIPELINES_STORYBOARD_H

#include "lowering/pipelines/UbTable.h"
#include "lowering/schedule/Explanation.h"
#include "runtime/target/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc {

/// A table for each planned kernel of the module, in order.
std::vector<UbTable> ubTables(mlir::ModuleOp module, const Target &target);

/// An error for each place at which kernels are refused: who takes UB, at the lines of the body, and what would
/// fit. `module` has the refused instances with the schedules that were asked for; `body` is the place of
/// messages that have none.
void tellRefusals(mlir::ModuleOp module, const std::vector<ScheduleRefusal> &refused, const Target &target,
                  const Location &body, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_STORYBOARD_H
