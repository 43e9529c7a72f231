// `opc test`: tests every body of a contract against its reference, for sizes, types, seeds, special values
// and devices.
//
// Each body is compiled as by `opc compile`, into a temporary folder. One Python process makes the inputs and
// compares; kernels run here (KernelProcess.h). A case runs on all devices before the next one starts, so that
// inputs and expected results are made once. The simulator runs with all its sanitizers: their findings fail a case
// even if its results are correct. Shapes that the contract refuses and elements that it leaves unspecified are
// counted and reported.

#include "ops/contract/read/Reader.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/Python.h"
#include "tools/opc/run/KernelProcess.h"
#include "tools/opc/test/TestSession.h"
#include "tools/opc/test/TestVariants.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace opc::tool {

struct TestOptions {
  std::string contract, devices = "cpu,sim", socVersion = "Ascend310B", sizes, dtype, body, python, inputShape;
  std::string numerics; ///< as requested; empty: both, and worst numerics only warn without a chip_tolerance
  std::string opMode = "dynamic";
  uint64_t seed = 0;
  unsigned seeds = 0;
  bool full = false, portable = false;
  unsigned perturb = 0;
};

namespace {
/// Results of one body, type row, device and, on the simulator, kind of numerics.
struct Row {
  std::string body, typeRow, device;
  std::string numerics;  ///< "exact" or "worst"; empty for other devices
  bool hasKernel = true; ///< false: nothing was run, as for bfloat16 on the chip
  size_t cases = 0, failed = 0;
  bool stopped = false; ///< the kernel ended its process or did not end: skip further cases
  size_t depends = 0;   ///< cases that fail only because results were perturbed
  size_t beyond = 0;    ///< cases that exceed the tolerance only with the chip's worst numerics
  TestVerdict sum;
};

/// Results of comparing the reference with ONNX Runtime.
struct Opinions {
  std::string operatorName, missingModule;
  size_t cases = 0;
};

/// A temporary folder that the destructor removes.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code missing;
    parent = std::filesystem::temp_directory_path(missing).string();
    std::string pattern = parent + "/opc-test-XXXXXX";
    if (!missing && mkdtemp(pattern.data()))
      path = pattern;
    else
      error = missing ? missing.message() : std::strerror(errno);
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path.empty())
      std::filesystem::remove_all(path, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string path; ///< empty when it could not be created
  std::string parent, error;
};

/// A body under test.
struct Body {
  std::string name;
  std::unique_ptr<OpFolder> folder; ///< kernels point into its manifest
  std::vector<std::unique_ptr<Device>> devices;
};

/// The meaning of a wrong result of a case.
enum class Verdict {
  Fails,   ///< the operator is wrong
  Depends, ///< the result depends on how units round: --perturb counts such cases
  Beyond   ///< the chip may exceed the contract's tolerance, and the contract has no tolerance for the chip
};

/// A device and how it runs.
struct Asked {
  std::string device;
  std::string numerics; ///< as in Row
};
} // namespace

static constexpr size_t kMaxFailuresTold = 10;
static constexpr size_t kRowsTestedWhole = 4;
/// One in this many cases also runs with worst numerics, in addition to those with special values.
static constexpr size_t kWorstShare = 6;
static constexpr int64_t kWorstLargest = 70000; ///< most elements of a case with worst numerics
/// One in this many cases runs for other values of an attribute, without --full.
static constexpr unsigned kVariantShare = 8;

static std::optional<TestPlan> makePlan(const TestOptions &options, Diagnostics &diagnostics) {
  TestPlan plan;
  plan.seed = options.seed;
  plan.seeds = options.seeds ? options.seeds : options.full ? 100 : 4;
  plan.largeSeeds = options.seeds ? options.seeds : options.full ? 100 : 1;
  plan.sizes = defaultTestSizes();
  if (options.sizes.empty())
    return plan;
  plan.sizes.clear();
  plan.shapes = false;
  for (size_t start = 0; start <= options.sizes.size();) {
    size_t end = std::min(options.sizes.find(',', start), options.sizes.size());
    const char *first = options.sizes.data() + start, *last = options.sizes.data() + end;
    int64_t size = 0;
    auto [stop, error] = std::from_chars(first, last, size);
    if (first == last || stop != last || error != std::errc() || size < 0 || size > (int64_t(1) << 32)) {
      diagnostics.error(Code::E0104, {},
                        "--sizes expects numbers of elements from 0 to 4294967296 with ',' between "
                        "them: found '" +
                            printable(options.sizes) + "'");
      return std::nullopt;
    }
    plan.sizes.push_back(size);
    start = end + 1;
  }
  return plan;
}

