// From a contract to the files of an op folder. Compilation::stages() lists the stages in their order:
//
//   import     checks that body and contract agree; one kernel per type row at the phase its author wrote, or one per
//              type row and shape key of a te body
//   te         for a te body: bound to fused
//   schedule   for a te body: fused to tiled
//   passes     placed to synced
//   ascend c   Ascend C, host tiling
//   simulator  simulator programs, tiling functions
//   cpu ir     the imported or fused kernels as LLVM IR, without any pass for the AI Core
//   cpu        waits for LLVM and the linker, which work in the background from then on
//   package    the files and the manifest that lists them
//
// A te body for the CPU alone has the stages import, te, cpu ir, cpu and package.
//
// Each phase is verified when it is reached. Start-up time matters, since a compilation takes only a few
// milliseconds. So the context loads only the dialects of bodies and runs no threads.

#include "dialect/te/TeOps.h"
#include "lowering/aicore/Passes.h"
#include "lowering/cpu/CpuLevel.h"
#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/import/Import.h"
#include "lowering/import/te/ImportTe.h"
#include "lowering/pipelines/Compilation.h"
#include "lowering/pipelines/Storyboard.h"
#include "lowering/pipelines/operator/CpuRequest.h"
#include "lowering/pipelines/operator/StageFault.h"
#include "lowering/pipelines/operator/TeTerms.h"
#include "lowering/pipelines/operator/TestLevels.h"
#include "lowering/schedule/Schedule.h"
#include "ops/contract/check/Devices.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;

namespace opc {

static constexpr llvm::StringLiteral kTiled = "tiled", kEmitted = "emitted";

/// A stage has succeeded if it returns true and reports no error. If it fails, it must report why.
bool Compilation::runStage(const Stage &stage) {
  auto start = std::chrono::steady_clock::now();
  size_t before = diagnostics.errorCount();
  bool done = (this->*stage.run)() && !breaksHere(stage.name, context);
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.timings.emplace_back(stage.name, took.count());
  if (!done && diagnostics.errorCount() == before)
    diagnostics.error(Code::E0900, contract.location,
                      std::string("the stage '") + stage.name + "' failed without a reason");
  return done && diagnostics.errorCount() == before;
}

void Compilation::printModule(ModuleOp printed) {
  if (options.explainOnly)
    return;
  llvm::raw_string_ostream os(result.module);
  // Values keep their names from the body.
  printed->print(os, OpPrintingFlags().printNameLocAsPrefix());
  os << "\n";
}

/// A body by hand may serve only some of the contract's type rows.
bool Compilation::checkRows() {
  std::vector<unsigned> served = contract.rowsOf(*body);
  auto other =
      llvm::find_if(rows, [&](unsigned row) { return row < contract.typeRows() && !llvm::is_contained(served, row); });
  if (other == rows.end())
    return true;
  std::string names, level(bodyLevelName(body->level));
  for (unsigned row : served)
    names += (names.empty() ? "" : ", ") + contract.typeRowName(row);
  diagnostics.error(Code::E0104, body->location,
                    "expects type rows that the body at level " + level + " serves (" + names + "): found '" +
                        contract.typeRowName(*other) + "'",
                    "",
                    "the first body serves all: --body=" + std::string(bodyLevelName(contract.bodies.front().level)));
  return false;
}

std::string Compilation::whyCpuAlone(unsigned row) const {
  auto found = cpuAloneRows.find(row);
  return found != cpuAloneRows.end() ? found->second : opc::whyCpuAlone(contract, *body, row);
}

/// Warns of type rows that the CPU alone serves with the shapes of a static operator, and checks that nothing else was
/// asked for if there are no others.
bool Compilation::tellCpuAlone() {
  for (auto &[row, why] : cpuAloneRows)
    diagnostics.warning(Code::E0112, {},
                        "'" + contract.typeRowName(row) + "' of '" + contract.opType +
                            "' has no kernel for the AI Core: --input_shape gives " + why +
                            "; the CPU alone is compiled for");
  return cpuAloneRows.empty() || checkStop();
}

/// A body goes through the phases from the one at which it is written.
bool Compilation::checkStop() {
  bool isTePhase = teStopByName(options.stopAfter).has_value() || options.stopAfter == kTiled;
  const bool stopsLater = !makesFolder() && !teStopByName(options.stopAfter);
  if (isForCpuAlone() && (stopsLater || options.explainOnly)) {
    diagnostics.error(Code::E0311, body->location,
                      std::string("expects a body with a kernel for the AI Core, found ") + whyCpuAlone(rows.front()) +
                          ": it has no phase after 'fused' and no schedule",
                      "", "--stop-after=fused prints what the CPU kernel is made of");
    return false;
  }
  if (isTe() || !isTePhase)
    return true;
  diagnostics.error(Code::E0104, {},
                    "--stop-after=" + options.stopAfter +
                        " expects a body at level te; the chosen one is written at level aicore",
                    "", "choose a te body by --body=te");
  return false;
}

bool Compilation::completeStaticShapes() {
  if (options.shapes.empty())
    return true;
  std::string reason;
  if (std::optional<StaticShapes> complete = completeShapes(contract, options.shapes, reason)) {
    shapes = std::move(*complete);
    return true;
  }
  diagnostics.error(Code::E0112, {}, "--input_shape expects shapes that the contract allows: " + reason);
  return false;
}

bool Compilation::lowerTe() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0313, bodyPlace());
  PassManager passes(&context, ModuleOp::getOperationName());
  buildTePipeline(passes, teStopByName(options.stopAfter).value_or(TeStop::Fused));
  if (failed(passes.run(*module)))
    return false;
  // The CPU kernel of a te body starts from its loops, so it shares nothing with the passes that it is used to check.
  if (makesFolder() || options.explainOnly)
    cpuModule = module->clone();
  return true;
}

