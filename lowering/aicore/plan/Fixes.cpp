#include "lowering/aicore/plan/Fixes.h"

#include "runtime/target/Sensitivity.h"

#include <algorithm>

using namespace mlir;

namespace opc::aicore {

/// Lengths of tiles are multiples of this many elements, which fill the registers of the chip in every element type.
static constexpr int64_t kUnit = 256;
/// Limit of a search that checks whether a change suffices.
static constexpr uint64_t kFixNodes = 20000;

/// Size of a plan in which no pipe waits for another because of shared bytes; nullopt if none was found.
static std::optional<int64_t> bytesOf(const PlanProblem &problem) {
  PlanSolution first = planFirstFit(problem);
  if (first.bytes <= problem.capacity)
    return first.bytes;
  SearchEffort effort;
  effort.nodeLimit = kFixNodes;
  std::optional<PlanSolution> found = planExactly(problem, effort);
  return found ? std::optional<int64_t>(found->bytes) : std::nullopt;
}

/// Elements of the tiles that DMA moves: the largest capacity of the buffers that DMA accesses.
static int64_t tileElements(const KernelRanges &ranges) {
  int64_t elements = 0;
  for (const LiveRange &range : ranges.buffers) {
    BufferOp buffer = range.buffer;
    if (llvm::any_of(usersOf(buffer), [](PipeOpInterface user) { return isDma(user.getPipe()); }))
      elements = std::max(elements, buffer.getCapacity());
  }
  return elements;
}

/// Cycles for as many elements as a tile has now.
static int64_t cyclesWith(func::FuncOp kernel, const KernelRanges &ranges, const Target &target,
                          const ClockVariant &variant) {
  double tiles = variant.instead ? double(variant.elements) / double(variant.instead) : 1;
  return static_cast<int64_t>(double(PipeClock(kernel, ranges, target, variant).cyclesApart()) * tiles);
}

static void addSmallerTile(const KernelRanges &ranges, const PlanProblem &problem, PlanFixes &fixes) {
  int64_t elements = tileElements(ranges);
  auto bytesWith = [&](int64_t instead) {
    PlanProblem smaller = problem;
    for (auto [range, item] : llvm::zip(ranges.buffers, smaller.items))
      if (BufferOp(range.buffer).getCapacity() == elements)
        item.bytes = item.bytes / elements * instead;
    return bytesOf(smaller);
  };
  int64_t fits = 0, tooLarge = (elements + kUnit - 1) / kUnit;
  while (fits + 1 < tooLarge) {
    int64_t middle = (fits + tooLarge) / 2;
    (bytesWith(middle * kUnit) ? fits : tooLarge) = middle;
  }
  if (fits == 0)
    return;
  int64_t instead = fits * kUnit;
  fixes.fixes.push_back({"tiles of " + std::to_string(instead) + " elements instead of " + std::to_string(elements),
                         *bytesWith(instead),
                         0,
                         {elements, instead, false}});
}

static void addOneSlot(const KernelRanges &ranges, const PlanProblem &problem, PlanFixes &fixes) {
  PlanProblem single = problem;
  bool any = false;
  for (auto [range, item] : llvm::zip(ranges.buffers, single.items)) {
    BufferOp buffer = range.buffer;
    any |= buffer.getSlots() > 1;
    item.bytes = buffer.getSlotBytes();
  }
  std::optional<int64_t> bytes = any ? bytesOf(single) : std::nullopt;
  if (bytes)
    fixes.fixes.push_back(
        {"one slot a buffer ('slots = 1' in the kernel's #aicore.schedule)", *bytes, 0, {0, 0, true}});
}

PlanFixes fixesOf(func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request) {
  PlanProblem problem = problemOf(ranges, Sharing::Pipes, request.target->ubBytes(), request.alignment);
  PlanFixes fixes;
  if (!problem.check().empty())
    return fixes;
  fixes.cycles = cyclesWith(kernel, ranges, *request.target, {});
  addSmallerTile(ranges, problem, fixes);
  addOneSlot(ranges, problem, fixes);
  for (PlanFix &fix : fixes.fixes)
    fix.cycles = cyclesWith(kernel, ranges, *request.target, fix.variant);
  std::sort(fixes.fixes.begin(), fixes.fixes.end(), [](const PlanFix &a, const PlanFix &b) {
    return a.cycles != b.cycles ? a.cycles < b.cycles : a.text < b.text;
  });
  if (fixes.fixes.size() < 2)
    return fixes;
  fixes.dependsOn = dependsText(decidingFigures(*request.target, [&](const Target &changed) {
    int64_t first = cyclesWith(kernel, ranges, changed, fixes.fixes.front().variant);
    return llvm::all_of(
        fixes.fixes, [&](const PlanFix &other) { return first <= cyclesWith(kernel, ranges, changed, other.variant); });
  }));
  return fixes;
}

} // namespace opc::aicore
