// The definition of the operator becomes a contract without a body, so that cases, inputs and comparisons are those of
// `opc test`. Launches are those of `opc run --source`.
//
//   row of types -> case -> inputs by the reference -> host functions, kernel -> sanitized run -> compare
//                                                                        \-> adversarial orders -> compare

#include "tools/opc/test/TestSource.h"

#include "runtime/core/launch/LaunchRows.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/source/SourceRun.h"
#include "tools/opc/source/host/SourceContract.h"
#include "tools/opc/test/TestSession.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

namespace opc::tool {

/// Cases of up to this many elements also run in adversarial orders.
static constexpr int64_t kAdversarialElements = 8192;
static constexpr uint64_t kAdversarialOrders = 2;
/// Larger sizes take seconds each; --full tests them.
static constexpr int64_t kLargestSize = 100000;
static constexpr unsigned kMostShrinks = 24;

namespace {
/// A case: shapes of the inputs that are given, and attributes that differ from their defaults.
struct SourceCase {
  std::vector<std::optional<Shape>> inputs;
  std::vector<NamedValue> attributes;
  uint64_t seed = 0;
  bool special = false;
  bool broadcasts = false; ///< skipped if the operator does not broadcast
};

enum class CaseEnd { Passed, Failed, Refused, Stop };

class SourceTest {
public:
  SourceTest(const SourceRunOptions &source, const TestOptions &options, Context &context)
      : source(source), options(options), context(context) {}
  ExitCode run();

private:
  bool open();
  std::vector<SourceCase> makeCases();
  void addCases(const std::vector<std::optional<Shape>> &shapes, const std::vector<NamedValue> &attributes,
                bool broadcasts, std::vector<SourceCase> &cases);
  bool testRow(unsigned row);
  CaseEnd prepareCase(unsigned row, const SourceCase &one, SourceRun &prepared, Diagnostics &found);
  bool allowsBroadcasts(unsigned row, const std::vector<SourceCase> &cases);
  CaseEnd runCase(unsigned row, const SourceCase &one, TestRow &sum, Diagnostics &found);
  CaseEnd runOrder(SourceRun &prepared, const SimSettings &settings, const std::string &how, TestRow &sum,
                   Diagnostics &found);
  void reportSmallest(unsigned row, SourceCase failed, Diagnostics found);
  std::string describe(const SourceCase &one) const;