/// From fused to tiled: measures the resource usage of each instance, then chooses its schedule. Type rows for the CPU
/// alone end before it.
bool Compilation::schedule() {
  for (auto function : llvm::make_early_inc_range(module->getOps<func::FuncOp>()))
    if (auto row = function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr);
        row && opc::isForCpuAlone(contract, *body, unsigned(row.getInt())))
      function.erase();
  DiagnosticBridge bridge(context, diagnostics, Code::E0302, bodyPlace());
  PassManager passes(&context, ModuleOp::getOperationName());
  ScheduleRequest request{contract,         shapes,         *options.target, diagnostics,
                          result.schedules, result.refused, &cpuAloneRows};
  buildSchedulePipeline(passes, request);
  if (succeeded(passes.run(*module)))
    return tellCpuAlone();
  if (!result.refused.empty())
    tellRefusals(*module, result.refused, *options.target, bodyPlace(), diagnostics);
  return false;
}

/// The kernel that a nest became a part of: "concat_float16_strided" of "concat_float16_strided_n1".
static StringRef joinedName(StringRef kernel) {
  auto [name, number] = kernel.rsplit("_n");
  unsigned nest = 0;
  return kernel.contains("_strided_n") && !number.getAsInteger(10, nest) ? name : kernel;
}

static bool assumesFixToV(func::FuncOp kernel) {
  return kernel->hasAttr(aicore::AICoreDialect::kFixToVAttr);
}

/// Adds facts about the finished kernels to the explanation: the bytes of UB that they take, and what was changed
/// where event ids ran short.
void Compilation::readKernels() {
  for (KernelSchedule &schedule : result.schedules)
    if (auto kernel = module->lookupSymbol<func::FuncOp>(joinedName(schedule.kernel))) {
      kernel.walk([&](aicore::BufferOp buffer) {
        if (std::optional<int64_t> address = buffer.getAddress(); address && buffer.getSpace() == aicore::Space::UB)
          schedule.ubBytes = std::max(schedule.ubBytes, *address + buffer.getBytes());
      });
      if (auto told = kernel->getAttrOfType<StringAttr>(aicore::AICoreDialect::kEventIdsAttr))
        schedule.why.push_back(told.str());
      if (assumesFixToV(kernel))
        schedule.why.push_back("fix to v: direct flags between FIX and V, which no source shows the chip to have");
    }
}

