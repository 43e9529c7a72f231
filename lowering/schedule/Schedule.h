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

#include "lowering/schedule/Explanation.h"
#include "ops/contract/ShapeKeys.h"
#include "ops/contract/Shapes.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace opc {

/// Schedules every measured instance of the module and appends a tiling function for each type
/// row. A knob that is of no use is told at the schedule file's line (E0245). Kernels that do not
/// fit UB (E0403, E0400) are not told but appended to `refused`, with what would make them fit;
/// they keep the schedule that was asked for, so that they can be looked at. Failure in each case.
///
/// With `shapes` the operator is static: of each type row only the instance of the key that these
/// shapes take stays, its tile is no larger than they need, and the tiling function knows them. A
/// key that depends on the axes of a launch leaves all instances. E0112: no key serves the shapes.
mlir::LogicalResult scheduleInstances(mlir::ModuleOp module, const Contract &contract, const StaticShapes &shapes,
                                      const Target &target, Diagnostics &diagnostics,
                                      std::vector<KernelSchedule> &explanation, std::vector<ScheduleRefusal> &refused);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULE_H
