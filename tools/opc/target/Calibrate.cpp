// `opc target calibrate`: fits the assumed figures of the cost model to measurements on a board.
//
//   op_summary.csv -> rows of the operators in --kernels
//                  -> each shape once on the simulator: the work of its pipes, as sums without times
//                  -> an equation for each pipe of each row -> least squares -> figures with errors
//
// The profiler measures the time in which a pipe works. So figures that only delay work (flags, barriers) have no
// effect on the measurements and keep their values, and figures that always occur together in the measured kernels
// are reported as not identifiable.

#include "tools/opc/target/Calibrate.h"

#include "runtime/core/File.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/sim/SimDevice.h"
#include "runtime/program/TargetFigures.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/Sensitivity.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/run/SimLaunch.h"
#include "tools/opc/target/Fit.h"
#include "tools/opc/target/Measurements.h"
#include "tools/opc/tensors/RandomInputs.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>

namespace opc::tool {

using Json = nlohmann::ordered_json;

struct CalibrateOptions {
  std::string measurements, chip = "Ascend310B", output;
  std::vector<std::string> kernels, attributes;
};

/// Tolerance of cycles per microsecond around the chip's clock: allows rounding of short launches and
/// slight throttling.
static constexpr double kClockTolerance = 0.05;
/// With fewer cycles, the rounding in the table hides the clock.
static constexpr double kLeastCyclesForClock = 1000;

static Pipe pipeOf(MeasuredPipe pipe) {
  constexpr Pipe pipes[kMeasuredPipes] = {Pipe::V, Pipe::MTE2, Pipe::MTE3, Pipe::S};
  return pipes[static_cast<size_t>(pipe)];
}

namespace {
/// A figure to fit. For a rate the unknown is the inverse, in which costs are linear.
struct Unknown {
  const Figure *figure;
  bool inverse;
  double assumed() const { return inverse ? 1 / figure->value : figure->value; }
};

class Calibration {
public:
  Calibration(const CalibrateOptions &options, Context &context) : options(options), context(context) {}
  ExitCode run();

private:
  bool openFolders();
  bool checkClock(const Measurement &row);
  std::optional<WorkTally> workOf(const Measurement &row);
  bool addEquations(const Measurement &row);
  void fit();
  bool write(const TargetFigures &figures);
  void print(const TargetFigures &figures) const;

  const CalibrateOptions &options;
  Context &context;
  Diagnostics diagnostics;
  const Target *target = nullptr;
  std::map<std::string, OpFolder> folders; ///< by op type
  std::vector<NamedValue> attributes;
  std::vector<Unknown> unknowns;
  std::vector<Target> doubled;                        ///< by unknown: the chip with twice its value
  std::map<std::string, std::vector<Equation>> known; ///< coefficients of earlier shapes
  std::vector<Equation> equations;
  FitResult result;
  size_t rows = 0, skipped = 0;
};
} // namespace

bool Calibration::openFolders() {
  target = chooseTarget(options.chip, diagnostics);
  if (!target)
    return false;
  if (target->name() != options.chip)
    context.info("'" + options.chip + "' stands for " + std::string(target->name()));
  attributes = parseAttributes(options.attributes, diagnostics);
  for (const std::string &path : options.kernels) {
    std::optional<OpFolder> folder = openOpFolder(path, diagnostics);
    if (!folder)
      return false;
    const std::string opType = folder->manifest.opType;
    if (folder->manifest.target != target->name())
      diagnostics.error(Code::E0121, Location{path},
                        "expects kernels for " + std::string(target->name()) + ", found those of " +
                            printable(folder->manifest.target),
                        {}, "--soc_version=" + printable(folder->manifest.target));
    else if (!folders.emplace(opType, std::move(*folder)).second)
      diagnostics.error(Code::E0109, Location{path}, "--kernels names operator '" + printable(opType) + "' twice");
  }
  return !diagnostics.hasErrors();
}

bool Calibration::checkClock(const Measurement &row) {
  if (row.totalCycles < kLeastCyclesForClock || row.coreMicroseconds <= 0)
    return true;
  const double clock = row.totalCycles / row.coreMicroseconds;
  auto fits = [clock](const Target &chip) { return std::abs(clock / chip.clockMHz() - 1) <= kClockTolerance; };
  if (fits(*target))
    return true;
  std::string fix;
  for (const Target &other : allTargets())
    if (fits(other))
      fix = "--soc_version=" + std::string(other.name());
  diagnostics.error(Code::E0121, Location{options.measurements, row.line},
                    "expects total_cycles over aicore_time(us) at the clock of " + std::string(target->name()) + ", " +
                        std::to_string(int64_t(target->clockMHz())) + " MHz, found " +
                        std::to_string(int64_t(std::min(clock, 1e9))),
                    {}, fix);
  return false;
}

/// The work of the pipes in a launch with the row's shapes and types.
std::optional<WorkTally> Calibration::workOf(const Measurement &row) {
  const OpFolder &folder = folders.at(row.opType);
  const Manifest &manifest = folder.manifest;
  const Location place{options.measurements, row.line};
  const bool withOptional = row.inputShapes.size() == manifest.inputs.size();
  std::vector<std::optional<Tensor>> inputs(manifest.inputs.size());
  size_t next = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!withOptional && !manifest.inputs[i].required)
      continue;
    if (next == row.inputShapes.size())
      break;
    inputs[i] = Tensor::create(row.inputTypes[next], row.inputShapes[next]);
    if (!inputs[i]) {
      diagnostics.error(Code::E0527, place, "no memory for an input of shape " + shapeText(row.inputShapes[next]));
      return std::nullopt;
    }
    fillRandom(*inputs[i], i, manifest.inputs[i]);
    ++next;
  }
  if (next != row.inputShapes.size()) {
    diagnostics.error(Code::E0121, place,
                      "expects the inputs of '" + row.opType + "', which has " +
                          std::to_string(manifest.inputs.size()) + ", found " + std::to_string(row.inputShapes.size()) +
                          " shapes");
    return std::nullopt;
  }
  std::vector<const Tensor *> given;
  for (const std::optional<Tensor> &input : inputs)
    given.push_back(input ? &*input : nullptr);
  LaunchTarget launchTarget{1, nullptr, std::nullopt};
  if (row.outputTypes.size() == manifest.outputs.size())
    launchTarget.outputTypes.assign(row.outputTypes.begin(), row.outputTypes.end());
  const size_t before = diagnostics.errorCount();
  std::optional<BoundLaunch> launch = bindLaunch(manifest, given, attributes, launchTarget, diagnostics);
  std::optional<SimulatorProgram> program;
  if (launch)
    program = loadSimulatorProgram(folder.path, manifest, *launch->kernel, diagnostics);
  SimOptions bare;
  bare.sanitize = Sanitize{};
  SimResult simulated;
  if (program && simulateLaunch(manifest, *program, *target, given, *launch, bare, simulated, diagnostics))
    return std::move(simulated.work);
  if (diagnostics.errorCount() != before)
    diagnostics.error(Code::E0121, place,
                      "expects a launch that '" + printable(folder.path) +
                          "' can run: the error before this one says why not");
  return std::nullopt;
}

