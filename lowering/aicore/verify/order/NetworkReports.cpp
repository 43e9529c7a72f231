// Diagnostics for an unrolled kernel that breaks a rule.

#include "lowering/aicore/verify/order/HappensBefore.h"

using namespace mlir;

namespace opc::aicore::proof {

/// "'aicore.vadd' of iteration 3"
std::string Network::nameOf(int event) const {
  std::string name = "'" + opOf(event)->getName().getStringRef().str() + "'";
  std::string numbers;
  for (unsigned around = eventAt(event).iteration; around; around = iterations[around].outer)
    numbers = std::to_string(iterations[around].number) + (numbers.empty() ? "" : ", ") + numbers;
  return numbers.empty() ? name : name + " of iteration " + numbers;
}

std::string Network::homeName(const Place &place) const {
  Value home = unroller.homes()[place.home].memref;
  if (auto buffer = home.getDefiningOp<BufferOp>())
    return "'" + buffer.getName().str() + "'";
  return "argument " + std::to_string(cast<BlockArgument>(home).getArgNumber());
}

static std::string pipeText(Pipe pipe) {
  return stringifyPipe(pipe).str();
}

LogicalResult Network::reportRace(int earlier, int later, const Place &place) const {
  const Instruction &first = *eventAt(earlier).instruction, &second = *eventAt(later).instruction;
  InFlightDiagnostic diagnostic =
      report(later, "[sync_c1] expects accesses to one byte to be ordered by flags or barriers; ");
  diagnostic << nameOf(later) << " on pipe " << pipeText(second.pipe) << " touches " << homeName(place)
             << " and nothing makes it come after " << nameOf(earlier) << " on pipe " << pipeText(first.pipe);
  const opc::Target *chip = findTarget(target.name());
  if (first.pipe == second.pipe && chip && chip->completesInOrder(toTarget(first.pipe)))
    diagnostic << ", which is needed on chips whose pipe " << pipeText(first.pipe)
               << " does not complete in order, unlike on " << target.name();
  diagnostic.attachNote(first.op->getLoc()) << "the other access is here";
  return diagnostic;
}

LogicalResult Network::reportLost(int event, const Place &place, int expectedWriter, int found) const {
  if (expectedWriter == kNobody) {
    InFlightDiagnostic diagnostic = report(event, "[sync_c3] expects a read of bytes that were written; ");
    diagnostic << nameOf(event) << " reads " << homeName(place) << ", where nothing was written";
    diagnostic.attachNote(unroller.homes()[place.home].memref.getLoc()) << homeName(place) << " is here";
    return diagnostic;
  }
  InFlightDiagnostic diagnostic =
      report(event, "[sync_c2] expects a read to see the last write through the same buffer; ");
  diagnostic << nameOf(event) << " reads from " << homeName(place) << " what " << nameOf(expectedWriter) << " wrote";
  diagnostic.attachNote(opOf(expectedWriter)->getLoc()) << "it was written here";
  if (found != kNobody)
    diagnostic.attachNote(opOf(found)->getLoc()) << "and overwritten here, by " << nameOf(found);
  return diagnostic;
}

LogicalResult Network::reportStandstill() const {
  int first = kNobody;
  std::string who;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
    if (next[pipe] == queues[pipe].size())
      continue;
    int event = queues[pipe][next[pipe]];
    const Instruction &blocked = *eventAt(event).instruction;
    if (blocked.kind != Instruction::Wait || !isDispatched(event))
      continue;
    who += (who.empty() ? "pipe " : "; pipe ") + pipeText(blocked.pipe) + " waits for " + pipeText(blocked.other) +
           ", id " + std::to_string(eventAt(event).id);
    if (first == kNobody || event < first)
      first = event;
  }
  InFlightDiagnostic diagnostic = report(first, "[sync_c6] expects every wait to be met; here the pipes deadlock: ");
  diagnostic << who;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    if (next[pipe] != queues[pipe].size() && queues[pipe][next[pipe]] != first) {
      int event = queues[pipe][next[pipe]];
      diagnostic.attachNote(opOf(event)->getLoc())
          << "pipe " << pipeText(Pipe(pipe)) << " is blocked at " << nameOf(event);
    }
  return diagnostic;
}

LogicalResult Network::reportUnwaited() const {
  for (const Channel &channel : channels)
    if (channel.pending != kNobody) {
      const Event &set = eventAt(channel.pending);
      InFlightDiagnostic diagnostic = report(channel.pending, "[sync_c5] expects every set to be waited for; ");
      return diagnostic << "the flag " << pipeText(set.instruction->pipe) << " -> " << pipeText(set.instruction->other)
                        << ", id " << set.id << ", is still set at the end of the kernel";
    }
  return success();
}

} // namespace opc::aicore::proof
