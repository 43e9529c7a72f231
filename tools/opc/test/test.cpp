// `opc test`: tests every body of a contract against its reference, for sizes, types, seeds, special values
// and devices.
//
// Each body is compiled as by `opc compile`, into a temporary folder. One Python process makes the inputs and
// compares; kernels run here (KernelServer.h). A case runs on all devices before the next one starts, so that
// inputs and expected results are made once. The simulator runs with all its sanitizers: their findings fail a case
// even if its results are correct. Shapes that the contract refuses and elements that it leaves unspecified are
// counted and reported.

#include "ops/contract/read/Reader.h"
#include "runtime/device/registry/Devices.h"
#include "tools/opc/compile/ModelCompile.h"
#include "tools/opc/model/ModelTest.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/Python.h"
#include "tools/opc/process/TemporaryFolder.h"
#include "tools/opc/test/TestRun.h"
#include "tools/opc/test/TestSource.h"
#include "tools/opc/test/TestVariants.h"

#include <algorithm>
#include <charconv>

namespace opc::tool {

static constexpr size_t kRowsTestedWhole = 4;
/// Without --full, one in this many cases runs for other values of an attribute.
static constexpr unsigned kVariantShare = 8;
/// Without --full, the number of type rows compiled for other values of an attribute; different values use different
/// rows. With few cases for each row, all rows are compiled.
static constexpr size_t kRowsOfVariant = 2;
static constexpr size_t kFewCases = 4;

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
                              TestSession &session, TestOpinions &opinions, Diagnostics &diagnostics) {
  constexpr int64_t kLargest = 1 << 14;
  unsigned row = 0;
  bool isAsked = false;
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
    isAsked = true;
    opinions.cases += opinion->compared > 0;
    if (opinion->wrong)
      diagnostics.error(Code::E0703, {contract.filePath(contract.reference)},
                        "the reference and ONNX Runtime's " + opinion->operatorName + " differ, shape " +
                            shapeText(cases[i].inputs.front()) + ": " + std::to_string(opinion->wrong) + " of " +
                            std::to_string(opinion->compared) + " elements; " + opinion->text);
    if (diagnostics.errorCount() >= kMaxFailuresTold)
      break;
  }
  if (isAsked && opinions.cases == 0 && !diagnostics.hasErrors())
    diagnostics.error(Code::E0701, {contract.filePath(contract.reference)},
                      "the reference cannot be compared: ONNX Runtime's " + opinions.operatorName +
                          " takes none of the shapes that the contract admits");
  if (!opinions.missingModule.empty() && options.full)
    diagnostics.error(Code::E0603, {},
                      "Python lacks the module '" + printable(opinions.missingModule) + "' for the second reference",
                      {}, "'python -m pip install onnxruntime onnx', or './dev setup'");
  return !diagnostics.hasErrors();
}

namespace {
/// One call of the command: options are checked, the contract is read, cases are made, and each body is tested.
class TestCommand {
public:
  TestCommand(const TestOptions &options, Context &context) : options(options), context(context) {}
  ExitCode run();

private:
  bool checkOptions();
  bool readContract();
  bool openSession();
  bool testBody(size_t number);
  std::vector<unsigned> rowsOfVariant(size_t variant, const std::vector<unsigned> &bodyRows) const;
  bool testVariant(size_t number, size_t variant, const std::vector<unsigned> &bodyRows, TestRow *bodyResults);
  void reportAll();

  const TestOptions &options;
  Context &context;
  DeferredSignals signals; ///< deferred until the temporary folder is removed
  Diagnostics diagnostics;
  std::optional<TestPlan> plan;
  std::optional<Contract> contract;
  std::vector<unsigned> typeRows;
  const ContractBody *only = nullptr; ///< null: every body
  StaticShapes shapes;
  TemporaryFolder temporary{"test"};
  TestSession session;
  std::vector<TestCase> cases;
  std::vector<TestVariant> variants;
  std::vector<AskedDevice> asked;
  TestOpinions opinions;
  size_t refused = 0;
  std::vector<TestRow> rows;
};
} // namespace

