// A profile as text, the most important figures first.

#include "runtime/target/Sensitivity.h"
#include "tools/opc/profile/Profile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <set>

namespace opc::tool {

/// Most rows of a list in text; JSON has all rows.
static constexpr size_t kRows = 8;

__attribute__((format(printf, 2, 3))) static void add(std::string &text, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

static std::string suffix(const std::vector<std::string_view> &figures) {
  return figures.empty() ? "" : "; " + dependsText(figures);
}

static void addCopies(std::string &text, const char *name, const CopyProfile &copies) {
  if (copies.count == 0)
    return;
  add(text, "  %-6s %8lld copies, %lld bursts of %.0f B, %lld B, at %.2f of the rate\n", name,
      static_cast<long long>(copies.count), static_cast<long long>(copies.bursts),
      double(copies.bytes) / double(std::max<int64_t>(1, copies.bursts)), static_cast<long long>(copies.bytes),
      copies.efficiency);
}

std::string profileText(const ProfiledLaunch &launch, const Profile &profile) {
  std::string text;
  const Roofline &roof = profile.roofline;
  add(text, "%s on %s: %lld cycles by the model, %.1f us at %g MHz\n", launch.kernel.c_str(),
      std::string(launch.target->name()).c_str(), static_cast<long long>(profile.cycles), profile.microseconds,
      launch.target->clockMHz());
  text += "bound by " + std::string(pipeName(profile.bound));
  add(text, ", busy %.3f of the time", profile.boundShare);
  text += suffix(profile.boundDependsOn) + "\n";
  add(text, "%s bound, at %.2f of that roof", roof.memoryBound ? "memory" : "compute", roof.roofShare);
  text += suffix(roof.dependsOn) + "\n";
  add(text, "%lld FLOP, %lld B of GM read, %lld written: %.3f FLOP/B; %.2f FLOP a cycle of %.2f\n",
      static_cast<long long>(profile.flop), static_cast<long long>(profile.gmReadBytes),
      static_cast<long long>(profile.gmWrittenBytes), roof.flopPerByte, roof.flopPerCycle,
      roof.memoryBound ? roof.flopPerByte * roof.memoryRoof : roof.computeRoof);
  const MemoryRates &memory = profile.memory;
  add(text, "memory at %.1f GB/s (%s); boards read at %.1f to %.1f", memory.load,
      !launch.figuresFile.empty() ? "the file's figure"
      : launch.memory.boardRates  ? "likely: the middle of what boards show"
                                  : "assumed: the vendor's weight",
      memory.boards.low, memory.boards.high);
  if (memory.cyclesOfBoards)
    add(text, ": %lld to %lld cycles", static_cast<long long>(memory.cyclesOfBoards->first),
        static_cast<long long>(memory.cyclesOfBoards->second));
  if (launch.memory.l2)
    add(text, "; L2 had %lld B of %lld", static_cast<long long>(memory.cachedBytes),
        static_cast<long long>(profile.gmReadBytes));
  text += '\n';
  add(text,
      "nothing worked for %.3f of the time\n\npipe        busy   start-up  flags, waits  "
      "idle  instructions\n",
      profile.idleShare);
  for (const PipeProfile &pipe : profile.pipes)
    add(text, "%-5s %10lld %10.0f %13lld %5.3f %13lld\n", std::string(pipeName(pipe.pipe)).c_str(),
        static_cast<long long>(pipe.busyCycles), pipe.startUpCycles, static_cast<long long>(pipe.syncCycles),
        pipe.idleShare, static_cast<long long>(pipe.instructions));
  if (profile.codeInstructions != 0)
    add(text,
        "scalar code of the source: %lld instructions, %lld cycles (assumed: one for each operation of the source)\n",
        static_cast<long long>(profile.codeInstructions), static_cast<long long>(profile.codeCycles));
  text += "\ncopies\n";
  addCopies(text, "load", profile.loads);
  addCopies(text, "store", profile.stores);
  if (!profile.intrinsics.empty())
    text += "\nintrinsic                      cycles  share of v      calls    elements\n";
  for (size_t i = 0; i < std::min(kRows, profile.intrinsics.size()); ++i) {
    const IntrinsicProfile &of = profile.intrinsics[i];
    add(text, "%-14s %-12s %10lld %11.3f %10lld %11lld\n", of.name.c_str(), of.types.c_str(),
        static_cast<long long>(of.cycles), of.share, static_cast<long long>(of.calls),
        static_cast<long long>(of.elements));
  }
  text += "\nline                           cycles  share of all pipes\n";
  for (size_t i = 0; i < std::min(kRows, profile.lines.size()); ++i) {
    const LineProfile &of = profile.lines[i];
    const std::string place = printable(of.file, 200) + ":" + std::to_string(of.line);
    add(text, "%-26s %10lld %11.3f\n", (place.size() > 26 ? "..." + place.substr(place.size() - 23) : place).c_str(),
        static_cast<long long>(of.cycles), of.share);
  }
  // A recorded kernel has several program buffers for the tensors that alternate in the bytes of a queue.
  text += '\n';
  for (const MemoryProfile &of : profile.memories) {
    std::set<std::pair<std::string, int64_t>> buffers;
    for (const BufferProfile &buffer : profile.buffers)
      if (buffer.memory == of.memory)
        buffers.emplace(buffer.name, buffer.address);
    const std::string name(memoryName(of.memory));
    add(text, "%s: %lld of %lld B held at the peak of this launch, %zu buffers\n", name.c_str(),
        static_cast<long long>(of.peakBytes), static_cast<long long>(of.bytes), buffers.size());
  }
  text += "'opc compile --explain-plan' shows what the kernel reserves for its largest tiles\n";
  if (!profile.effects.empty())
    text += "\nassumed figure            value  cycles at half   at double\n";
  for (size_t i = 0; i < std::min(kRows, profile.effects.size()); ++i) {
    const FigureEffect &of = profile.effects[i];
    add(text, "%-24s %6g %15lld %11lld\n", std::string(of.name).c_str(), of.value,
        static_cast<long long>(of.halfCycles), static_cast<long long>(of.doubleCycles));
  }
  return text;
}

} // namespace opc::tool
