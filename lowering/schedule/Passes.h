// Passes that choose how launches are divided into blocks and tiles. See Passes.td.

#ifndef OPC_LOWERING_SCHEDULE_PASSES_H
#define OPC_LOWERING_SCHEDULE_PASSES_H

#include "lowering/schedule/Schedule.h"

#include "dialect/te/TeDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace opc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lowering/schedule/Passes.h.inc"

/// The pass for a contract in memory, instead of one named by the option.
std::unique_ptr<mlir::Pass> createSchedulePass(const ScheduleRequest &request);

/// As above. With the shapes of a static operator, only the instance for these shapes is kept; without shapes, all
/// instances are. Both arguments must outlive the pass.
std::unique_ptr<mlir::Pass> createCpuSchedulePass(const Contract &contract, const StaticShapes &shapes);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_PASSES_H