/// Lists the kernels of the module, in order, with their keys.
void Compilation::listKernels() {
  if (!isTe()) {
    for (unsigned row : rows)
      kernels.push_back({contract.kernelName(row), uint64_t(row) * kMaxShapeKeys, row});
    return;
  }
  for (auto function : module->getOps<func::FuncOp>())
    if (auto key = function->getAttrOfType<IntegerAttr>(aicore::AICoreDialect::kTilingKeyAttr)) {
      auto number = static_cast<uint64_t>(key.getInt());
      kernels.push_back({function.getName().str(), number, static_cast<unsigned>(number / kMaxShapeKeys)});
    }
}

/// The instance at which measuring or placing stopped: earlier ones have needs, or are kernels already. Empty after
/// these stages.
static std::string instanceAtWork(ModuleOp module) {
  std::string first;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto phase = function->getAttrOfType<te::PhaseAttr>(te::TeDialect::kPhaseAttr);
    if (!phase || phase.getValue() != te::Phase::Fused)
      continue;
    if (!function->hasAttr(aicore::AICoreDialect::kNeedsAttr))
      return function.getName().str();
    if (first.empty())
      first = function.getName().str();
  }
  return first;
}

/// Diagnostics of stages after the import are translated to terms of the te body. The body is imported again for
/// that, so that a successful compilation does not pay for it.
void Compilation::report(Diagnostics &target) {
  std::optional<TeTerms> terms;
  MLIRContext fresh(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> imported;
  std::string atWork;
  if (diagnostics.hasErrors() && wasImported && isTe()) {
    Diagnostics known;
    atWork = instanceAtWork(*module);
    if ((imported = importTe(fresh, written, *body, rows, known)))
      terms.emplace(*imported, contract, *body, std::string(options.target->name()));
  }
  for (const Diagnostic &record : diagnostics.all())
    target.add(terms ? terms->translate(record, atWork) : record);
}

bool Compilation::import() {
  module = isTe() ? importTe(context, written, *body, rows, diagnostics)
                  : importBody(context, written, *body, rows, diagnostics);
  wasImported = module && rename();
  if (wasImported && !isTe() && makesFolder())
    cpuModule = module->clone();
  return wasImported;
}

/// Renames the functions of a renamed operator; their names start with the operator's.
bool Compilation::rename() {
  if (!options.renamed)
    return true;
  SymbolTable symbols(*module);
  for (auto function : llvm::make_early_inc_range(module->getOps<func::FuncOp>())) {
    StringRef name = function.getName();
    std::string to = name.starts_with(written.name) ? contract.name + name.drop_front(written.name.size()).str()
                                                    : contract.name + "_" + name.str();
    if (failed(symbols.rename(function, to))) {
      diagnostics.error(Code::E0900, contract.location, "cannot rename '" + name.str() + "'");
      return false;
    }
  }
  return true;
}

AicorePipelineOptions Compilation::aicoreOptions() const {
  AicorePipelineOptions pipeline;
  pipeline.target = std::string(options.target->name());
  pipeline.isStatic = !shapes.empty();
  pipeline.explainSync = options.explainSync;
  pipeline.portable = options.portable;
  pipeline.fixToV = options.fixToV;
  pipeline.prove = options.prove;
  // The IR printed at 'synced' must be valid for the verifier.
  pipeline.joinsNests = options.stopAfter != "synced";
  if (std::optional<AicoreStop> stop = aicoreStopByName(options.stopAfter))
    pipeline.stopAfter = *stop;
  return pipeline;
}

/// Runs the passes of the AI Core on the module.
bool Compilation::runAicore(const AicorePipelineOptions &pipeline, Diagnostics &found) {
  DiagnosticBridge bridge(context, found, Code::E0302, bodyPlace());
  PassManager passes(&context, ModuleOp::getOperationName());
  // Each phase is followed by a verifier of its own. MLIR's verification of each op runs once, at the end.
  passes.enableVerifier(false);
  buildAicorePipeline(passes, pipeline);
  return succeeded(passes.run(*module)) && succeeded(verify(*module));
}

/// Whether kernels are refused for reads of bytes that were not written, and for nothing else.
static bool readsUnwritten(const Diagnostics &found) {
  return found.hasErrors() && llvm::all_of(found.all(), [](const Diagnostic &record) {
           return record.severity != Severity::Error || (record.code == Code::E0322 && record.rule == "sync_c3");
         });
}

// The proof takes a length that changes between iterations at its largest. Where a copy of constant length is before
// the loop, the last iteration would then read more than was written. If kernels are refused with constants for this
// reason, all of them get the sizes as tiling data, which serve the one shape too. Other refusals are reported.
bool Compilation::lower() {
  AicorePipelineOptions pipeline = aicoreOptions();
  OwningOpRef<ModuleOp> general = pipeline.isStatic ? module->clone() : ModuleOp();
  Diagnostics found;
  bool isLowered = runAicore(pipeline, found);
  if (!isLowered && general && readsUnwritten(found)) {
    module = std::move(general);
    pipeline.isStatic = false;
    found = Diagnostics();
    isLowered = runAicore(pipeline, found);
  }
  diagnostics.add(found);
  if (!isLowered)
    return false;
  readKernels();
  listKernels();
  if (options.explainPlan)
    result.ubTables = ubTables(*module, *options.target);
  return true;
}

/// Each input that broadcasts doubles the number of keys that the tiling function of a te body distinguishes.
Advice Compilation::tilingAdvice() const {
  if (body->level != BodyLevel::Te)
    return {};
  Advice advice{"tiling_function_c3", contract.location, {}, {}};
  unsigned broadcasting = 0;
  for (const ContractTensor &input : contract.inputs)
    if (input.broadcast == Broadcast::Numpy && ++broadcasting == 1)
      advice.place = input.location;
  advice.note = std::to_string(broadcasting) + " inputs with 'broadcast: numpy' make " +
                std::to_string(shapeKeys(contract).size()) + " shape keys, which one function distinguishes";
  advice.fix = "let fewer inputs broadcast, or make two operators of it";
  return advice;
}

/// The last stage of --explain-schedule and --explain-plan: checks that tiling functions can be made for both devices.
bool Compilation::checkTiling() {
  if (!requestTeLibrary())
    return false;
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, bodyPlace());
  bridge.setAdvice(tilingAdvice());
  llvm::DenseSet<Operation *> seen; // the kernels of a row share one
  for (const KernelOfRow &known : kernels) {
    auto kernel = module->lookupSymbol<func::FuncOp>(known.name);
    auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(aicore::AICoreDialect::kTilingFunctionAttr);
    auto tiling = name ? module->lookupSymbol<func::FuncOp>(name.getAttr()) : func::FuncOp();
    if (!tiling || (seen.insert(tiling).second && !tilingCode(tiling, contract, known.typeRow)))
      return false;
  }
  return true;
}