static std::vector<std::string> splitNames(const std::string &text) {
  std::vector<std::string> names;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

/// A Python with the modules that the contract's types require; nullopt after reporting E0602 or E0603.
static std::optional<std::string> choosePython(const TestOptions &options, const Contract &contract,
                                               Diagnostics &diagnostics) {
  std::vector<std::string> modules = {"numpy"};
  auto needs = [](const ContractTensor &tensor) {
    return std::find(tensor.types.begin(), tensor.types.end(), ElementType::BFloat16) != tensor.types.end();
  };
  if (std::any_of(contract.inputs.begin(), contract.inputs.end(), needs) ||
      std::any_of(contract.outputs.begin(), contract.outputs.end(), needs))
    modules.push_back("ml_dtypes");
  Python python = findPython(options.python, modules);
  if (python.version.empty()) {
    diagnostics.error(Code::E0602, {},
                      "cannot run '" + printablePath(python.path) + "' (" + python.origin +
                          "): " + printable(python.error, 300),
                      {}, "'./dev setup' makes build/venv; or name one with --python or OPC_PYTHON");
    return std::nullopt;
  }
  for (const auto &[module, version] : python.modules)
    if (version.empty())
      diagnostics.error(Code::E0603, {},
                        "the Python at '" + printablePath(python.path) + "' (" + python.origin +
                            ") lacks the module '" + module + "'",
                        {}, "'" + printablePath(python.path) + " -m pip install " + module + "', or './dev setup'");
  if (diagnostics.hasErrors())
    return std::nullopt;
  return python.path;
}

/// The kinds of numerics that the simulator runs with.
static std::vector<std::string> numericsOf(const TestOptions &options) {
  if (options.perturb)
    return {"exact"};
  return splitNames(options.numerics.empty() ? "exact,worst" : options.numerics);
}

/// The requested devices; the simulator twice for both kinds of numerics.
static std::vector<Asked> askedOf(const TestOptions &options) {
  std::vector<Asked> asked;
  for (const std::string &name : splitNames(options.perturb ? "sim" : options.devices)) {
    if (name != "sim") {
      asked.push_back({name, ""});
      continue;
    }
    for (const std::string &kind : numericsOf(options))
      asked.push_back({name, kind});
  }
  return asked;
}

/// Creates a requested device; `seed` selects the draw of its numerics.
static std::unique_ptr<Device> makeDevice(const TestOptions &options, const Asked &asked, uint64_t seed,
                                          Diagnostics &diagnostics) {
  if (asked.device != "sim")
    return createDevice(asked.device, 0, diagnostics);
  SimSettings settings;
  settings.sanitize = Sanitize::all();
  settings.portable = options.portable;
  settings.perturbUlps = options.perturb;
  settings.perturbSeed = options.perturb ? options.seed : 0;
  settings.numerics = asked.numerics == "worst" ? SimNumerics::Worst : SimNumerics::Exact;
  settings.numericsSeed = seed;
  return createSimDevice(settings);
}

static std::optional<Body> prepare(const TestOptions &options, const Contract &contract, const ContractBody &body,
                                   const std::vector<unsigned> &rows, const StaticShapes &shapes,
                                   const std::string &folder, Diagnostics &diagnostics) {
  CompileOptions compile;
  compile.shapes = shapes;
  compile.target = chooseTarget(options.socVersion, diagnostics);
  compile.body = &body;
  compile.typeRows = rows;
  compile.portable = options.portable;
  if (!compile.target)
    return std::nullopt;
  CompileResult result = compileOperator(contract, compile, diagnostics);
  if (diagnostics.hasErrors() || !writeOutputFolder(folder, result.files, diagnostics))
    return std::nullopt;
  std::optional<OpFolder> opened = openOpFolder(folder, diagnostics);
  if (!opened)
    return std::nullopt;
  Body prepared{std::string(bodyLevelName(body.level)), std::make_unique<OpFolder>(std::move(*opened)), {}};
  for (const Asked &asked : askedOf(options)) {
    prepared.devices.push_back(makeDevice(options, asked, 0, diagnostics));
    if (!prepared.devices.back())
      return std::nullopt;
  }
  return prepared;
}

static bool hasKernel(const Device &device, const Manifest &manifest, unsigned typeRow) {
  const std::vector<ManifestKernel> &kernels = device.kernels(manifest);
  return std::any_of(kernels.begin(), kernels.end(),
                     [typeRow](const ManifestKernel &kernel) { return kernel.typeRow == typeRow; });
}

/// Fills outputs with unlikely bits, so that elements that are not written are found.
static void poison(std::vector<Tensor> &outputs) {
  for (Tensor &output : outputs)
    if (output.numBytes())
      std::memset(output.data(), output.type() == ElementType::Bool ? 1 : 0xa5, size_t(output.numBytes()));
}

static std::string describeCase(const TestCase &testCase, const TestData &data) {
  std::string text = testCase.special ? "special values, shape " : "shape ";
  bool several = false;
  for (const Shape &shape : testCase.inputs)
    if (shape != testCase.inputs.front())
      several = true;
  for (size_t i = 0; i < (several ? testCase.inputs.size() : 1); ++i)
    text += (i ? " and " : "") + shapeText(testCase.inputs[i]);
  text += ", seed " + std::to_string(testCase.seed);
  for (const auto &[name, value] : data.attributes)
    text += ", " + name + "=" + value;
  return text;
}

/// Describes a run: "sim, shape [33], seed 1", with the draw to repeat it by `opc run`.
static std::string describeRun(const Row &row, const TestCase &testCase, const TestData &data,
                               std::optional<uint64_t> draw) {
  std::string text = row.device;
  if (draw)
    text += " with --numerics=worst --seed=" + std::to_string(*draw);
  return text + ", " + describeCase(testCase, data);
}

/// Whether the kernel ended its process or did not end.
static bool endedTheProcess(const Diagnostics &found) {
  return std::any_of(found.all().begin(), found.all().end(), [](const Diagnostic &diagnostic) {
    return diagnostic.code == Code::E0594 || diagnostic.code == Code::E0595;
  });
}

/// Whether a launch failed because of the kernel, so that other cases may still pass.
static bool isOfTheKernel(const Diagnostics &found) {
  return found.hasErrors() && (found.exitCode() == ExitCode::CheckFailed || endedTheProcess(found));
}

/// Runs one case on one device and adds to its row; false when the session cannot go on.
static bool runCase(const Contract &contract, Body &body, Device &device, unsigned typeRow, const TestCase &testCase,
                    const TestData &data, std::optional<uint64_t> draw, Verdict wrong, TestSession &session, Row &row,
                    Diagnostics &diagnostics) {
  const std::string how = describeRun(row, testCase, data, draw);
  std::vector<const Tensor *> inputs;
  for (const Tensor &tensor : data.inputs)
    inputs.push_back(&tensor);
  // Odd seeds divide the work into several blocks, regardless of the device.
  LaunchTarget target{testCase.seed % 2 ? 3 : device.maxBlocks(), &device.kernels(body.folder->manifest), typeRow};
  const Manifest &manifest = body.folder->manifest;
  std::optional<BoundLaunch> launch =
      bindLaunch(manifest, inputs, data.attributes, target, diagnostics, makeSharedTensor);
  if (!launch)
    return false;
  poison(launch->outputs);
  Diagnostics found;
  if (!launchKernel(device, *body.folder, inputs, *launch, 1, /*trace=*/false, found)) {
    const bool goesOn = isOfTheKernel(found);
    row.stopped = goesOn && endedTheProcess(found);
    row.cases += goesOn;
    row.failed += goesOn;
    if (goesOn && diagnostics.errorCount() >= kMaxFailuresTold)
      return true;
    for (const Diagnostic &diagnostic : found.all())
      diagnostics.add(diagnostic);
    diagnostics.error(Code::E0702, {contract.path}, "'" + launch->kernel->name + "' failed on " + how);
    return goesOn;
  }
  for (const Diagnostic &diagnostic : found.all())
    diagnostics.add(diagnostic);
  std::optional<TestVerdict> verdict = session.check(launch->outputs, draw.has_value(), diagnostics);
  if (!verdict)
    return false;
  ++row.cases;
  row.sum.compared += verdict->compared;
  row.sum.skipped += verdict->skipped;
  row.sum.wrong += verdict->wrong;
  row.sum.worstUlp = std::max(row.sum.worstUlp, verdict->worstUlp);
  if (verdict->passed())
    return true;
  if (wrong != Verdict::Fails) {
    ++(wrong == Verdict::Depends ? row.depends : row.beyond);
    return true;
  }
  ++row.failed;
  if (diagnostics.errorCount() >= kMaxFailuresTold)
    return true;
  Diagnostic &error = diagnostics.error(Code::E0700, {contract.path},
                                        "'" + launch->kernel->name + "' (body " + body.name + ") on " + how + ": " +
                                            std::to_string(verdict->wrong) + " of " +
                                            std::to_string(verdict->compared) + " elements are wrong");
  for (const std::string &element : verdict->first)
    error.notes.push_back({{}, element});
  if (draw)
    error.fix = "a formula that loses less, or 'chip_tolerance' in the contract with what the errors "
                "of its steps come to; 'opc target show' lists what the chip's functions may miss by";
  return true;
}

/// The rows among `asked` that a body serves; reports the others.
static std::vector<unsigned> servedRows(const Contract &contract, const ContractBody &body,
                                        const std::vector<unsigned> &asked, Context &context) {
  std::vector<unsigned> served = contract.rowsOf(body), rows;
  for (unsigned row : asked)
    if (std::find(served.begin(), served.end(), row) != served.end())
      rows.push_back(row);
    else
      context.info("skipped: " + contract.typeRowName(row) + ", which the body at level " +
                   std::string(bodyLevelName(body.level)) + " does not serve");
  return rows;
}

/// Compares the reference with ONNX Runtime: a difference is a failure; a Python without ONNX Runtime is reported,
/// and refused with --full.
static bool compareReferences(const Contract &contract, const std::vector<TestCase> &cases, const TestOptions &options,
                              TestSession &session, Opinions &opinions, Diagnostics &diagnostics) {
  constexpr int64_t kLargest = 1 << 14;
  unsigned row = 0;
  for (unsigned i = 0; i < contract.typeRows(); ++i)
    if (contract.inputs.back().types[i] == ElementType::Float32)
      row = i;
  for (size_t i = 0; i < cases.size(); ++i) {
    int64_t elements = 0;
    for (const Shape &shape : cases[i].inputs)
      elements = std::max(elements, checkedElements(shape).value_or(INT64_MAX));
    bool again = i > 0 && cases[i].inputs == cases[i - 1].inputs && cases[i].axes == cases[i - 1].axes;
    // Skip cases without elements, and all but one seed of a shape.
    if (cases[i].special || again || elements == 0 || elements > kLargest)
      continue;
    std::optional<SecondOpinion> opinion = session.askOnnx(cases[i], row, diagnostics);
    if (!opinion)
      return false;
    opinions.missingModule = opinion->missingModule;
    opinions.operatorName = opinion->operatorName;
    if (!opinion->missingModule.empty() || opinion->operatorName.empty())
      break;
    ++opinions.cases;
    if (opinion->wrong)
      diagnostics.error(Code::E0703, {contract.filePath(contract.reference)},
                        "the reference and ONNX Runtime's " + opinion->operatorName + " differ, shape " +
                            shapeText(cases[i].inputs.front()) + ": " + std::to_string(opinion->wrong) + " of " +
                            std::to_string(opinion->compared) + " elements; " + opinion->text);
    if (diagnostics.errorCount() >= kMaxFailuresTold)
      break;
  }
  if (!opinions.missingModule.empty() && options.full)
    diagnostics.error(Code::E0603, {},
                      "Python lacks the module '" + printable(opinions.missingModule) + "' for the second reference",
                      {}, "'python -m pip install onnxruntime onnx', or './dev setup'");
  return !diagnostics.hasErrors();
}

static bool reducesAny(const Contract &contract) {
  return std::any_of(contract.outputs.begin(), contract.outputs.end(),
                     [](const ContractTensor &output) { return bool(output.reduces); });
}

/// The meaning of wrong results of a run. With worst numerics they are failures if the contract has chip tolerances
/// or the numerics were requested by name.
static Verdict meaningOf(const TestOptions &options, const Contract &contract, const Asked &asked) {
  if (options.perturb)
    return Verdict::Depends;
  bool isHeld = !options.numerics.empty() || !contract.precision.chipTolerances.empty();
  return asked.numerics == "worst" && !isHeld ? Verdict::Beyond : Verdict::Fails;
}

/// Warns once about type rows that exceed the tolerance because of the chip's unpublished accuracy.
static void warnBeyond(const Contract &contract, const std::vector<Row> &rows, Diagnostics &diagnostics) {
  std::string found;
  for (const Row &row : rows)
    if (row.beyond) {
      char ulp[32];
      std::snprintf(ulp, sizeof ulp, "%.3g", row.sum.worstUlp);
      found += (found.empty() ? "" : ", ") + row.typeRow + " by up to " + ulp + " ulp";
    }
  if (!found.empty())
    diagnostics.warning(Code::E0700, contract.location,
                        "with the worst results that the chip's functions may have, the operator misses its "
                        "tolerance: " +
                            found,
                        "",
                        "state in 'chip_tolerance' what holds on the chip, or choose a formula that loses less; "
                        "--numerics=worst makes this an error");
}

static void report(const Contract &contract, const std::vector<Row> &rows, size_t refused, const Opinions &opinions,
                   Context &context) {
  if (!context.json())
    std::printf("%-8s %-14s %-6s %-8s %8s %12s %10s %12s  %s\n", "body", "types", "device", "numerics", "cases",
                "elements", "left open", "worst ulp", "result");
  for (const Row &row : rows) {
    if (context.json()) {
      nlohmann::ordered_json record = {
          {"schema_version", 1},
          {"operator", contract.opType},
          {"body", row.body},
          {"type_row", row.typeRow},
          {"device", row.device},
          {"numerics", row.numerics.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.numerics)},
          {"cases", row.cases},
          {"failed", row.failed},
          {"elements", row.sum.compared},
          {"left_open", row.sum.skipped},
          {"wrong", row.sum.wrong},
          {"worst_ulp", row.sum.worstUlp},
          {"refused_shapes", refused},
          {"skipped", !row.hasKernel},
          {"reduces", reducesAny(contract)},
          {"depends", row.depends},
          {"beyond", row.beyond},
          {"onnx", opinions.operatorName},
          {"onnx_cases", opinions.cases}};
      std::cout << record.dump() << '\n';
      continue;
    }
    std::printf("%-8s %-14s %-6s %-8s %8zu %12lld %10lld %12.3g  %s\n", row.body.c_str(), row.typeRow.c_str(),
                row.device.c_str(), row.numerics.empty() ? "-" : row.numerics.c_str(), row.cases,
                static_cast<long long>(row.sum.compared), static_cast<long long>(row.sum.skipped), row.sum.worstUlp,
                row.failed       ? (std::to_string(row.failed) + " FAILED").c_str()
                : row.depends    ? ("depends on it: " + std::to_string(row.depends)).c_str()
                : row.beyond     ? ("beyond tolerance: " + std::to_string(row.beyond)).c_str()
                : !row.hasKernel ? "skipped"
                                 : "passed");
  }
  std::fflush(stdout);
  size_t without = size_t(std::count_if(rows.begin(), rows.end(),
                                        [](const Row &row) { return !row.hasKernel && row.numerics != "worst"; }));
  if (without)
    context.info("skipped: " + std::to_string(without) + " type rows that a device has no kernel for");
  if (opinions.cases)
    context.info("the reference agrees with ONNX Runtime's " + opinions.operatorName + " on " +
                 std::to_string(opinions.cases) + " shapes");
  else if (!opinions.missingModule.empty())
    context.info("skipped: the comparison with ONNX Runtime; Python lacks '" + opinions.missingModule + "'");
  if (refused)
    context.info("skipped: " + std::to_string(refused) + " shapes that the contract refuses");
}

