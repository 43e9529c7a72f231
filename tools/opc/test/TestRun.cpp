#include "tools/opc/test/TestRun.h"

#include "runtime/core/launch/Launch.h"
#include "runtime/core/tensor/PackedMatrix.h"
#include "runtime/device/cpu/KernelLibrary.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/libraries/Exceptions.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/LineChild.h"
#include "tools/opc/run/RepeatedLaunch.h"
#include "tools/opc/tensors/OutputDifference.h"
#include "tools/opc/test/TestVariants.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>

namespace opc::tool {

namespace {
/// The meaning of a wrong result of a case.
enum class Verdict {
  Fails,   ///< the operator is wrong
  Depends, ///< the result depends on how units round: --perturb counts such cases
  Beyond   ///< the chip may exceed the contract's tolerance, and the contract has no tolerance for the chip
};
} // namespace

/// One in this many cases also runs with worst numerics, in addition to those with special values.
static constexpr size_t kWorstShare = 6;
static constexpr std::chrono::hours kPatienceWithCompiler(24);
static constexpr int64_t kWorstLargest = 70000; ///< most elements of a case with worst numerics

std::vector<AskedDevice> askedOf(const TestOptions &options) {
  std::vector<AskedDevice> asked;
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
static std::unique_ptr<Device> makeDevice(const TestOptions &options, const AskedDevice &asked, uint64_t seed,
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

/// Compiles into `folder`, in a child: processes for kernels are forks (KernelServer.h), which copy the tables of all
/// pages that this process has touched, those of the compiler and its libraries among them.
static bool compileInChild(const Contract &contract, const CompileOptions &options, const std::string &folder,
                           Diagnostics &diagnostics) {
  auto compile = [&](const LineChild::Say &, Diagnostics &found) {
    DeferredSignals deferred; // output is complete or absent
    // Leftovers of a killed child are removed with the folder of the test.
    setenv("TMPDIR", std::filesystem::path(folder).parent_path().c_str(), /*overwrite=*/1);
    try {
      CompileResult result = compiler().compileOperator(contract, options, found);
      if (!found.hasErrors())
        writeOutputFolder(folder, result.files, found);
    } catch (...) {
      reportException(found);
    }
  };
  std::optional<LineChild> child = LineChild::start(LineChild::Kind::OwnWork, compile, diagnostics);
  if (!child)
    return false;
  const bool answered = child->listen(kPatienceWithCompiler, [](const std::string &) { return false; }, diagnostics);
  const int status = child->end();
  if (answered)
    return !diagnostics.hasErrors();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  // A terminal sends its signal to both processes, and the child may receive it first.
  if ((signal == SIGINT || signal == SIGTERM || signal == SIGHUP) && !DeferredSignals::arrived())
    std::raise(signal);
  // A termination signal ends this process after its temporary folder is removed; a crash of the compiler has the same
  // effect here.
  if (DeferredSignals::arrived())
    return false;
  if (signal != 0 && signal != SIGKILL) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  // The system kills processes when memory runs out, the largest first.
  diagnostics.error(signal == SIGKILL ? Code::E0901 : Code::E0900, {},
                    "the process that compiles ended: " + endOf(status));
  return false;
}

std::optional<TestBody> prepareBody(const TestOptions &options, const Contract &contract, const ContractBody &body,
                                    const std::vector<unsigned> &rows, const StaticShapes &shapes,
                                    const std::string &folder, Diagnostics &diagnostics) {
  CompileOptions compile;
  compile.shapes = shapes;
  compile.target = chooseTarget(options.socVersion, diagnostics);
  compile.body = &body;
  compile.typeRows = rows;
  compile.portable = options.portable;
  const std::vector<AskedDevice> asked = askedOf(options);
  compile.cpuKernels =
      std::any_of(asked.begin(), asked.end(), [](const AskedDevice &one) { return one.device != "sim"; });
  compile.cpuLevels = chooseCpuLevels(options.cpuLevels, diagnostics);
  for (const CpuLevelName &level : compiler().cpuLevelNames())
    if (cpuHasLevel(level.name))
      compile.machineCpuLevels.push_back(level.name);
  if (diagnostics.hasErrors())
    return std::nullopt;
  if (!compileInChild(contract, compile, folder, diagnostics))
    return std::nullopt;
  std::optional<OpFolder> opened = openOpFolder(folder, diagnostics);
  if (!opened)
    return std::nullopt;
  TestBody prepared{std::string(bodyLevelName(body.level)), std::make_unique<OpFolder>(std::move(*opened)), {}, {}};
  prepared.server = std::make_unique<KernelServer>(*prepared.folder);
  for (const AskedDevice &one : asked) {
    prepared.devices.push_back(makeDevice(options, one, 0, diagnostics));
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
static std::string describeRun(const TestRow &row, const TestCase &testCase, const TestData &data,
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

namespace {
/// The input in columns of fractals of a row, if there is one.
struct PackedInput {
  std::optional<Tensor> memory, matrix;
  /// Packs the input and replaces it. False if memory is short.
  bool pack(const Manifest &manifest, unsigned typeRow, SharedMemory &shared, std::vector<const Tensor *> &inputs);
};
} // namespace

bool PackedInput::pack(const Manifest &manifest, unsigned typeRow, SharedMemory &shared,
                       std::vector<const Tensor *> &inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const PackedForm form = manifest.inputs[i].packedForm(typeRow);
    if (form == PackedForm::None)
      continue;
    const std::optional<int64_t> bytes = packedBytes(inputs[i]->type(), inputs[i]->shape(), form);
    memory = bytes ? shared.make(ElementType::UInt8, {*bytes}) : std::nullopt;
    if (!memory)
      return false;
    packMatrices(*inputs[i], form, memory->data());
    matrix = Tensor::overPacked(inputs[i]->type(), inputs[i]->shape(), form, memory->data());
    inputs[i] = &*matrix;
  }
  return true;
}

/// Runs a launch again with the output in the place of an input, one of those that it may overwrite, and compares it
/// with the result of the first launch; the bits of a NaN depend on the lane that computed it. Returns what is wrong,
/// empty if nothing is.
static std::string overwriteInput(const TestBody &body, Device &device, const TestCase &testCase,
                                  std::vector<const Tensor *> inputs, BoundLaunch &launch, Diagnostics &diagnostics) {
  if (!mayOverwriteInputs(body.folder->manifest))
    return {};
  Tensor &output = launch.outputs.front();
  std::vector<size_t> alike;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] && inputs[i]->numElements() == output.numElements() && inputs[i]->numBytes() == output.numBytes())
      alike.push_back(i);
  if (alike.empty() || output.numBytes() == 0)
    return {};
  const size_t bytes = size_t(output.numBytes()), which = alike[testCase.seed % alike.size()];
  std::optional<Tensor> expected = Tensor::create(output.type(), output.shape());
  std::optional<Tensor> over = Tensor::over(inputs[which]->type(), inputs[which]->shape(), output.data());
  if (!over || !expected)
    return "no memory holds the results";
  std::memcpy(expected->data(), output.data(), bytes);
  std::memcpy(output.data(), inputs[which]->data(), bytes);
  inputs[which] = &*over;
  if (!body.server->launch(device, inputs, launch, diagnostics))
    return "the launch failed";
  const OutputDifference difference = compareOutputs("", *expected, output);
  if (difference.differing == 0)
    return {};
  return std::to_string(difference.differing) + " elements of the result differ, the first at " +
         std::to_string(difference.first) + ", when it overwrites the input '" +
         body.folder->manifest.inputs[which].name + "'";
}

/// Runs a launch again with the constants of the contract given before, and compares all bits with the results of the
/// first launch. Returns what is wrong, empty if nothing is.
static std::string keepConstants(const TestBody &body, Device &device, const std::vector<const Tensor *> &inputs,
                                 BoundLaunch &launch, Diagnostics &diagnostics) {
  const Manifest &manifest = body.folder->manifest;
  if (constantNames(manifest, inputs).empty() || !body.server->isShared(device, inputs, launch))
    return {};
  std::vector<Tensor> expected;
  for (const Tensor &output : launch.outputs) {
    std::optional<Tensor> copy = Tensor::create(output.type(), output.shape());
    if (!copy)
      return "no memory holds the results";
    if (output.numBytes() != 0)
      std::memcpy(copy->data(), output.data(), size_t(output.numBytes()));
    expected.push_back(std::move(*copy));
  }
  poison(launch.outputs);
  if (!body.server->launchWithConstants(device, inputs, launch, diagnostics))
    return "the launch with its constants given before failed";
  for (size_t i = 0; i < expected.size(); ++i)
    if (const OutputDifference difference = compareOutputs("", expected[i], launch.outputs[i]); difference.differing)
      return std::to_string(difference.differing) + " elements of '" + manifest.outputs[i].name +
             "' differ when its constants are given before, the first at " + std::to_string(difference.first);
  return {};
}

/// Runs one case on one device and adds to its row; false when the session cannot go on.
static bool runCase(const Contract &contract, TestBody &body, Device &device, unsigned typeRow,
                    const TestCase &testCase, const TestData &data, std::optional<uint64_t> draw, Verdict wrong,
                    TestSession &session, TestRow &row, Diagnostics &diagnostics) {
  const std::string how = describeRun(row, testCase, data, draw);
  std::vector<const Tensor *> inputs;
  for (const Tensor &tensor : data.inputs)
    inputs.push_back(&tensor);
  const Manifest &manifest = body.folder->manifest;
  PackedInput packed;
  if (!packed.pack(manifest, typeRow, body.server->inputs, inputs)) {
    diagnostics.error(Code::E0527, {contract.path}, "no memory for the packed input of " + how);
    return false;
  }
  // Odd seeds divide the work into several blocks, regardless of the device.
  body.server->outputs.reset();
  LaunchTarget target{testCase.seed % 2 ? 3 : device.maxBlocks(), &device.kernels(body.folder->manifest), typeRow};
  std::optional<BoundLaunch> launch =
      bindLaunch(manifest, inputs, data.attributes, target, diagnostics,
                 [&](ElementType type, const Shape &shape) { return body.server->outputs.make(type, shape); });
  if (!launch)
    return false;
  poison(launch->outputs);
  Diagnostics found;
  if (!body.server->launch(device, inputs, *launch, found)) {
    const bool goesOn = isOfTheKernel(found);
    row.stopped = goesOn && endedTheProcess(found);
    row.cases += goesOn;
    row.failed += goesOn;
    if (goesOn && diagnostics.errorCount() >= kMaxFailuresTold)
      return true;
    diagnostics.add(found);
    diagnostics.error(Code::E0702, {contract.path}, "'" + launch->kernel->name + "' failed on " + how);
    return goesOn;
  }
  diagnostics.add(found);
  std::optional<TestVerdict> verdict = session.check(launch->outputs, draw.has_value(), diagnostics);
  if (!verdict)
    return false;
  ++row.cases;
  row.sum.compared += verdict->compared;
  row.sum.skipped += verdict->skipped;
  row.sum.wrong += verdict->wrong;
  row.sum.worstUlp = std::max(row.sum.worstUlp, verdict->worstUlp);
  if (verdict->passed()) {
    const size_t before = diagnostics.errorCount();
    std::string why = draw ? "" : keepConstants(body, device, inputs, *launch, diagnostics);
    if (why.empty() && !draw)
      why = overwriteInput(body, device, testCase, inputs, *launch, diagnostics);
    if (!why.empty()) {
      ++row.failed;
      diagnostics.error(diagnostics.errorCount() == before ? Code::E0700 : Code::E0702, {contract.path},
                        "'" + launch->kernel->name + "' on " + how + ": " + why);
    }
    return true;
  }
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

/// The meaning of wrong results of a run. With worst numerics they are failures if the contract has chip tolerances
/// or the numerics were requested by name.
static Verdict meaningOf(const TestOptions &options, const Contract &contract, const AskedDevice &asked) {
  if (options.perturb)
    return Verdict::Depends;
  bool isHeld = !options.numerics.empty() || !contract.precision.chipTolerances.empty();
  return asked.numerics == "worst" && !isHeld ? Verdict::Beyond : Verdict::Fails;
}

bool runTypeRow(const TestOptions &options, const Contract &contract, TestBody &body, unsigned typeRow,
                const std::vector<TestCase> &sample, const std::vector<AskedDevice> &asked, TestSession &session,
                TestRow *ofDevices, Diagnostics &diagnostics) {
  const bool onlyWorst =
      std::all_of(asked.begin(), asked.end(), [](const AskedDevice &one) { return one.numerics == "worst"; });
  const std::vector<bool> drawn =
      options.full ? std::vector<bool>(sample.size(), true) : sampleForDraws(sample, kWorstShare, kWorstLargest);
  std::vector<bool> has;
  for (size_t d = 0; d < asked.size(); ++d) {
    has.push_back(hasKernel(*body.devices[d], body.folder->manifest, typeRow));
    ofDevices[d].hasKernel |= has.back();
  }
  uint64_t draws = 0;
  for (size_t c = 0; c < sample.size(); ++c) {
    if (onlyWorst && !drawn[c])
      continue;
    if (DeferredSignals::arrived())
      return false;
    body.server->inputs.reset();
    std::optional<TestData> data =
        session.make(sample[c], typeRow, diagnostics,
                     [&](ElementType type, const Shape &shape) { return body.server->inputs.make(type, shape); });
    if (!data)
      return false;
    for (size_t d = 0; d < asked.size(); ++d) {
      TestRow &row = ofDevices[d];
      std::optional<uint64_t> draw;
      if (row.numerics == "worst") {
        if (!drawn[c])
          continue;
        draw = options.seed + draws++;
        body.devices[d] = makeDevice(options, asked[d], *draw, diagnostics);
      }
      if (has[d] && !row.stopped &&
          !runCase(contract, body, *body.devices[d], typeRow, sample[c], *data, draw,
                   meaningOf(options, contract, asked[d]), session, row, diagnostics))
        return false;
    }
  }
  return true;
}

} // namespace opc::tool
