// Fuses consecutive operations that work lane by lane into one loop.
//
//   load x -> a;  load y -> b;  vaddrelu a, b -> c;  store c -> z
//
//   for i:  z[i] = relu(x[i] + y[i])        only these ops use a, b and c, so their lanes stay in registers
//
// On an AI Core, tiles hide the latency of memory; on a CPU they would be three more passes through the cache. Lane i
// of a step may use lane i of the previous steps. So steps share a loop if they have the same count and access common
// memory at the same offset. Rounding is preserved: values pass from step to step in the type they have in memory.

#ifndef OPC_LOWERING_CPU_LOOPS_LANEGROUP_H
#define OPC_LOWERING_CPU_LOOPS_LANEGROUP_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/cpu/loops/FlatView.h"

#include <vector>

namespace opc::cpu {

class LoopEmitter;

/// A copy or an elementwise intrinsic.
struct LaneStep {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<FlatView> sources;
  mlir::Value scalar; ///< null when there is none
  FlatView destination;
  bool accumulates = false; ///< also reads the destination

  /// Whether an op works lane by lane: a copy of one row without padding and without atomic add, or an elementwise
  /// intrinsic.
  static bool isLaneOp(mlir::Operation *op);
};

class LaneGroup {
public:
  bool empty() const { return steps.empty(); }
  /// Whether a step can join the loop of the previous steps.
  bool accepts(const LaneStep &step) const;
  void add(LaneStep step) { steps.push_back(std::move(step)); }
  /// Emits the checks and the loop, and removes the steps. `buffers` maps the roots of buffers to their ops.
  void emit(LoopEmitter &emitter, const llvm::DenseMap<mlir::Value, aicore::BufferOp> &buffers);

private:
  /// Whether all steps stay inside their tensors and buffers (i1); violations are reported.
  mlir::Value checkAll(LoopEmitter &emitter, mlir::Value count) const;
  bool isPrivate(aicore::BufferOp buffer, mlir::Value root) const;

  std::vector<LaneStep> steps;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_LANEGROUP_H