bool Compilation::emitKernels() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, bodyPlace());
  bridge.setAdvice(tilingAdvice());
  FieldBounds bounds = readFieldBounds(*module);
  llvm::DenseMap<Operation *, TilingFunction> tilings;
  for (const KernelOfRow &known : kernels) {
    auto function = module->lookupSymbol<func::FuncOp>(known.name);
    FailureOr<KernelInterface> interface = readKernelInterface(function, bounds);
    if (failed(interface))
      return false;
    // Kernels of a type row share one.
    auto [tiling, isNew] = tilings.try_emplace(interface->tiling, TilingFunction());
    if (isNew) {
      FailureOr<TilingFunction> emitted = emitTilingBytecode(*interface);
      if (failed(emitted))
        return false;
      tiling->second = std::move(*emitted);
    }
    FailureOr<SimulatorProgram> program = emitSimulatorProgram(function, *interface, *options.target);
    if (failed(program))
      return false;
    std::vector<uint8_t> bytes = writeProgram(*program);
    PackageKernel kernel;
    kernel.name = known.name;
    kernel.tilingKey = known.tilingKey;
    kernel.typeRow = known.typeRow;
    kernel.tiling = tiling->second;
    kernel.launchAttributes = interface->launchAttributes;
    kernel.assumesFixToV = assumesFixToV(function);
    kernel.simulatorProgram.assign(bytes.begin(), bytes.end());
    result.kernels.push_back({kernel.name, kernel.tilingKey, kernel.typeRow, interface->tiling.getName().str(),
                              tiling->second.inputs, interface->fields, interface->launchAttributes});
    request.kernels.push_back(std::move(kernel));
  }
  return true;
}