  const SourceRunOptions source;
  const TestOptions &options;
  Context &context;
  DeferredSignals signals;
  Diagnostics diagnostics;
  std::unique_ptr<SourceProject> project;
  Contract contract, current; ///< `current` has the inputs of a case alone
  std::optional<TestPlan> plan;
  SourceReference reference;
  TestSession session;
  std::vector<TestRow> rows;
  size_t refused = 0, leftOut = 0;
};
} // namespace

/// The first given option that is for contracts alone; empty when there is none.
static std::string strayOption(const TestOptions &options) {
  const TestOptions unset;
  return options.devices != unset.devices && options.devices != "sim" ? "--device=" + printable(options.devices)
         : !options.body.empty()                                      ? "--body"
         : options.opMode != unset.opMode                             ? "--op_mode"
         : !options.inputShape.empty()                                ? "--input_shape"
         : options.perturb                                            ? "--perturb"
         : options.maxElements                                        ? "--max_elements"
         : !options.numerics.empty() && options.numerics != "exact"   ? "--numerics=" + printable(options.numerics)
         : options.portable                                           ? "--portable"
         : !options.cpuLevels.empty()                                 ? "--cpu-levels"
                                                                      : "";
}

bool SourceTest::open() {
  const Target *target = checkSourceOptions(source, diagnostics);
  if (const std::string stray = strayOption(options); !stray.empty())
    diagnostics.error(Code::E0104, {}, stray + " does not go with --source");
  plan = makeTestPlan(options, diagnostics);
  if (options.reference.empty())
    diagnostics.error(Code::E0103, {}, "--source expects --reference with a Python file, found none", {},
                      "a file with: def reference(inputs, attributes): return {'y': ...}");
  std::error_code error;
  if (!options.reference.empty() && !std::filesystem::is_regular_file(options.reference, error))
    diagnostics.error(Code::E0600, {options.reference}, "expects a file with the reference, found none");
  if (diagnostics.hasErrors())
    return false;
  project = SourceProject::open(source, *target, diagnostics);
  if (!project)
    return false;
  if (!project->definition()) {
    diagnostics.error(Code::E0805, {source.source.path}, "expects an operator's definition, found a kernel alone",
                      "ascendc_c25",
                      "--host names the folder with the host files; 'opc run --source' runs a kernel alone");
    return false;
  }
  std::optional<Contract> implied = contractOf(*project->definition(), diagnostics);
  if (!implied)
    return false;
  contract = std::move(*implied);
  contract.path = source.source.path;
  contract.reference = options.reference;
  for (ContractAttribute &attribute : contract.attributes)
    attribute.binding = Binding::Compile; // the defaults, unless a case says otherwise
  const std::optional<std::string> python = choosePython(options, contract, diagnostics);
  session.tell = [this](const std::string &line) { context.info(line); };
  if (!python)
    return false;
  std::optional<SourceReference> opened = session.openSource(*python, contract, diagnostics);
  if (opened)
    reference = std::move(*opened);
  return opened.has_value();
}

void SourceTest::addCases(const std::vector<std::optional<Shape>> &shapes, const std::vector<NamedValue> &attributes,
                          bool broadcasts, std::vector<SourceCase> &cases) {
  int64_t elements = 0;
  for (const std::optional<Shape> &shape : shapes)
    elements = std::max(elements, shape ? checkedElements(*shape).value_or(INT64_MAX) : 0);
  SourceCase one{shapes, attributes, options.seed, false, broadcasts};
  const unsigned seeds = options.seeds ? options.seeds : elements <= kManySeeds && !broadcasts ? 2 : 1;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    one.seed = options.seed + seed;
    cases.push_back(one);
  }
  if (!reference.specials || broadcasts)
    return;
  one.seed = options.seed;
  one.special = true;
  cases.push_back(one);
}

std::vector<SourceCase> SourceTest::makeCases() {
  std::vector<SourceCase> cases;
  const std::vector<ManifestTensor> &inputs = project->definition()->manifest.inputs;
  auto same = [&](const Shape &shape) {
    std::vector<std::optional<Shape>> shapes;
    for (const ManifestTensor &input : inputs)
      shapes.push_back(input.required ? std::optional(shape) : std::nullopt);
    return shapes;
  };
  if (reference.cases) {
    for (const SourceReference::Case &given : *reference.cases) {
      std::vector<std::optional<Shape>> shapes;
      for (const ManifestTensor &input : inputs) {
        const auto found = given.shapes.find(input.name);
        shapes.push_back(found == given.shapes.end() ? std::nullopt : found->second);
        if (!shapes.back() && input.required)
          diagnostics.error(Code::E0701, {options.reference},
                            "the reference cannot be used: a case has no shape for input '" + input.name + "'");
      }
      for (const auto &[name, shape] : given.shapes)
        if (std::none_of(inputs.begin(), inputs.end(),
                         [&name = name](const ManifestTensor &input) { return input.name == name; }))
          diagnostics.error(Code::E0701, {options.reference},
                            "the reference cannot be used: a case has a shape for '" + printable(name) +
                                "', which is no input");
      addCases(shapes, given.attributes, false, cases);
    }
    return cases;
  }
  // The framework launches no kernel for tensors without elements.
  for (int64_t size : plan->sizes)
    if (size > 0 && (size <= kLargestSize || options.full || !plan->shapes))
      addCases(same({size}), {}, false, cases);
  if (!plan->shapes)
    return cases;
  for (const Shape &shape : {Shape{7, 33}, Shape{3, 1, 65}, Shape{2, 3, 4, 5}, Shape{1, 1, 1, 1, 17}, Shape{64, 129}})
    addCases(same(shape), {}, false, cases);
  // One input at a time is a scalar, a row or a column.
  for (size_t i = 0; i < inputs.size() && inputs.size() > 1; ++i)
    for (const Shape &shape : {Shape{1}, Shape{33}, Shape{7, 1}})
      if (inputs[i].required) {
        std::vector<std::optional<Shape>> shapes = same({7, 33});
        shapes[i] = shape;
        addCases(shapes, {}, true, cases);
      }
  return cases;
}

