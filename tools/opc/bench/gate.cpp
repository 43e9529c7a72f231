// `opc gate`: fails when a measurement is worse than its base. Runs under different conditions are not compared.

#include "tools/opc/Command.h"
#include "tools/opc/bench/BenchRecord.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

namespace opc::tool {

struct GateOptions {
  std::string base, fresh, threshold = "5%";
};

/// Parses "5%" or "0.05" as 0.05; nullopt for other texts.
static std::optional<double> readThreshold(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || text.find_first_of(" \t\n") != std::string::npos)
    return std::nullopt;
  bool percent = *end == '%';
  end += percent;
  value = percent ? value / 100 : value;
  return *end == '\0' && value >= 0 && value < 100 ? std::optional(value) : std::nullopt;
}

/// Whether the conditions are equal; reports every difference as a note.
static bool alike(const BenchRecord &base, const BenchRecord &fresh, Diagnostics &diagnostics) {
  std::vector<Note> notes;
  std::map<std::string, std::string> all = base.conditions;
  all.insert(fresh.conditions.begin(), fresh.conditions.end());
  auto valueIn = [](const BenchRecord &record, const std::string &name) {
    auto found = record.conditions.find(name);
    return found == record.conditions.end() ? std::string("nothing") : "'" + printable(found->second) + "'";
  };
  for (const auto &[name, value] : all)
    if (valueIn(base, name) != valueIn(fresh, name))
      notes.push_back({{},
                       "'" + printable(name) + "' is " + valueIn(base, name) + " in the base, " + valueIn(fresh, name) +
                           " in the new run"});
  if (notes.empty())
    return true;
  diagnostics
      .error(Code::E0115, {},
             "expects two runs under the same conditions, found " + std::to_string(notes.size()) + " that differ")
      .notes = std::move(notes);
  return false;
}

namespace {
struct Figure {
  const char *name;
  double base, fresh;
  bool isTime = false;
};
} // namespace

static ExitCode execute(const GateOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<double> threshold = readThreshold(options.threshold);
  if (!threshold)
    diagnostics.error(Code::E0104, {},
                      "--threshold expects a share such as 5% or 0.05: found '" + printable(options.threshold) + "'");
  std::optional<BenchRecord> base = readBenchRecord(options.base, diagnostics);
  std::optional<BenchRecord> fresh = readBenchRecord(options.fresh, diagnostics);
  if (diagnostics.hasErrors() || !base || !fresh || !alike(*base, *fresh, diagnostics))
    return context.finish(diagnostics);
  std::vector<Figure> figures = {
      {"mean_ms", base->statistics.mean, fresh->statistics.mean, true},
      {"p50_ms", base->statistics.p50, fresh->statistics.p50, true},
      {"p95_ms", base->statistics.p95, fresh->statistics.p95, true},
      {"p99_ms", base->statistics.p99, fresh->statistics.p99, true},
      {"memory_peak_mb", base->memoryPeakMb, fresh->memoryPeakMb},
      {"gm_bytes", double(base->gmBytes), double(fresh->gmBytes)},
  };
  if (base->cycles >= 0)
    figures.push_back({"cycles", double(base->cycles), double(fresh->cycles)});
  // Times vary by themselves: a change within the variation of either run is not an improvement.
  double noise = std::max(base->statistics.cv, fresh->statistics.cv);
  size_t losses = 0;
  if (!context.json())
    std::printf("| figure | base | new | change | |\n|---|---:|---:|---:|---|\n");
  for (const Figure &figure : figures) {
    double change = figure.base > 0 ? figure.fresh / figure.base - 1 : figure.fresh > 0 ? 1e9 : 0;
    bool loss = change > *threshold;
    losses += loss;
    bool gain = -change > std::max(*threshold, figure.isTime ? noise : 0);
    if (context.json()) {
      nlohmann::ordered_json line = {{"schema_version", 1}, {"figure", figure.name}, {"base", figure.base},
                                     {"new", figure.fresh}, {"change", change},      {"loss", loss},
                                     {"gain", gain}};
      std::cout << line.dump() << '\n';
    } else {
      std::printf("| %s | %.6g | %.6g | %+.1f %% | %s |\n", figure.name, figure.base, figure.fresh, change * 100,
                  loss   ? "LOSS"
                  : gain ? "gain"
                         : "");
    }
  }
  std::fflush(stdout);
  context.info("variation: " + std::to_string(base->statistics.cv) + " in the base, " +
               std::to_string(fresh->statistics.cv) + " in the new run; a time is a gain beyond the larger of them");
  if (losses)
    diagnostics.error(Code::E0711, {options.fresh},
                      std::to_string(losses) + " of " + std::to_string(figures.size()) +
                          " figures are worse than the base by more than " + options.threshold);
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<GateOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("base", options->base, "benchmark.json of the base").required().typeName("FILE");
  arguments.option("new", options->fresh, "benchmark.json of the new measurement").required().typeName("FILE");
  arguments
      .option("--threshold", options->threshold, "limit for the loss of a figure, for example 5% or 0.05 (default 5%)")
      .typeName("SHARE");
  return [options](Context &context) { return execute(*options, context); };
}

const Command &gateCommand() {
  static const Command command = {"gate", "compare two measurements and fail on a regression",
                                  "  opc gate base.json new.json --threshold=5%", declare};
  return command;
}

} // namespace opc::tool
