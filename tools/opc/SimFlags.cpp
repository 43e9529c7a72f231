// Options of the simulator.

#include "tools/opc/SimFlags.h"

#include "runtime/core/File.h"
#include "runtime/program/TargetFigures.h"

#include <charconv>

namespace opc::tool {

static std::string nearText(const std::string &name, const std::vector<std::string> &names) {
  const std::string near = nearestName(name, names);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

void addSimFlags(Arguments &arguments, SimFlags &flags) {
  arguments
      .option("--sanitize", flags.sanitize,
              "on sim: kinds of errors to look for, separated by ',': mem, race, init, sync; races are found by the "
              "order that flags and barriers define, not by timing")
      .typeName("KIND,KIND");
  arguments
      .option("--order", flags.order,
              "on sim: order of the pipes: 'time' (as modelled, default) or 'adversarial' (one of the worst orders "
              "that flags and barriers allow)")
      .typeName("time|adversarial");
  arguments
      .option("--numerics", flags.numerics,
              "on sim: 'exact' computes the nearest numbers (default), 'worst' the ends of the interval that the "
              "accuracy of the chip allows")
      .typeName("exact|worst");
  arguments.option("--seed", flags.seed, "seed of the adversarial order and of the errors (default 0)").typeName("N");
  arguments.flag("--portable", flags.portable,
                 "on sim: require barriers on the vector pipe too; other chips need them, this chip does not");
  addMemoryFlags(arguments, flags.memory);
  addTargetFigures(arguments, flags.figures);
}

void addMemoryFlags(Arguments &arguments, MemoryFlags &flags) {
  arguments
      .option("--memory-rates", flags.rates,
              "on sim: rates of loads and stores: 'file' (a weight in the vendor's configuration, default) or 'board' "
              "(the middle of what owners of boards report)")
      .typeName("file|board");
  arguments.flag("--l2", flags.l2, "on sim: loads of what L2 still holds take its width instead of these rates");
}

MemoryModel memoryModel(const MemoryFlags &flags, const std::string &figures, Diagnostics &diagnostics) {
  if (flags.rates != "file" && flags.rates != "board")
    diagnostics.error(Code::E0104, {},
                      "--memory-rates expects 'file' or 'board', found '" + printable(flags.rates) + "'", {},
                      nearText(flags.rates, {"file", "board"}));
  else if (flags.rates == "board" && !figures.empty())
    diagnostics.error(Code::E0104, {}, "--memory-rates=board and --target-figures both give rates", {}, "one of them");
  return {flags.rates == "board", flags.l2};
}

Option addTargetFigures(Arguments &arguments, std::string &value) {
  return arguments
      .option("--target-figures", value, "on sim: file with the figures of the cost model, from 'opc target calibrate'")
      .typeName("FILE");
}

std::optional<Target> readFigures(const std::string &path, Diagnostics &diagnostics) {
  constexpr int64_t kLongest = 1 << 20;
  if (path.empty())
    return std::nullopt;
  std::optional<std::string> text = readFile(path, kLongest, diagnostics);
  if (!text)
    return std::nullopt;
  TargetFigures figures;
  if (std::string why = readTargetFigures(*text, figures); !why.empty()) {
    diagnostics.error(Code::E0120, {path}, printable(why, 300));
    return std::nullopt;
  }
  return withFigures(*findTarget(figures.target), figures);
}

std::optional<Target> targetOf(const std::string &name, const std::optional<Target> &figures, const std::string &path,
                               Diagnostics &diagnostics) {
  const Target *target = findTarget(name);
  if (!target) {
    diagnostics.error(Code::E0500, {},
                      "the manifest names the chip '" + printable(name) + "' that the simulator does not know");
    return std::nullopt;
  }
  if (figures && figures->name() != target->name()) {
    diagnostics.error(Code::E0120, {path},
                      "expects figures of " + std::string(target->name()) +
                          ", for which the operator was compiled, found those of " + std::string(figures->name()));
    return std::nullopt;
  }
  return figures ? *figures : *target;
}

SimSettings simSettings(const SimFlags &flags, const std::string &device, Diagnostics &diagnostics) {
  SimSettings settings;
  if (flags.given() && device != "sim")
    diagnostics.error(Code::E0104, {},
                      "--sanitize, --order, --numerics, --seed, --portable, --memory-rates, --l2 and "
                      "--target-figures are of the simulator: found --device=" +
                          printable(device),
                      {}, "--device=sim");
  if (!flags.sanitize.empty()) {
    std::string wrong;
    settings.sanitize = parseSanitize(flags.sanitize, wrong);
    if (!settings.sanitize)
      diagnostics.error(Code::E0104, {},
                        "--sanitize expects kinds out of mem, race, init and sync, found '" + printable(wrong) + "'",
                        {}, nearText(wrong, sanitizerKinds()));
  }
  settings.target = readFigures(flags.figures, diagnostics);
  settings.portable = flags.portable;
  settings.memory = memoryModel(flags.memory, flags.figures, diagnostics);
  if (flags.order == "adversarial")
    settings.order = SimOrder::Adversarial;
  else if (flags.order != "time")
    diagnostics.error(Code::E0104, {},
                      "--order expects 'time' or 'adversarial', found '" + printable(flags.order) + "'", {},
                      nearText(flags.order, {"time", "adversarial"}));
  if (flags.numerics == "worst")
    settings.numerics = SimNumerics::Worst;
  else if (flags.numerics != "exact")
    diagnostics.error(Code::E0104, {},
                      "--numerics expects 'exact' or 'worst', found '" + printable(flags.numerics) + "'", {},
                      nearText(flags.numerics, {"exact", "worst"}));
  const char *end = flags.seed.data() + flags.seed.size();
  const auto [stop, failed] = std::from_chars(flags.seed.data(), end, settings.orderSeed);
  if (!flags.seed.empty() && (failed != std::errc() || stop != end))
    diagnostics.error(Code::E0104, {},
                      "--seed expects a number from 0 to 2^64 - 1, found '" + printable(flags.seed) + "'");
  settings.numericsSeed = settings.orderSeed;
  if (!flags.seed.empty() && flags.order == "time" && flags.numerics == "exact")
    diagnostics.error(Code::E0104, {},
                      "--seed chooses an adversarial order or draws errors: found --order=time and "
                      "--numerics=exact",
                      {}, "--order=adversarial or --numerics=worst");
  return settings;
}

} // namespace opc::tool