bool Compilation::emitAscendC() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, bodyPlace());
  AscendCOperator op{contract.name, {}};
  for (const KernelOfRow &kernel : kernels) {
    AscendCOperator::Kernel one{kernel.name, kernel.tilingKey};
    for (const auto *list : {&contract.inputs, &contract.outputs})
      for (const ContractTensor &tensor : *list)
        if (tensor.required)
          one.types.emplace_back(tensor.name, tensor.types[kernel.typeRow]);
    op.kernels.push_back(std::move(one));
  }
  for (const ContractTensor &tensor : contract.workspace)
    op.workspace.push_back(tensor.name);
  FailureOr<OwningOpRef<ModuleOp>> emitted = buildAscendC(*module, op);
  if (failed(emitted))
    return false;
  if (options.stopAfter == kEmitted) {
    printModule(**emitted);
    return true;
  }
  FailureOr<AscendCText> text = printAscendC(**emitted, contract.name);
  if (failed(text))
    return false;
  request.kernelSource = std::move(text->kernelSource);
  request.tilingHeader = std::move(text->tilingHeader);
  return true;
}

bool Compilation::package() {
  request.contract = &contract;
  request.written = &written;
  request.target = options.target;
  request.body = body->level;
  request.shapes = shapes;
  request.compiler = "opc " OPC_VERSION;
  std::optional<std::vector<PackageFile>> files = packageOperator(request, diagnostics);
  if (!files)
    return false;
  for (PackageFile &file : *files)
    result.files.push_back({std::move(file.path), std::move(file.bytes)});
  return true;
}

std::vector<Compilation::Stage> Compilation::stages() const {
  const std::string &stop = options.stopAfter;
  std::vector<Stage> list = {{"import", &Compilation::import}};
  if (isTe()) {
    list.push_back({"te", &Compilation::lowerTe});
    if (teStopByName(stop))
      return list;
    if (isForCpuAlone()) {
      for (const Stage &stage : {Stage{"cpu ir", &Compilation::startCpu}, Stage{"cpu", &Compilation::finishCpu},
                                 Stage{"package", &Compilation::package}})
        list.push_back(stage);
      return list;
    }
    // A body that cannot run on the AI Core is refused before code for the CPU is generated.
    list.push_back({"schedule", &Compilation::schedule});
    if (stop == kTiled)
      return list;
    if (makesFolder())
      list.push_back({"cpu ir", &Compilation::startCpu});
  }
  list.push_back({"passes", &Compilation::lower});
  if (isTe() && options.explainOnly)
    list.push_back({"tiling", &Compilation::checkTiling});
  if (aicoreStopByName(stop))
    return list;
  list.push_back({"ascend c", &Compilation::emitAscendC});
  if (stop == kEmitted)
    return list;
  list.push_back({"simulator", &Compilation::emitKernels});
  if (!isTe())
    list.push_back({"cpu ir", &Compilation::startCpu});
  list.push_back({"cpu", &Compilation::finishCpu});
  list.push_back({"package", &Compilation::package});
  return list;
}

