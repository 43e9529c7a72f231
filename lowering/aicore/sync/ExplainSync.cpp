// Remarks: why each flag and each barrier exists.

#include "lowering/aicore/sync/SyncProblem.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace opc::aicore {

static std::string nameOf(Value memref) {
  if (std::optional<TileView> view = tileViewOf(memref))
    return "buffer '" + view->buffer.getName().str() + "'";
  if (std::optional<TensorView> view = tensorViewOf(memref))
    return "argument " + std::to_string(view->tensor.getArgNumber());
  return "memory";
}

static std::string opText(Operation *op) {
  return "'" + op->getName().stripDialect().str() + "'";
}

/// The dependence that explains an edge: the one it was made for, otherwise the nearest one that it orders.
static const Dependence *reasonOf(const SyncProblem &problem, const SyncEdge &edge) {
  const Dependence *reason = nullptr;
  for (const Dependence &dependence : problem.dependences) {
    const bool pipes = problem.nodes[dependence.from].pipe == problem.nodes[edge.from].pipe &&
                       problem.nodes[dependence.to].pipe == problem.nodes[edge.to].pipe;
    if (!pipes || dependence.distance < edge.distance)
      continue;
    if (dependence.from == edge.from && dependence.to == edge.to && dependence.distance == edge.distance)
      return &dependence;
    const bool around =
        dependence.distance > edge.distance || (dependence.from <= edge.from && dependence.to >= edge.to);
    if (around && (!reason || dependence.distance < reason->distance))
      reason = &dependence;
  }
  return reason;
}

static std::string edgeText(const SyncProblem &problem, const SyncEdge &edge) {
  const std::string from = stringifyPipe(problem.nodes[edge.from].pipe).str(),
                    to = stringifyPipe(problem.nodes[edge.to].pipe).str();
  if (edge.barrier)
    return "pipe_barrier " + to;
  std::string text = "flag " + from + " -> " + to + ", event " + std::to_string(edge.base);
  if (edge.ids > 1)
    text += " to " + std::to_string(edge.base + edge.ids - 1) + " in turn";
  return text;
}

void explainEdges(const SyncProblem &problem, SmallVectorImpl<SyncRemark> &remarks) {
  for (const SyncEdge &edge : problem.edges) {
    const Dependence *reason = reasonOf(problem, edge);
    const SyncNode &from = problem.nodes[reason ? reason->from : edge.from],
                   &to = problem.nodes[reason ? reason->to : edge.to];
    Operation *before = from.item, *after = to.item;
    std::string text = edgeText(problem, edge) + ": ";
    if (reason && reason->touches) {
      const auto &[firstOp, first] = from.touches[reason->touches->first];
      const auto &[secondOp, second] = to.touches[reason->touches->second];
      PipeOpInterface earlier = firstOp, later = secondOp;
      before = earlier.getOperation();
      after = later.getOperation();
      text += opText(after) + " " + (second.writes ? "writes " : "reads ") + nameOf(second.memref()) + " after " +
              opText(before) + " " + (first.writes ? "writes " : "reads ") + nameOf(first.memref());
    } else if (reason) {
      text += "the event ids of a loop are used again";
    } else {
      text += "pipe " + stringifyPipe(to.pipe).str() + " does not run ahead of pipe " + stringifyPipe(from.pipe).str() +
              " without limit";
    }
    text += ", at distance " + std::to_string(reason ? reason->distance : edge.distance);
    remarks.push_back({after->getLoc(), text, before->getLoc(), opText(before) + " is here"});
  }
}

void emitRemarks(ArrayRef<SyncRemark> remarks) {
  for (const SyncRemark &remark : remarks)
    mlir::emitRemark(remark.location, remark.text).attachNote(remark.from) << remark.note;
}

} // namespace opc::aicore
