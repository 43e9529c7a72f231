// From measured instances to phase `tiled`: each instance has a schedule, a tiling key, and the tiling function
// of its type row.
//
//   #aicore.needs  ─► heuristic, or the author ─► #aicore.schedule ─► tiling function
//
// The pass aicore-schedule (Passes.td) calls this and lists its rules.

#ifndef OPC_LOWERING_SCHEDULE_SCHEDULE_H
#define OPC_LOWERING_SCHEDULE_SCHEDULE_H

#include "lowering/schedule/Explanation.h"
#include "ops/contract/ShapeKeys.h"
#include "ops/contract/Shapes.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace opc {

/// What schedules are chosen from, and where the choice is explained. All of it lives longer than the pass that has it.
struct ScheduleRequest {
  const Contract &contract;
  const StaticShapes &shapes; ///< of a static operator; empty: a dynamic one
  const Target &target;
  Diagnostics &diagnostics; ///< gets mistakes of the contract's schedule file
  std::vector<KernelSchedule> &explanation;
  std::vector<ScheduleRefusal> &refused;
};

/// Schedules every measured instance of the module and appends a tiling function for each type row. Fails when a knob
/// of the schedule file is of no use (E0245, at that file's line) or a kernel does not fit UB (E0403, E0400): such
/// kernels are not reported but appended to `refused`, with what would make them fit, and keep the schedule that was
/// asked for, so that they can be looked at.
///
/// With `shapes` the operator is static: of each type row only the instance of the key that these shapes take stays,
/// its tile is no larger than they need, and the tiling function knows them. A key that depends on the axes of a
/// launch leaves all instances. E0112: no key serves the shapes.
mlir::LogicalResult scheduleInstances(mlir::ModuleOp module, const ScheduleRequest &request);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULE_H
