// A comparison as text: figures side by side, then the differences in cycles, then the outputs.

#include "tools/opc/compare/Comparison.h"
#include "tools/opc/text/TextTable.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace opc::tool {

/// Maximum number of rows of a list.
static constexpr size_t kRows = 8;

static std::string ratio(double a, double b) {
  return a > 0 ? numberText("%.3f", b / a) : "";
}

namespace {
class Table {
public:
  void add(const std::string &name, int64_t a, int64_t b) {
    rows.push_back({name, std::to_string(a), std::to_string(b), ratio(double(a), double(b))});
  }
  void add(const std::string &name, const std::string &a, const std::string &b) { rows.push_back({name, a, b, ""}); }
  std::string text() const { return textTable(rows, {false, true, true, true}); }

private:
  std::vector<TextRow> rows = {{"", "A", "B", "B / A"}};
};
} // namespace

static void addFigures(const Profile &a, const Profile &b, Table &table) {
  table.add("cycles", a.cycles, b.cycles);
  auto bound = [](const Profile &of) { return std::string(pipeName(of.bound)) + numberText(" %.3f", of.boundShare); };
  table.add("bound by, busy", bound(a), bound(b));
  auto roof = [](const Profile &of) {
    return (of.roofline.memoryBound ? "memory" : "compute") + numberText(" %.3f", of.roofline.roofShare);
  };
  table.add("roof, share reached", roof(a), roof(b));
  table.add("nothing worked", numberText("%.3f", a.idleShare), numberText("%.3f", b.idleShare));
  for (size_t i = 0; i < std::min(a.pipes.size(), b.pipes.size()); ++i)
    table.add(std::string(pipeName(a.pipes[i].pipe)) + ", busy cycles", a.pipes[i].busyCycles, b.pipes[i].busyCycles);
  for (size_t i = 0; i < std::min(a.pipes.size(), b.pipes.size()); ++i)
    table.add(std::string(pipeName(a.pipes[i].pipe)) + ", instructions", a.pipes[i].instructions,
              b.pipes[i].instructions);
  table.add("scalar code of the source, cycles", a.codeCycles, b.codeCycles);
  table.add("GM read, bytes", a.gmReadBytes, b.gmReadBytes);
  table.add("GM written, bytes", a.gmWrittenBytes, b.gmWrittenBytes);
  table.add("UB at the peak, bytes", a.memories.front().peakBytes, b.memories.front().peakBytes);
  table.add("FLOP", a.flop, b.flop);
}

/// Cycles by intrinsic and by direction of copies, the largest differences first.
static std::string differences(const Profile &a, const Profile &b) {
  std::map<std::string, std::array<int64_t, 2>> cycles;
  const Profile *const profiles[] = {&a, &b};
  for (size_t i = 0; i < 2; ++i) {
    for (const IntrinsicProfile &of : profiles[i]->intrinsics)
      cycles[of.name + " " + of.types][i] += of.cycles;
    for (const PipeProfile &of : profiles[i]->pipes)
      if (of.pipe == Pipe::MTE2 || of.pipe == Pipe::MTE3)
        cycles[of.pipe == Pipe::MTE2 ? "load" : "store"][i] += of.busyCycles;
      else if (of.pipe == Pipe::S)
        cycles["scalar unit"][i] += of.busyCycles;
  }
  std::vector<std::pair<std::string, std::array<int64_t, 2>>> list(cycles.begin(), cycles.end());
  auto size = [](const auto &of) { return std::abs(of.second[0] - of.second[1]); };
  std::sort(list.begin(), list.end(), [&](const auto &x, const auto &y) {
    return std::make_pair(-size(x), x.first) < std::make_pair(-size(y), y.first);
  });
  Table table;
  for (size_t i = 0; i < std::min(kRows, list.size()); ++i)
    table.add(list[i].first, list[i].second[0], list[i].second[1]);
  return table.text();
}

static std::string hotLines(const Profile &profile) {
  std::vector<TextRow> rows;
  for (size_t i = 0; i < std::min(kRows, profile.lines.size()); ++i) {
    const LineProfile &of = profile.lines[i];
    rows.push_back({"  " + printable(of.file, 200) + ":" + std::to_string(of.line), std::to_string(of.cycles),
                    numberText("%.3f", of.share)});
  }
  return textTable(rows, {false, true, true});
}

static std::string outputText(const OutputDifference &of) {
  const std::string all = std::to_string(of.elements);
  if (of.differing == 0)
    return "output '" + printable(of.name) + "': all " + all + " elements are equal\n";
  return "output '" + printable(of.name) + "': " + std::to_string(of.differing) + " of " + all +
         " elements differ, at most " + numberText("%g", of.largestUlp) + " ulp and " + numberText("%g", of.largest) +
         "; the first is [" + std::to_string(of.first) + "]: " + numberText("%.9g", of.firstA) + " and " +
         numberText("%.9g", of.firstB) + "\n";
}

std::string comparisonText(const Comparison &comparison) {
  const ComparedKernel &a = comparison.kernels[0], &b = comparison.kernels[1];
  std::string text = "A: " + printablePath(a.name) + ", " + printable(a.launch->kernel) +
                     "\nB: " + printablePath(b.name) + ", " + printable(b.launch->kernel) + "\non " +
                     std::string(a.launch->target->name()) + ", cycles by the model\n\n";
  Table table;
  addFigures(a.profile, b.profile, table);
  text += table.text() + "\nwhere the cycles differ most\n" + differences(a.profile, b.profile);
  text += "\nlines of A                 cycles  share of all pipes\n" + hotLines(a.profile);
  text += "\nlines of B                 cycles  share of all pipes\n" + hotLines(b.profile) + "\n";
  for (const OutputDifference &of : comparison.outputs)
    text += outputText(of);
  return text;
}

} // namespace opc::tool