/// The exit code of a session that cannot continue. An interruption by a signal is not an error of the kernel.
static ExitCode ended(const Diagnostics &diagnostics, Context &context) {
  return DeferredSignals::arrived() ? ExitCode::CheckFailed : context.finish(diagnostics);
}

/// Runs the cases of one type row on all requested devices; `ofDevices` has a row for each. False when the session
/// cannot continue.
static bool runRow(const TestOptions &options, const Contract &contract, Body &body, unsigned typeRow,
                   const std::vector<TestCase> &sample, const std::vector<Asked> &asked, TestSession &session,
                   Row *ofDevices, Diagnostics &diagnostics) {
  const bool onlyWorst =
      std::all_of(asked.begin(), asked.end(), [](const Asked &one) { return one.numerics == "worst"; });
  const std::vector<bool> drawn =
      options.full ? std::vector<bool>(sample.size(), true) : sampleForDraws(sample, kWorstShare, kWorstLargest);
  for (size_t d = 0; d < asked.size(); ++d)
    ofDevices[d].hasKernel = hasKernel(*body.devices[d], body.folder->manifest, typeRow);
  uint64_t draws = 0;
  for (size_t c = 0; c < sample.size(); ++c) {
    if (onlyWorst && !drawn[c])
      continue;
    if (DeferredSignals::arrived())
      return false;
    std::optional<TestData> data = session.make(sample[c], typeRow, diagnostics);
    if (!data)
      return false;
    for (size_t d = 0; d < asked.size(); ++d) {
      Row &row = ofDevices[d];
      std::optional<uint64_t> draw;
      if (row.numerics == "worst") {
        if (!drawn[c])
          continue;
        draw = options.seed + draws++;
        body.devices[d] = makeDevice(options, asked[d], *draw, diagnostics);
      }
      if (row.hasKernel && !row.stopped &&
          !runCase(contract, body, *body.devices[d], typeRow, sample[c], *data, draw,
                   meaningOf(options, contract, asked[d]), session, row, diagnostics))
        return false;
    }
  }
  return true;
}