bool TestCommand::checkOptions() {
  if (options.perturb && options.devices != "sim" && options.devices != TestOptions().devices)
    diagnostics.error(Code::E0104, {}, "--perturb is of the simulator: found --device=" + printable(options.devices));
  plan = makeTestPlan(options, diagnostics);
  chooseTarget(options.socVersion, diagnostics);
  chooseCpuLevels(options.cpuLevels, diagnostics);
  for (const std::string &name : splitNames(options.devices))
    createDevice(name, 0, diagnostics);
  for (const std::string &kind : numericsOf(options))
    if (kind != "exact" && kind != "worst")
      diagnostics.error(Code::E0104, {},
                        "--numerics expects 'exact', 'worst' or both with ',' between them, found '" +
                            printable(options.numerics) + "'");
  return !diagnostics.hasErrors();
}

bool TestCommand::readContract() {
  contract = loadContract(options.contract, diagnostics);
  if (!contract)
    return false;
  typeRows = chooseTypeRows(*contract, options.dtype, diagnostics);
  only = options.body.empty() ? nullptr : chooseBody(*contract, options.body, diagnostics);
  checkOpMode(options.opMode, options.inputShape, diagnostics);
  if (options.opMode == "static" && !options.inputShape.empty())
    if (auto chosen = chooseInputShapes(*contract, options.inputShape, diagnostics)) {
      shapes = std::move(*chosen);
      plan->only.emplace();
      for (const ContractTensor &input : contract->inputs)
        plan->only->push_back(shapes[input.name]);
    }
  return !diagnostics.hasErrors();
}

bool TestCommand::openSession() {
  std::optional<std::string> python = choosePython(options, *contract, diagnostics);
  session.tell = [this](const std::string &line) { context.info(line); };
  return python && temporary.isThere(diagnostics) && session.open(*python, *contract, diagnostics);
}

/// Positions in `bodyRows` of the type rows that a variant is compiled for: all of them for the contract's own values.
std::vector<unsigned> TestCommand::rowsOfVariant(size_t variant, const std::vector<unsigned> &bodyRows) const {
  const bool all = variant == 0 || options.full || cases.size() < kFewCases * bodyRows.size();
  const size_t count = all ? bodyRows.size() : std::min(kRowsOfVariant, bodyRows.size());
  const size_t first = all ? 0 : size_t(plan->seed % bodyRows.size()) + kRowsOfVariant * (variant - 1);
  std::vector<unsigned> positions;
  for (size_t i = 0; i < count; ++i)
    positions.push_back(unsigned((first + i) % bodyRows.size()));
  return positions;
}

bool TestCommand::testVariant(size_t number, size_t variant, const std::vector<unsigned> &bodyRows,
                              TestRow *bodyResults) {
  const Contract &tested = variants[variant].contract;
  std::string folder = temporary.path() + "/" + std::to_string(number) + "-" + std::to_string(variant);
  session.use(tested);
  // Separate diagnostics, so that errors of another body do not stop this one.
  Diagnostics found;
  const std::vector<unsigned> positions = rowsOfVariant(variant, bodyRows);
  std::vector<unsigned> compiled;
  for (unsigned position : positions)
    compiled.push_back(bodyRows[position]);
  std::optional<TestBody> body = prepareBody(options, tested, tested.bodies[number], compiled, shapes, folder, found);
  diagnostics.add(found);
  if (!body)
    return false;
  // The shapes of a variant follow from its attributes.
  size_t refusedOfVariant = 0;
  const std::vector<TestCase> own = variant > 0 ? makeTestCases(tested, *plan, refusedOfVariant) : cases;
  // Up to four rows run every case; more rows share the cases. All rows share the large cases.
  unsigned share = options.full ? 1 : unsigned((bodyRows.size() + kRowsTestedWhole - 1) / kRowsTestedWhole);
  const unsigned rowsOfLarge = options.full ? 1 : unsigned(bodyRows.size());
  if (variant > 0 && !options.full) // at least four cases
    share = std::max(share, std::min(share * kVariantShare, unsigned(own.size() / 4)));
  for (unsigned r : positions) {
    std::vector<TestCase> sample = sampleCases(own, share, std::max(share, rowsOfLarge), plan->seed + r + variant);
    TestRow *ofDevices = bodyResults + r * asked.size();
    if (!runTypeRow(options, tested, *body, bodyRows[r], sample, asked, session, ofDevices, diagnostics))
      return false;
  }
  return true;
}

