// Presents the planner's live ranges: tables for kernels that fit, and messages for those that do not.

#ifndef OPC_LOWERING_PIPELINES_STORYBOARD_H
#define OPC_LOWERING_PIPELINES_STORYBOARD_H

#include "lowering/pipelines/UbTable.h"
#include "lowering/schedule/Explanation.h"
#include "runtime/target/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc {

/// A table for each planned kernel in the module, in order.
std::vector<UbTable> ubTables(mlir::ModuleOp module, const Target &target);

/// Reports an error for each place at which kernels are refused: the buffers in UB, at the lines of the body, and
/// what would fit. `module` contains the refused instances with the requested schedules; `body` is the place of
/// messages without one.
void tellRefusals(mlir::ModuleOp module, const std::vector<ScheduleRefusal> &refused, const Target &target,
                  const Location &body, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_STORYBOARD_H
