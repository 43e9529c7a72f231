// From measured instances to phase `tiled`: chooses a schedule and a tiling key for each instance, and makes the
// tiling function of each type row.
//
//   #aicore.needs  ─► heuristic, or the author ─► #aicore.schedule ─► tiling function
//
// The pass aicore-schedule (Passes.td) calls this; its description lists the rules. It is written by hand because
// order matters: the tiling function of a type row depends on the schedules of all its instances.

#ifndef OPC_LOWERING_SCHEDULE_SCHEDULE_H
#define OPC_LOWERING_SCHEDULE_SCHEDULE_H

#include "lowering/schedule/Explanation.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <vector>

namespace opc {

/// Input and output of scheduling. All of it must outlive the pass.
struct ScheduleRequest {
  const Contract &contract;
  const StaticShapes &shapes; ///< shapes of a static operator; empty for a dynamic one
  const Target &target;
  Diagnostics &diagnostics; ///< receives errors in the contract's schedule file
  std::vector<KernelSchedule> &explanation;
  std::vector<ScheduleRefusal> &refused;
  /// Receives the type rows of a static operator that the CPU alone serves with these shapes, and why; their instances
  /// are removed. Null: such shapes are refused.
  std::map<unsigned, std::string> *cpuAlone = nullptr;
};

/// Schedules every measured instance in the module and appends a tiling function for each type row. Fails if a knob
/// in the schedule file has no effect (E0245, at that line) or a kernel does not fit UB (E0403, E0400). Kernels that
/// do not fit are not reported but appended to `refused`, with changes that would make them fit. They keep the
/// requested schedule, so that it can be inspected.
///
/// With `shapes` the operator is static: for each type row only the instance of the key for these shapes is kept, its
/// tile is no larger than they need, and the shapes are constants in the tiling function. If the key depends on the
/// axes of a launch, all instances are kept. Reports E0112 if no key supports the shapes, and the CPU does neither, or
/// `cpuAlone` is null.
mlir::LogicalResult scheduleInstances(mlir::ModuleOp module, const ScheduleRequest &request);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULE_H