CompileResult Compilation::run() {
  // Catches diagnostics that are reported outside of a stage's own bridge.
  DiagnosticBridge bridge(context, diagnostics, Code::E0900, bodyPlace());
  if (!checkLevelsOfTest(diagnostics) || !checkRows() || !checkStop() || !completeStaticShapes())
    return {};
  for (const Stage &stage : stages()) {
    // Where schedules show that no kernel of the AI Core serves the shapes, the CPU library is left to make.
    const bool isOfAicore = stage.run == &Compilation::lower || stage.run == &Compilation::emitAscendC ||
                            stage.run == &Compilation::emitKernels;
    const bool isOfCpu = stage.run == &Compilation::startCpu || stage.run == &Compilation::finishCpu;
    if ((isOfAicore && isForCpuAlone()) || (isOfCpu && !options.cpuKernels && !isForCpuAlone()))
      continue;
    if (!runStage(stage)) {
      result.files.clear();
      result.module.clear();
      return std::move(result);
    }
  }
  if (!makesFolder() && options.stopAfter != kEmitted)
    printModule(*module);
  return std::move(result);
}

std::vector<PipelineText> Compilation::pipelines() {
  std::vector<PipelineText> texts;
  auto add = [&](const char *name, llvm::function_ref<void(OpPassManager &)> build) {
    texts.push_back(pipelineText(name, context, build));
  };
  ScheduleRequest request{contract, shapes, *options.target, diagnostics, result.schedules, result.refused};
  for (const Stage &stage : stages()) {
    if (stage.run == &Compilation::lowerTe)
      add("te", [&](OpPassManager &passes) {
        buildTePipeline(passes, teStopByName(options.stopAfter).value_or(TeStop::Fused));
      });
    else if (stage.run == &Compilation::schedule)
      add("schedule", [&](OpPassManager &passes) { buildSchedulePipeline(passes, request); });
    else if (stage.run == &Compilation::lower)
      add("aicore", [&](OpPassManager &passes) { buildAicorePipeline(passes, aicoreOptions()); });
    else if (stage.run == &Compilation::startCpu)
      add("cpu", [&](OpPassManager &passes) {
        isTe() ? buildCpuTePipeline(passes, contract, shapes) : buildCpuLoopsPipeline(passes);
      });
  }
  return texts;
}

std::vector<PipelineText> pipelinesOf(const Contract &contract, const CompileOptions &options) {
  return Compilation(contract, options).pipelines();
}

const std::vector<std::string> &phaseNames() {
  static const std::vector<std::string> names = {"bound",   "fused",   "tiled",  "placed",
                                                 "rotated", "planned", "synced", kEmitted.str()};
  return names;
}

std::vector<CpuLevelName> cpuLevelNames() {
  std::vector<CpuLevelName> names;
  for (const CpuLevel &level : cpuLevels())
    names.push_back({level.name.str(), level.shortName.str(), level.triple.split('-').first.str()});
  return names;
}

/// Whether a result without errors contains what was requested.
static bool isWhole(const CompileResult &result, const CompileOptions &options) {
  if (!options.stopAfter.empty())
    return options.explainOnly || !result.module.empty();
  return llvm::any_of(result.files, [](const CompiledFile &file) { return file.path == "manifest.json"; });
}

/// Compiles a contract whose tensors all have their types.
static CompileResult compileTyped(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  Compilation compilation(contract, options);
  CompileResult result = compilation.run();
  compilation.report(diagnostics);
  if (diagnostics.errorCount() == before && !isWhole(result, options))
    diagnostics.error(Code::E0900, contract.location, "the compilation of '" + contract.opType + "' made nothing");
  return result;
}

CompileResult compileOperator(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics) {
  if (contract.workspace.empty())
    return compileTyped(contract, options, diagnostics);
  // The reader of a contract knows no types of values.
  const ContractBody &body = options.body ? *options.body : contract.bodies.front();
  Contract typed = contract;
  setWorkspaceTypes(typed, body, options.typeRows.empty() ? contract.rowsOf(body) : options.typeRows);
  CompileOptions own = options;
  for (size_t i = 0; i < contract.bodies.size(); ++i)
    if (&contract.bodies[i] == &body)
      own.body = &typed.bodies[i];
  std::optional<Contract> renamed;
  if (options.renamed) {
    renamed = *options.renamed;
    renamed->workspace = typed.workspace;
    own.renamed = &*renamed;
  }
  return compileTyped(typed, own, diagnostics);
}

} // namespace opc