std::string SourceTest::describe(const SourceCase &one) const {
  std::string text = one.special ? "special values, " : "";
  const std::vector<ManifestTensor> &inputs = project->definition()->manifest.inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    text +=
        (i ? ", " : "") + printable(inputs[i].name) + " " + (one.inputs[i] ? shapeText(*one.inputs[i]) : "left out");
  text += ", seed " + std::to_string(one.seed);
  for (const auto &[name, value] : one.attributes)
    text += ", " + name + "=" + value;
  return text;
}

CaseEnd SourceTest::runOrder(SourceRun &prepared, const SimSettings &settings, const std::string &how, TestRow &sum,
                             Diagnostics &found) {
  const std::optional<SourceOutcome> outcome =
      runSourceLaunch(prepared.launch, project->target(), settings, nullptr, found);
  if (!outcome)
    return CaseEnd::Failed;
  std::vector<Tensor> outputs;
  for (const ContractTensor &output : contract.outputs) {
    const Tensor *tensor = prepared.launch.output(output.name);
    std::optional<Tensor> copy = tensor ? Tensor::create(tensor->type(), tensor->shape()) : std::nullopt;
    if (!copy) {
      found.error(Code::E0527, {}, "there is no memory for output '" + output.name + "'");
      return CaseEnd::Stop;
    }
    if (copy->numBytes() > 0)
      std::memcpy(copy->data(), tensor->data(), size_t(copy->numBytes()));
    outputs.push_back(std::move(*copy));
  }
  const std::optional<TestVerdict> verdict = session.check(outputs, false, found);
  if (!verdict)
    return CaseEnd::Stop;
  sum.sum.compared += verdict->compared;
  sum.sum.skipped += verdict->skipped;
  sum.sum.wrong += verdict->wrong;
  sum.sum.worstUlp = std::max(sum.sum.worstUlp, verdict->worstUlp);
  if (verdict->passed())
    return CaseEnd::Passed;
  Diagnostic &error =
      found.error(Code::E0700, prepared.launch.source->kernel.location,
                  "'" + prepared.launch.source->kernel.name + "' with " + how + ": " + std::to_string(verdict->wrong) +
                      " of " + std::to_string(verdict->compared) + " elements are wrong");
  for (const std::string &element : verdict->first)
    error.notes.push_back({{}, element});
  return CaseEnd::Failed;
}

CaseEnd SourceTest::prepareCase(unsigned row, const SourceCase &one, SourceRun &prepared, Diagnostics &found) {
  current = contract;
  current.inputs.clear();
  TestCase made;
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (one.inputs[i]) {
      current.inputs.push_back(contract.inputs[i]);
      made.inputs.push_back(*one.inputs[i]);
    }
  const HostOperator &op = *project->definition();
  const std::optional<BoundAttributes> attributes = bindAttributes(op.manifest, one.attributes, found);
  if (!attributes)
    return CaseEnd::Stop;
  for (ContractAttribute &attribute : current.attributes)
    attribute.defaultValue = attributes->values.at(attribute.name);
  made.seed = one.seed;
  made.special = one.special;
  session.use(current);
  std::optional<TestData> data = session.make(made, row, found);
  if (!data)
    return CaseEnd::Stop;
  for (size_t i = 0; i < data->inputs.size(); ++i)
    prepared.launch.tensors.emplace(current.inputs[i].name, std::move(data->inputs[i]));
  Diagnostics host;
  if (project->prepareOperator(row, *attributes, prepared, host))
    return CaseEnd::Passed;
  const std::vector<Diagnostic> &told = host.all();
  if (std::any_of(told.begin(), told.end(),
                  [](const Diagnostic &diagnostic) { return diagnostic.code == Code::E0806; }))
    return CaseEnd::Refused;
  found.add(host);
  return CaseEnd::Failed;
}