/// Adds the equations of one row; reuses the coefficients of shapes that occurred before.
bool Calibration::addEquations(const Measurement &row) {
  std::string key = row.opType;
  for (size_t i = 0; i < row.inputShapes.size(); ++i)
    key += ";" + std::string(elementTypeName(row.inputTypes[i])) + shapeText(row.inputShapes[i]);
  for (ElementType type : row.outputTypes)
    key += ">" + std::string(elementTypeName(type));
  auto [found, isNew] = known.try_emplace(key);
  if (isNew) {
    std::optional<WorkTally> work = workOf(row);
    if (!work)
      return false;
    const PipeCycles base = work->cost(*target);
    found->second.resize(kMeasuredPipes);
    for (size_t pipe = 0; pipe < kMeasuredPipes; ++pipe)
      found->second[pipe].fixed = base[size_t(pipeOf(MeasuredPipe(pipe)))];
    for (size_t i = 0; i < unknowns.size(); ++i) {
      const PipeCycles more = work->cost(doubled[i]);
      for (size_t pipe = 0; pipe < kMeasuredPipes; ++pipe) {
        const size_t index = size_t(pipeOf(MeasuredPipe(pipe)));
        const double part = more[index] - base[index]; // the part of this unknown, since costs are linear
        found->second[pipe].coefficients.push_back(part / unknowns[i].assumed());
        found->second[pipe].fixed -= part;
      }
    }
  }
  for (size_t pipe = 0; pipe < kMeasuredPipes; ++pipe) {
    Equation equation = found->second[pipe];
    equation.measured = row.microseconds[pipe] * target->clockMHz();
    if (equation.measured > 0)
      equations.push_back(std::move(equation));
  }
  return true;
}

void Calibration::fit() {
  std::vector<double> assumed;
  for (const Unknown &unknown : unknowns)
    assumed.push_back(unknown.assumed());
  result = fitLeastSquares(equations, assumed);
  for (size_t i = 0; i < unknowns.size(); ++i) {
    FittedUnknown &fitted = result.unknowns[i];
    if (!fitted.identifiable || !unknowns[i].inverse || fitted.value <= 0)
      continue;
    fitted.standardError /= fitted.value * fitted.value; // of 1 / x, to first order
    fitted.value = 1 / fitted.value;
  }
}

