// First fit: each buffer in turn takes the lowest gap that is wide enough between those that live
// with it.

#include "lowering/aicore/LiveRanges.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

static int64_t lowestGap(const PlanProblem &problem, const PlannedBuffer &buffer,
                         int64_t alignment) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (const PlannedBuffer &other : problem.buffers)
    if (other.address >= 0 && other.livesWith(buffer))
      taken.push_back({other.address, other.address + other.bytes});
  llvm::sort(taken);
  int64_t address = 0;
  for (auto [begin, end] : taken) {
    if (address + buffer.bytes <= begin)
      break;
    address = std::max<int64_t>(address, llvm::alignTo(end, alignment));
  }
  return address;
}

static int64_t place(PlanProblem &problem, ArrayRef<unsigned> order, int64_t alignment) {
  int64_t needed = 0;
  for (PlannedBuffer &buffer : problem.buffers)
    buffer.address = -1;
  for (unsigned index : order) {
    PlannedBuffer &buffer = problem.buffers[index];
    buffer.address = lowestGap(problem, buffer, alignment);
    needed = std::max(needed, buffer.address + buffer.bytes);
  }
  return needed;
}

int64_t planFirstFit(PlanProblem &problem, int64_t alignment, int64_t capacity) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, problem.buffers.size()));
  int64_t needed = place(problem, order, alignment);
  if (needed <= capacity)
    return needed;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-problem.buffers[a].bytes, a) < std::pair(-problem.buffers[b].bytes, b);
  });
  return place(problem, order, alignment);
}

} // namespace opc::aicore