bool TestCommand::testBody(size_t number) {
  const ContractBody &body = contract->bodies[number];
  if (only && only != &body)
    return true;
  // When --body is given, the compiler refuses rows that the body lacks.
  std::vector<unsigned> bodyRows = only ? typeRows : servedRows(*contract, body, typeRows, context);
  const size_t first = rows.size();
  for (unsigned typeRow : bodyRows)
    for (const AskedDevice &one : asked) {
      TestRow row;
      row.body = bodyLevelName(body.level);
      row.typeRow = contract->typeRowName(typeRow);
      row.device = one.device;
      row.numerics = one.numerics;
      rows.push_back(std::move(row));
    }
  for (size_t v = 0; v < variants.size() && !bodyRows.empty(); ++v)
    if (!testVariant(number, v, bodyRows, &rows[first]))
      return false;
  return true;
}

void TestCommand::reportAll() {
  // Rows with worst numerics come after exact ones.
  std::vector<TestRow> ordered;
  for (bool isWorst : {false, true})
    for (TestRow &row : rows)
      if ((row.numerics == "worst") == isWorst)
        ordered.push_back(std::move(row));
  rows = std::move(ordered);
  if (variants.size() > 1) {
    std::string values;
    for (const TestVariant &variant : variants)
      values += (values.empty() ? "" : ", ") + variant.changed;
    context.info("compiled with other values too: " + values +
                 (options.full ? "" : "; each for some type rows, or all where there are few cases"));
  }
  reportTest(*contract, rows, refused, opinions, context);
  warnBeyond(*contract, rows, diagnostics);
}

ExitCode TestCommand::run() {
  if (!checkOptions() || !readContract() || !openSession())
    return context.finish(diagnostics);
  cases = makeTestCases(*contract, *plan, refused);
  if (!compareReferences(*contract, cases, options, session, opinions, diagnostics))
    return context.finish(diagnostics);
  if (typeRows.empty())
    typeRows = contract->rowsOf(only ? *only : contract->bodies.front());
  asked = askedOf(options);
  variants = testVariants(*contract);
  // With other values of its attributes the contract may not allow the only shape.
  const size_t all = variants.size();
  if (plan->only)
    variants.erase(std::remove_if(variants.begin() + 1, variants.end(),
                                  [&](const TestVariant &variant) {
                                    size_t refusedOfVariant = 0;
                                    return makeTestCases(variant.contract, *plan, refusedOfVariant).empty();
                                  }),
                   variants.end());
  if (variants.size() < all)
    context.info("skipped: " + std::to_string(all - variants.size()) +
                 " combinations of attribute values with which the contract refuses the shape");
  for (size_t i = 0; i < contract->bodies.size(); ++i)
    if (!testBody(i))
      // An interruption by a signal is not an error of the kernel.
      return DeferredSignals::arrived() ? ExitCode::CheckFailed : context.finish(diagnostics);
  reportAll();
  return context.finish(diagnostics);
}

