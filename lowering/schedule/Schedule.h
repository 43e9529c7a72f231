// From measured instances to phase `tiled`: each instance has a schedule, a tiling key, and the
// tiling function of its type row.
//
//   #aicore.needs  ─► heuristic, or the author ─► #aicore.schedule ─► tiling function
//
// Rules:
//   tiled_c1  an instance is one of a shape key of the contract
//   tiled_c2  a tile of 256 elements fits UB
//   tiled_c3  what the author chose fits UB

#ifndef OPC_LOWERING_SCHEDULE_SCHEDULE_H
#define OPC_LOWERING_SCHEDULE_SCHEDULE_H

#include "ops/contract/ShapeKeys.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace opc {

/// The schedule that the target's UB and a kernel's needs suggest; null when not even the smallest
/// tile fits. `why` tells how it came about.
aicore::ScheduleAttr defaultSchedule(aicore::NeedsAttr needs, bool inPasses, const Target &target,
                                     std::string &why);

/// Schedules every measured instance of the module and appends a tiling function for each type
/// row. `explanation`, when given, gets a line an instance.
mlir::LogicalResult scheduleInstances(mlir::ModuleOp module, const Contract &contract,
                                      const Target &target, std::string *explanation = nullptr);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULE_H
