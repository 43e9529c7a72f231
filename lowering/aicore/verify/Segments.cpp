#include "lowering/aicore/verify/Segments.h"

using namespace mlir;

namespace opc::aicore {

Segments::Segments(ArrayRef<Event> events) {
  for (const Event &event : events)
    for (const Span &span : event.spans) {
      std::vector<int64_t> &cuts = memories[memoryOf(span)].cuts;
      cuts.push_back(span.begin);
      cuts.push_back(span.end);
    }
  for (auto &[value, memory] : memories) {
    llvm::sort(memory.cuts);
    memory.cuts.erase(std::unique(memory.cuts.begin(), memory.cuts.end()), memory.cuts.end());
    memory.base = total;
    total += memory.cuts.size();
  }
}

std::pair<unsigned, unsigned> Segments::of(const Span &span) const {
  const Memory &memory = memories.find(memoryOf(span))->second;
  auto indexOf = [&](int64_t cut) {
    return memory.base + (llvm::lower_bound(memory.cuts, cut) - memory.cuts.begin());
  };
  return {indexOf(span.begin), indexOf(span.end)};
}

} // namespace opc::aicore