static ExitCode executeModel(const TestOptions &options, ModelTestFlags flags, const SourceRunOptions &source,
                             const Arguments &arguments, Context &context) {
  if (const std::string stray =
          arguments.firstGiven({"--sizes", "--op_mode", "--seeds", "--full", "--portable", "--perturb", "--numerics",
                                "--dtype", "--body", "--source", "--reference", "--max_elements", "--cpu-levels"});
      !stray.empty())
    return context.fail(Code::E0104,
                        stray + " goes with an operator, found the model '" + printablePath(options.contract) + "'");
  if (const std::string stray = source.stray(); !stray.empty())
    return context.fail(Code::E0104, stray + " goes with --source");
  flags.model = options.contract;
  flags.socVersion = options.socVersion;
  flags.device = arguments.given("--device") ? options.devices : "cpu";
  flags.inputShape = options.inputShape;
  flags.python = options.python;
  flags.seed = options.seed;
  return testModel(flags, context);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<TestOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("contract", options->contract, "op_contract.yaml of the operator, or a model in ONNX")
      .typeName("FILE");
  arguments.option("--device", options->devices, "devices to run on, separated by ',' (default cpu,sim)")
      .typeName("cpu,sim");
  addChip(arguments, options->socVersion, "default Ascend310B");
  arguments
      .option("--sizes", options->sizes,
              "numbers of elements, separated by ',' (default 0 to 1000003, and shapes of all ranks); with '+' before "
              "the first in addition to the default")
      .typeName("N,N");
  addOpMode(
      arguments, options->opMode, options->inputShape,
      "dynamic: shapes of all kinds; static: only the shapes of --input_shape, for which the operator is compiled");
  addSeed(arguments, options->seed, "first seed (default 0)");
  arguments.option("--seeds", options->seeds, "number of seeds for each size (default 4, and 1 above 4096 elements)")
      .typeName("N")
      .check(wholeNumber(1, 100000));
  arguments.flag("--full", options->full, "use 100 seeds for each size");
  arguments
      .option("--max_elements", options->maxElements,
              "leave out shapes with more elements in an input or output (default 4194304; 16777216 with --full, or "
              "--sizes without '+')")
      .typeName("N")
      .check(wholeNumber(1, kMostElements));
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
  addCpuLevels(arguments, options->cpuLevels,
               "of several the best one of this machine is tested, which is the default");
  addTypeRows(arguments, options->dtype);
  addBody(arguments, options->body, "level of the body to test (default all)");
  addPython(arguments, options->python);
  auto source = std::make_shared<SourceRunOptions>();
  addSourceOptions(arguments, *source);
  auto model = std::make_shared<ModelTestFlags>();
  arguments
      .option("--contracts", model->contracts,
              "with a model: folder with contracts of your own; may be given several times")
      .typeName("DIR")
      .oneEach();
  addConstants(arguments, model->constants, "with a model: ");
  addInputs(arguments, model->inputs);
  arguments
      .option("--reference", options->reference,
              "with --source: Python file with 'reference(inputs, attributes)'; it may also have cases, inputs, "
              "tolerance, boundary and specials")
      .typeName("FILE");
  return [options, source, model, arguments](Context &context) {
    const bool isModel = isModelFile(options->contract);
    if (isModel)
      return executeModel(*options, *model, *source, arguments, context);
    if (const std::string ofModels = arguments.firstGiven({"--contracts", "--constant", "--input"}); !ofModels.empty())
      return context.fail(Code::E0104, ofModels + " goes with a model");
    source->chip = options->socVersion;
    const std::string stray = options->reference.empty() ? source->stray() : "--reference";
    if (source->given() && !options->contract.empty())
      return context.fail(Code::E0104,
                          "--source expects no contract, found '" + printablePath(options->contract) + "'");
    if (!source->given() && !stray.empty())
      return context.fail(Code::E0104, stray + " goes with --source");
    if (!source->given() && options->contract.empty())
      return context.fail(Code::E0103, "expects a contract, or --source with an operator, found neither");
    return source->given() ? testSource(*source, *options, context) : TestCommand(*options, context).run();
  };
}

const Command &testCommand() {
  static const Command command = {"test", "compare an operator with its reference, or a model with ONNX Runtime",
                                  "  opc test op_contract.yaml\n"
                                  "  opc test op_contract.yaml --device=sim --sizes=0,1,4097 --seeds=10\n"
                                  "  opc test op_contract.yaml --full --format=json\n"
                                  "  opc test model.onnx --input_shape=\"ids:1,128;mask:1,128\"\n"
                                  "  opc test --source AddCustom --reference=reference.py",
                                  declare};
  return command;
}

} // namespace opc::tool