static ExitCode execute(const TestOptions &options, Context &context) {
  // Deferred signals take effect after the temporary folder is removed.
  DeferredSignals signals;
  Diagnostics diagnostics;
  if (options.perturb && options.devices != "sim" && options.devices != TestOptions().devices)
    diagnostics.error(Code::E0104, {}, "--perturb is of the simulator: found --device=" + printable(options.devices));
  std::optional<TestPlan> plan = makePlan(options, diagnostics);
  chooseTarget(options.socVersion, diagnostics);
  for (const std::string &name : splitNames(options.devices))
    createDevice(name, 0, diagnostics);
  for (const std::string &kind : numericsOf(options))
    if (kind != "exact" && kind != "worst")
      diagnostics.error(Code::E0104, {},
                        "--numerics expects 'exact', 'worst' or both with ',' between them, found '" +
                            printable(options.numerics) + "'");
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<Contract> contract = loadContract(options.contract, diagnostics);
  if (!contract)
    return context.finish(diagnostics);
  std::vector<unsigned> typeRows = chooseTypeRows(*contract, options.dtype, diagnostics);
  const ContractBody *only = options.body.empty() ? nullptr : chooseBody(*contract, options.body, diagnostics);
  StaticShapes shapes;
  checkOpMode(options.opMode, options.inputShape, diagnostics);
  if (options.opMode == "static" && !options.inputShape.empty())
    if (auto chosen = chooseInputShapes(*contract, options.inputShape, diagnostics)) {
      shapes = std::move(*chosen);
      plan->only.emplace();
      for (const ContractTensor &input : contract->inputs)
        plan->only->push_back(shapes[input.name]);
    }
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<std::string> python = choosePython(options, *contract, diagnostics);
  TemporaryFolder temporary;
  if (python && temporary.path.empty())
    diagnostics.error(Code::E0601, {},
                      "cannot make a temporary folder in '" + printablePath(temporary.parent) + "': " + temporary.error,
                      {}, "TMPDIR names another place for it");
  TestSession session;
  session.tell = [&context](const std::string &line) { context.info(line); };
  if (diagnostics.hasErrors() || !session.open(*python, *contract, diagnostics))
    return context.finish(diagnostics);

  size_t refused = 0;
  std::vector<TestCase> cases = makeTestCases(*contract, *plan, refused);
  Opinions opinions;
  if (!compareReferences(*contract, cases, options, session, opinions, diagnostics))
    return context.finish(diagnostics);
  if (typeRows.empty())
    typeRows = contract->rowsOf(only ? *only : contract->bodies.front());
  std::vector<Row> rows;
  const std::vector<Asked> asked = askedOf(options);
  std::vector<TestVariant> variants = testVariants(*contract);
  for (size_t i = 0; i < contract->bodies.size(); ++i) {
    const ContractBody &contractBody = contract->bodies[i];
    if (only && only != &contractBody)
      continue;
    // When --body is given, the compiler refuses rows that the body lacks.
    std::vector<unsigned> bodyRows = only ? typeRows : servedRows(*contract, contractBody, typeRows, context);
    if (bodyRows.empty())
      continue;
    size_t first = rows.size();
    for (unsigned typeRow : bodyRows)
      for (const Asked &one : asked) {
        Row row;
        row.body = bodyLevelName(contractBody.level);
        row.typeRow = contract->typeRowName(typeRow);
        row.device = one.device;
        row.numerics = one.numerics;
        rows.push_back(std::move(row));
      }
    for (size_t v = 0; v < variants.size(); ++v) {
      const Contract &tested = variants[v].contract;
      std::string folder = temporary.path + "/" + std::to_string(i) + "-" + std::to_string(v);
      session.use(tested);
      // Separate diagnostics, so that errors of another body do not stop this one.
      Diagnostics found;
      std::optional<Body> body = prepare(options, tested, tested.bodies[i], bodyRows, shapes, folder, found);
      for (const Diagnostic &diagnostic : found.all())
        diagnostics.add(diagnostic);
      if (!body)
        return context.finish(diagnostics);
      // Up to four rows run every case; more rows share the cases.
      unsigned share = options.full ? 1 : unsigned((bodyRows.size() + kRowsTestedWhole - 1) / kRowsTestedWhole);
      if (v > 0 && !options.full) // at least four cases
        share = std::max(share, std::min(share * kVariantShare, unsigned(cases.size() / 4)));
      for (size_t r = 0; r < bodyRows.size(); ++r) {
        std::vector<TestCase> sample = sampleCases(cases, share, plan->seed + bodyRows[r] + v);
        Row *ofDevices = &rows[first + r * asked.size()];
        if (!runRow(options, tested, *body, bodyRows[r], sample, asked, session, ofDevices, diagnostics))
          return ended(diagnostics, context);
      }
    }
  }
  // Rows with worst numerics come after exact ones.
  std::stable_partition(rows.begin(), rows.end(), [](const Row &row) { return row.numerics != "worst"; });
  if (variants.size() > 1) {
    std::string values;
    for (const TestVariant &variant : variants)
      values += (values.empty() ? "" : ", ") + variant.changed;
    context.info("compiled with other values too: " + values);
  }
  report(*contract, rows, refused, opinions, context);
  warnBeyond(*contract, rows, diagnostics);
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<TestOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("contract", options->contract, "op_contract.yaml of the operator").required().typeName("FILE");
  arguments.option("--device", options->devices, "devices to run on, separated by ',' (default cpu,sim)")
      .typeName("cpu,sim");
  addChip(arguments, options->socVersion, "default Ascend310B");
  arguments
      .option("--sizes", options->sizes,
              "numbers of elements, separated by ',' (default 0 to 1000003, and shapes of all ranks)")
      .typeName("N,N");
  addOpMode(
      arguments, options->opMode, options->inputShape,
      "dynamic: shapes of all kinds; static: only the shapes of --input_shape, for which the operator is compiled");
  addSeed(arguments, options->seed, "first seed (default 0)");
  arguments.option("--seeds", options->seeds, "number of seeds for each size (default 4, and 1 above 4096 elements)")
      .typeName("N")
      .check(wholeNumber(1, 100000));
  arguments.flag("--full", options->full, "use 100 seeds for each size");
  arguments.flag("--portable", options->portable,
                 "compile with --portable, and require barriers on the vector pipe on sim");
  arguments
      .option("--perturb", options->perturb,
              "on sim: change results of units whose rounding is assumed by up to N units in the last place, and "
              "report the results that depend on it")
      .typeName("N")
      .check(wholeNumber(1, 1000));
  arguments
      .option("--numerics", options->numerics,
              "on sim: 'exact' computes the nearest numbers, 'worst' the ends of the interval that the accuracy of the "
              "chip allows, on a sample of the cases (default exact,worst)")
      .typeName("exact,worst");
  addTypeRows(arguments, options->dtype);
  addBody(arguments, options->body, "level of the body to test (default all)");
  addPython(arguments, options->python);
  return [options](Context &context) { return execute(*options, context); };
}

const Command &testCommand() {
  static const Command command = {"test", "compare an operator with its reference",
                                  "  opc test op_contract.yaml\n"
                                  "  opc test op_contract.yaml --device=sim --sizes=0,1,4097 --seeds=10\n"
                                  "  opc test op_contract.yaml --full --format=json",
                                  declare};
  return command;
}

} // namespace opc::tool