void Calibration::print(const TargetFigures &figures) const {
  if (context.json()) {
    Json list = Json::array();
    for (size_t i = 0; i < unknowns.size(); ++i) {
      const FittedUnknown &fitted = result.unknowns[i];
      Json entry = {{"name", unknowns[i].figure->name},
                    {"unit", unknowns[i].figure->unit},
                    {"assumed", unknowns[i].figure->value},
                    {"identifiable", fitted.identifiable}};
      if (fitted.identifiable) {
        entry["fitted"] = fitted.value;
        entry["standard_error"] = fitted.standardError;
      }
      list.push_back(std::move(entry));
    }
    const Json record = {{"schema_version", 1},
                         {"target", target->name()},
                         {"rows", rows},
                         {"skipped_rows", skipped},
                         {"equations", equations.size()},
                         {"rank", result.rank},
                         {"relative_residual", result.residual},
                         {"figures", std::move(list)},
                         {"written", figures.figures.size()}};
    std::cout << writeJson(record) << '\n';
    return;
  }
  std::string hidden;
  std::printf("%-26s %-8s %10s %12s %14s\n", "figure", "unit", "assumed", "fitted", "standard error");
  for (size_t i = 0; i < unknowns.size(); ++i) {
    const Figure &figure = *unknowns[i].figure;
    const FittedUnknown &fitted = result.unknowns[i];
    if (fitted.identifiable)
      std::printf("%-26s %-8s %10s %12s %14s\n", std::string(figure.name).c_str(), std::string(figure.unit).c_str(),
                  numberText("%.4g", figure.value).c_str(), numberText("%.4g", fitted.value).c_str(),
                  numberText("%.4g", fitted.standardError).c_str());
    else
      hidden += (hidden.empty() ? "" : ", ") + std::string(figure.name);
  }
  if (!hidden.empty())
    std::printf("\nnot identifiable from these rows, kept as assumed: %s\n", hidden.c_str());
  std::fflush(stdout);
  context.info(std::to_string(rows) + " rows (" + std::to_string(skipped) + " of other operators left out), " +
               std::to_string(equations.size()) + " equations, rank " + std::to_string(result.rank) +
               (std::isfinite(result.residual) ? "; the model misses them by " +
                                                     numberText("%.4g", 100 * result.residual) + " % (root mean square)"
                                               : "; none is left over to measure the error of the model"));
}

bool Calibration::write(const TargetFigures &figures) {
  if (options.output.empty())
    return true;
  const std::string text = writeTargetFigures(figures);
  std::optional<AtomicFile> file = AtomicFile::create(options.output, diagnostics);
  if (!file)
    return false;
  file->write(text.data(), text.size());
  return file->commit(diagnostics);
}

ExitCode Calibration::run() {
  if (!openFolders())
    return context.finish(diagnostics);
  std::vector<std::string> opTypes;
  for (const auto &[opType, folder] : folders)
    opTypes.push_back(opType);
  std::optional<std::vector<Measurement>> measurements =
      readMeasurements(options.measurements, opTypes, skipped, diagnostics);
  if (!measurements)
    return context.finish(diagnostics);
  rows = measurements->size();
  for (const Figure &figure : target->figures())
    if (figure.cost && figure.assumed()) {
      const bool inverse = figure.unit == "B/cycle";
      unknowns.push_back({&figure, inverse});
      doubled.push_back(target->withFigure(figure.name, figure.value * (inverse ? 0.5 : 2)));
    }
  for (const Measurement &row : *measurements)
    if (!checkClock(row) || !addEquations(row))
      return context.finish(diagnostics);
  fit();
  TargetFigures figures{std::string(target->name()), {}};
  for (size_t i = 0; i < unknowns.size(); ++i) {
    const FittedUnknown &fitted = result.unknowns[i];
    const std::string name(unknowns[i].figure->name);
    if (!fitted.identifiable)
      continue;
    const bool known = std::isfinite(fitted.standardError);
    if (fitted.value > 0 && std::isfinite(fitted.value))
      figures.figures.push_back({name, fitted.value, known ? fitted.standardError : 0});
    else
      diagnostics.warning(Code::E0121, Location{options.measurements},
                          "figure '" + name + "' comes out as " + numberText("%.4g", fitted.value) + " +- " +
                              numberText("%.4g", fitted.standardError) +
                              ", which is not above 0: it is left out of the file");
  }
  if (!write(figures))
    return context.finish(diagnostics);
  context.print(diagnostics);
  print(figures);
  return ExitCode::Done;
}

void declareCalibrate(Declaration &declaration) {
  auto options = std::make_shared<CalibrateOptions>();
  Arguments arguments = declaration.sub("calibrate", "fit assumed figures to measurements on a board",
                                        "  opc target calibrate op_summary.csv --kernels=out -o figures.json\n"
                                        "  opc run out --device=sim --input x=@a.npy --target-figures=figures.json");
  arguments.option("measurements", options->measurements, "the profiler's op_summary CSV").required().typeName("FILE");
  arguments.option("--kernels", options->kernels, "op folder of a measured operator; once for each operator")
      .required()
      .typeName("DIR")
      .oneEach();
  addChip(arguments, options->chip, "default Ascend310B");
  arguments.option("--attr", options->attributes, "value of an attribute of all launches: NAME=VALUE")
      .typeName("NAME=VALUE")
      .oneEach();
  addOutput(arguments, options->output, "write the fitted figures to this file, for --target-figures");
  declaration.on(arguments, [options](Context &context) { return Calibration(*options, context).run(); });
}

} // namespace opc::tool
