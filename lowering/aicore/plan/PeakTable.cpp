#include "lowering/aicore/plan/PeakTable.h"

#include "runtime/diagnostic/Kilobytes.h"

using namespace mlir;

namespace opc::aicore {

PeakTable peakOf(func::FuncOp kernel, const KernelRanges &ranges, Sharing sharing, const PlanRequest &request) {
  PlanProblem problem = problemOf(ranges, sharing, request.target->ubBytes(), request.alignment);
  auto [bytes, time] = problem.peak();
  // Copies that placement made have no source line. If as many bytes live at an intrinsic, that one is reported.
  std::vector<int64_t> living(2 * ranges.ops.size());
  for (const PlanItem &item : problem.items)
    for (unsigned at : item.times)
      if (at < living.size())
        living[at] += item.bytes;
  for (unsigned at = 0; at < living.size(); ++at)
    if (living[at] == bytes && isa<VectorOpInterface>(ranges.ops[at / 2])) {
      time = at;
      break;
    }
  PeakTable table;
  table.bytes = bytes;
  table.place = time / 2 < ranges.ops.size() ? ranges.ops[time / 2] : kernel.getOperation();
  for (const PlanItem &item : problem.items)
    table.lives.push_back(llvm::is_contained(item.times, time));
  return table;
}

mlir::Location placeOf(BufferOp buffer) {
  auto kernel = buffer->getParentOfType<func::FuncOp>();
  if (buffer->getLoc() != kernel.getLoc())
    return buffer->getLoc();
  SmallVector<PipeOpInterface> users = usersOf(buffer);
  Operation *first = nullptr;
  kernel.walk([&](VectorOpInterface op) {
    if (!llvm::is_contained(users, cast<PipeOpInterface>(op.getOperation())))
      return WalkResult::advance();
    first = op;
    return WalkResult::interrupt();
  });
  return first ? first->getLoc() : buffer->getLoc();
}

std::string takenText(BufferOp buffer) {
  std::string text = "'" + buffer.getName().str() + "' takes " + kilobytes(buffer.getBytes());
  if (buffer.getSlots() > 1)
    text += ", " + std::to_string(buffer.getSlots()) + " slots of " + kilobytes(buffer.getSlotBytes());
  return text;
}

} // namespace opc::aicore
