#include "lowering/pipelines/Storyboard.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/plan/PeakTable.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/pipelines/Pipelines.h"
#include "ops/contract/write/WriteSchedule.h"
#include "runtime/diagnostic/Kilobytes.h"
#include "runtime/target/Sensitivity.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc {

static UbTable tableOf(func::FuncOp kernel, const Target &target) {
  KernelRanges ranges = rangesIn(liveRangesOf(kernel), Space::UB);
  PeakTable peak = peakOf(kernel, ranges, Sharing::Text, planRequestOf(kernel, target));
  UbTable table;
  table.kernel = kernel.getName().str();
  table.peakBytes = peak.bytes;
  table.peak = locationOf(peak.place->getLoc());
  for (auto [range, lives] : llvm::zip(ranges.buffers, peak.lives)) {
    BufferOp buffer = range.buffer;
    int64_t address = buffer.getAddress().value_or(0);
    table.ubBytes = std::max(table.ubBytes, address + buffer.getBytes());
    table.buffers.push_back(
        {buffer.getName().str(), buffer.getBytes(), buffer.getSlots(), address, lives, locationOf(placeOf(buffer))});
  }
  return table;
}

std::vector<UbTable> ubTables(ModuleOp module, const Target &target) {
  std::vector<UbTable> tables;
  for (func::FuncOp kernel : kernelsOf(module))
    tables.push_back(tableOf(kernel, target));
  return tables;
}

/// The buffers that a refused instance would have if none of them shared bytes.
static std::vector<Note> buffersOf(func::FuncOp instance, const Target &target) {
  OwningOpRef<ModuleOp> alone = ModuleOp::create(instance.getLoc());
  alone->push_back(instance.clone());
  PassManager passes(instance.getContext(), ModuleOp::getOperationName());
  buildPreviewPipeline(passes, target.name());
  std::vector<Note> notes;
  // What does not even have room for a part of a tile has no buffers to list; the refusal says why.
  ScopedDiagnosticHandler silence(instance.getContext(), [](mlir::Diagnostic &) { return success(); });
  if (failed(passes.run(*alone)))
    return notes;
  for (func::FuncOp kernel : kernelsOf(*alone))
    kernel.walk([&](BufferOp buffer) { notes.push_back({locationOf(placeOf(buffer)), takenText(buffer)}); });
  return notes;
}

static std::string costText(const ScheduleRefusal &refusal, const ScheduleFix &fix) {
  std::string text = kilobytes(fix.ubBytes) + "; about " + std::to_string(fix.cycles) +
                     " cycles for 2^20 elements instead of " + std::to_string(refusal.cycles) + ", by the cost model";
  if (&fix != &refusal.fixes.front() || refusal.dependsOn.empty())
    return text;
  return text + "; that it is the cheapest " + dependsText({refusal.dependsOn.begin(), refusal.dependsOn.end()});
}

void tellRefusals(ModuleOp module, const std::vector<ScheduleRefusal> &refused, const Target &target,
                  const Location &body, Diagnostics &diagnostics) {
  auto placeOfRefusal = [](const ScheduleRefusal &refusal) {
    return std::tuple(refusal.code, refusal.place.file, refusal.place.line, refusal.place.column);
  };
  for (size_t i = 0; i < refused.size(); ++i) {
    const ScheduleRefusal &first = refused[i];
    auto same = [&](const ScheduleRefusal &other) { return placeOfRefusal(other) == placeOfRefusal(first); };
    // One number may be wrong for many kernels; only the first is reported in full.
    if (std::any_of(refused.begin(), refused.begin() + i, same))
      continue;
    std::string others;
    for (size_t k = i + 1; k < refused.size(); ++k)
      if (same(refused[k]))
        others += (others.empty() ? "'" : ", '") + refused[k].kernel + "'";
    bool atBody = first.place.file.empty();
    auto instance = module.lookupSymbol<func::FuncOp>(first.kernel);
    Location place = atBody && instance ? locationOf(instance.getLoc()) : first.place;
    if (place.file.empty())
      place = body;
    std::vector<Note> notes;
    if (instance)
      notes = buffersOf(instance, target);
    for (const ScheduleFix &fix : first.fixes)
      notes.push_back({place, "would fit: " + knobsText(fix.entry) + ", " + costText(first, fix)});
    if (first.fixes.empty())
      notes.push_back({place, "no change of its schedule would make it fit"});
    if (!others.empty())
      notes.push_back({place, "the same holds for " + others});
    std::string fix = first.fix;
    if (fix.empty() && first.fixes.empty())
      fix = "compute less in one operator: fewer inputs or fewer steps";
    else if (fix.empty())
      fix = "write one of the changes above into a schedule file, or let --apply write the first";
    else if (!first.fixes.empty())
      fix += "; --apply writes the first of the changes above";
    diagnostics.error(first.code, place, first.message, first.rule, fix).notes = std::move(notes);
  }
}

} // namespace opc