/// Whether the operator infers the shapes of the reference for all broadcasting shapes, with either input as the
/// smaller one; an operator that copies the shape of one input does not.
bool SourceTest::allowsBroadcasts(unsigned row, const std::vector<SourceCase> &cases) {
  for (const SourceCase &one : cases) {
    if (!one.broadcasts)
      continue;
    SourceRun prepared;
    Diagnostics unheard;
    if (prepareCase(row, one, prepared, unheard) != CaseEnd::Passed)
      return false;
    std::string why;
    const auto shapes = session.expect(why, unheard);
    if (!shapes || shapes->empty())
      return false;
    for (const auto &[name, shape] : *shapes)
      if (const Tensor *tensor = prepared.launch.output(name); !tensor || tensor->shape() != shape)
        return false;
  }
  return true;
}

CaseEnd SourceTest::runCase(unsigned row, const SourceCase &one, TestRow &sum, Diagnostics &found) {
  SourceRun prepared;
  if (const CaseEnd end = prepareCase(row, one, prepared, found); end != CaseEnd::Passed)
    return end;
  int64_t elements = 0;
  for (const auto &[name, tensor] : prepared.launch.tensors)
    elements = std::max(elements, tensor.numElements());
  SimSettings settings;
  settings.sanitize = Sanitize::all();
  CaseEnd end = runOrder(prepared, settings, describe(one), sum, found);
  settings.sanitize = Sanitize();
  settings.order = SimOrder::Adversarial;
  for (uint64_t order = 0; order < kAdversarialOrders && end == CaseEnd::Passed && elements <= kAdversarialElements;
       ++order) {
    settings.orderSeed = one.seed + order;
    end = runOrder(prepared, settings,
                   describe(one) + ", --order=adversarial --seed=" + std::to_string(settings.orderSeed), sum, found);
  }
  return end;
}

/// The shapes with each size from `from` on as `to`.
static std::vector<std::optional<Shape>> replaceSize(std::vector<std::optional<Shape>> shapes, int64_t from,
                                                     int64_t to) {
  for (std::optional<Shape> &shape : shapes)
    if (shape)
      std::replace(shape->begin(), shape->end(), from, to);
  return shapes;
}

/// Reports a failure with the smallest shape that fails in the same way: each size is halved, or reduced by one, as
/// long as it does.
void SourceTest::reportSmallest(unsigned row, SourceCase failed, Diagnostics found) {
  unsigned tries = 0;
  for (bool isSmaller = true; isSmaller && !reference.cases && tries < kMostShrinks;) {
    isSmaller = false;
    std::set<int64_t, std::greater<>> sizes;
    for (const std::optional<Shape> &shape : failed.inputs)
      if (shape)
        sizes.insert(shape->begin(), shape->end());
    for (int64_t size : sizes)
      for (int64_t smaller : {size / 2, size - 1}) {
        if (smaller < 1 || isSmaller || ++tries > kMostShrinks)
          continue;
        SourceCase one = failed;
        one.inputs = replaceSize(one.inputs, size, smaller);
        TestRow unused;
        Diagnostics again;
        if (runCase(row, one, unused, again) != CaseEnd::Failed)
          continue;
        failed = one;
        found = Diagnostics();
        found.add(again);
        isSmaller = true;
      }
  }
  diagnostics.add(found);
  const bool isTold = std::any_of(found.all().begin(), found.all().end(),
                                  [](const Diagnostic &diagnostic) { return diagnostic.code == Code::E0700; });
  if (!isTold)
    diagnostics.error(Code::E0702, {project->definition()->location},
                      "'" + project->definition()->manifest.name + "' failed with " +
                          typeRowName(project->definition()->manifest, row) + ", " + describe(failed));
}

bool SourceTest::testRow(unsigned row) {
  TestRow sum;
  sum.body = "source";
  sum.hasKernel = true;
  sum.typeRow = typeRowName(project->definition()->manifest, row);
  sum.device = "sim";
  sum.numerics = "exact";
  std::set<std::string> told; // one failure for each place and code
  const size_t errors = diagnostics.errorCount();
  std::vector<SourceCase> cases = makeCases();
  if (diagnostics.errorCount() != errors)
    return false;
  if (!allowsBroadcasts(row, cases)) {
    const auto kept = std::remove_if(cases.begin(), cases.end(), [](const SourceCase &one) { return one.broadcasts; });
    leftOut += size_t(cases.end() - kept);
    cases.erase(kept, cases.end());
  }
  for (const SourceCase &one : cases) {
    if (DeferredSignals::arrived() || diagnostics.errorCount() >= kMaxFailuresTold)
      break;
    Diagnostics found;
    const CaseEnd end = runCase(row, one, sum, found);
    if (end == CaseEnd::Stop) {
      diagnostics.add(found);
      return false;
    }
    if (end == CaseEnd::Refused) {
      ++refused;
      continue;
    }
    ++sum.cases;
    if (end == CaseEnd::Passed) {
      for (const Diagnostic &diagnostic : found.all()) // remarks, each once
        if (told.insert(diagnostic.location.file + std::to_string(diagnostic.location.line) + diagnostic.message)
                .second)
          diagnostics.add(diagnostic);
      continue;
    }
    ++sum.failed;
    std::string key;
    for (const Diagnostic &diagnostic : found.all())
      if (diagnostic.severity == Severity::Error)
        key += diagnostic.rule + std::to_string(int(diagnostic.code)) + ":" + std::to_string(diagnostic.location.line);
    if (told.insert(key).second)
      reportSmallest(row, one, found);
  }
  rows.push_back(std::move(sum));
  return true;
}

ExitCode SourceTest::run() {
  if (!open())
    return context.finish(diagnostics);
  const Manifest &manifest = project->definition()->manifest;
  std::optional<unsigned> only;
  if (!options.dtype.empty() && !(only = findTypeRow(manifest, options.dtype, diagnostics)))
    return context.finish(diagnostics);
  for (unsigned row = 0; row < manifest.outputs.front().types.size(); ++row)
    if ((!only || *only == row) && !testRow(row))
      return DeferredSignals::arrived() ? ExitCode::CheckFailed : context.finish(diagnostics);
  size_t cases = 0;
  for (const TestRow &row : rows)
    cases += row.cases;
  if (cases == 0 && !diagnostics.hasErrors())
    diagnostics.error(Code::E0806, project->definition()->location,
                      "the host functions of operator '" + printable(manifest.opType) + "' refuse every case",
                      "ascendc_c26", "'cases' in the reference lists shapes that it takes");
  reportTest(contract, rows, 0, {}, context);
  if (refused)
    context.info("skipped: " + std::to_string(refused) + " cases that the operator's host functions refuse");
  if (leftOut)
    context.info("skipped: " + std::to_string(leftOut) +
                 " shapes that would broadcast, which the operator's definition does not");
  return context.finish(diagnostics);
}

ExitCode testSource(const SourceRunOptions &source, const TestOptions &options, Context &context) {
  return SourceTest(source, options, context).run();
}

} // namespace opc::tool
