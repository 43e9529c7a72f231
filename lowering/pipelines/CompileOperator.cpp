// From a contract to the files of an op folder. Reads as the order of the stages:
//
//   import     body and contract agree; one kernel a type row, at the phase its author wrote, or
//   one for each type row and shape key of a te body te         bound to fused, verified phase by
//   phase passes     placed to synced, verified phase by phase emit       simulator programs,
//   tiling functions, Ascend C cpu        the imported kernels, past all passes of the AI Core way,
//   to a kernel library for this host package    the files and the manifest that lists them
//
// Start-up counts: a compile is a few milliseconds of work, so the context loads the dialects of
// bodies and no others, and runs no threads.

#include "lowering/pipelines/Compile.h"

#include "dialect/te/TeOps.h"
#include "lowering/aicore/Passes.h"
#include "lowering/cpu/CpuLevel.h"
#include "lowering/cpu/library/CpuLibrary.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/import/Import.h"
#include "lowering/import/ImportTe.h"
#include "lowering/package/Package.h"
#include "lowering/pipelines/Pipelines.h"
#include "lowering/pipelines/StageFault.h"
#include "lowering/pipelines/Storyboard.h"
#include "lowering/pipelines/TeCpu.h"
#include "lowering/pipelines/TeTerms.h"
#include "lowering/schedule/Schedule.h"
#include "ops/contract/ShapeKeys.h"
#include "runtime/program/Bytecode.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;

namespace opc {

static constexpr llvm::StringLiteral kTiled = "tiled", kEmitted = "emitted";

namespace {

/// A kernel of the module, by what launches ask for.
struct KernelOfRow {
  std::string name;
  uint64_t tilingKey;
  unsigned typeRow;
};

/// One compilation. Each stage returns whether it is worth going on; errors are in the diagnostics.
class Compilation {
public:
  Compilation(const Contract &contract, const CompileOptions &options)
      : written(contract), contract(options.renamed ? *options.renamed : contract), options(options),
        context(MLIRContext::Threading::DISABLED) {
    body = options.body ? options.body : &contract.bodies.front();
    rows = options.typeRows.empty() ? contract.rowsOf(*body) : options.typeRows;
  }

  ~Compilation() {
    cpuBuild.reset();
    if (!cpuFolder.empty())
      llvm::sys::fs::remove_directories(cpuFolder);
  }

  CompileResult run();
  /// Hands over what was reported.
  void tell(Diagnostics &told);

private:
  bool import();
  bool rename();
  bool checkRows();
  bool checkStop();
  bool completeStaticShapes();
  bool lowerTe();
  bool runTe();
  bool schedule();
  void readKernels();
  void listKernels();
  bool lower();
  bool emitKernels();
  bool emitAscendC();
  void listCpuKernels(const CpuLibraryRequest &library);
  bool startCpu(ModuleOp kernels);
  bool finishCpu();
  std::string cpuPath() const;
  bool package();
  bool checkTiling(ModuleOp fused);
  Advice tilingAdvice() const;
  template <typename Stage> bool timed(const char *name, Stage &&stage);
  void printModule(ModuleOp printed);

  const Contract &written;  ///< what the body agrees with
  const Contract &contract; ///< what everything behind the import is named by
  const CompileOptions &options;
  Diagnostics diagnostics;
  const ContractBody *body;
  std::vector<unsigned> rows;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  bool wasImported = false;
  StaticShapes shapes; ///< with those of the outputs
  std::vector<KernelOfRow> kernels;
  PackageRequest request;
  llvm::SmallString<128> cpuFolder; ///< where the linker works; empty: not made
  OwningOpRef<ModuleOp> fused;      ///< of a te body, as the CPU form takes it
  std::unique_ptr<CpuLibraryBuild> cpuBuild;
  CompileResult result;
};

} // namespace

/// A stage is done when it says so and told no error; one that fails has told why.
template <typename Stage> bool Compilation::timed(const char *name, Stage &&stage) {
  auto start = std::chrono::steady_clock::now();
  size_t before = diagnostics.errorCount();
  bool done = stage() && !breaksHere(name, context);
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.timings.emplace_back(name, took.count());
  if (!done && diagnostics.errorCount() == before)
    diagnostics.error(Code::E0900, contract.location, std::string("the stage '") + name + "' failed without a reason");
  return done && diagnostics.errorCount() == before;
}

void Compilation::printModule(ModuleOp printed) {
  if (options.explainOnly)
    return;
  llvm::raw_string_ostream os(result.module);
  // Values keep the names that the body gave them.
  printed->print(os, OpPrintingFlags().printNameLocAsPrefix());
  os << "\n";
}

/// A body by hand may serve fewer type rows than the contract has.
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

/// A body passes the phases from the one it is written at.
bool Compilation::checkStop() {
  bool isTePhase = teStopByName(options.stopAfter).has_value() || options.stopAfter == kTiled;
  if (body->level == BodyLevel::Te || !isTePhase)
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
  DiagnosticBridge bridge(context, diagnostics, Code::E0313, {contract.filePath(body->file)});
  PassManager passes(&context, ModuleOp::getOperationName());
  buildTePipeline(passes, teStopByName(options.stopAfter).value_or(TeStop::Fused));
  return succeeded(passes.run(*module));
}

/// From fused to tiled: what each instance needs, then its schedule.
bool Compilation::schedule() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0302, {contract.filePath(body->file)});
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(aicore::createMeasurePass({std::string(options.target->name())}));
  if (failed(passes.run(*module)))
    return false;
  if (failed(scheduleInstances(*module, contract, shapes, *options.target, diagnostics, result.schedules,
                               result.refused))) {
    tellRefusals(*module, result.refused, *options.target, {contract.filePath(body->file)}, diagnostics);
    return false;
  }
  PassManager verify(&context, ModuleOp::getOperationName());
  verify.addPass(aicore::createVerifyTiledPass({std::string(options.target->name())}));
  return succeeded(verify.run(*module));
}

/// For the explanation, from the kernels as they came out: what they take of UB, and what was done
/// where event ids were few.
void Compilation::readKernels() {
  for (KernelSchedule &schedule : result.schedules)
    if (auto kernel = module->lookupSymbol<func::FuncOp>(schedule.kernel)) {
      kernel.walk([&](aicore::BufferOp buffer) {
        if (std::optional<int64_t> address = buffer.getAddress())
          schedule.ubBytes = std::max(schedule.ubBytes, *address + buffer.getBytes());
      });
      if (auto told = kernel->getAttrOfType<StringAttr>(aicore::AICoreDialect::kEventIdsAttr))
        schedule.why.push_back(told.str());
    }
}

/// The kernels of the module, in order, with their keys.
void Compilation::listKernels() {
  if (body->level == BodyLevel::AICore) {
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

/// The instance that measuring or placing stopped at: those before it have their needs, or are
/// kernels already. Empty behind these stages.
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

/// What stages behind the import report of a te body is told in its terms. The body is imported
/// once more for them: a compile that succeeds pays nothing.
void Compilation::tell(Diagnostics &told) {
  std::optional<TeTerms> terms;
  MLIRContext fresh(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> imported;
  std::string atWork;
  if (diagnostics.hasErrors() && wasImported && body->level == BodyLevel::Te) {
    Diagnostics known;
    atWork = instanceAtWork(*module);
    if ((imported = importTe(fresh, written, *body, rows, known)))
      terms.emplace(*imported, contract, *body, std::string(options.target->name()));
  }
  for (const Diagnostic &record : diagnostics.all())
    told.add(terms ? terms->translate(record, atWork) : record);
}

bool Compilation::import() {
  module = body->level == BodyLevel::Te ? importTe(context, written, *body, rows, diagnostics)
                                        : importBody(context, written, *body, rows, diagnostics);
  wasImported = module && rename();
  return wasImported;
}

/// The functions of a renamed operator: names start with that of the operator.
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

bool Compilation::lower() {
  AicorePipelineOptions pipeline;
  pipeline.target = std::string(options.target->name());
  pipeline.explainSync = options.explainSync;
  pipeline.portable = options.portable;
  pipeline.prove = options.prove;
  if (std::optional<AicoreStop> stop = aicoreStopByName(options.stopAfter))
    pipeline.stopAfter = *stop;
  DiagnosticBridge bridge(context, diagnostics, Code::E0302, {contract.filePath(body->file)});
  PassManager passes(&context, ModuleOp::getOperationName());
  // Each phase has a verifier of its own behind it; MLIR's rules for each op are asked once.
  passes.enableVerifier(false);
  if (body->level == BodyLevel::Te)
    passes.addPass(aicore::createPlacePass({pipeline.target}));
  if (!shapes.empty())
    passes.addPass(aicore::createSpecializePass());
  buildAicorePipeline(passes, pipeline);
  return succeeded(passes.run(*module)) && succeeded(verify(*module));
}

/// Each input that broadcasts doubles the keys that the tiling function of a te body tells apart.
Advice Compilation::tilingAdvice() const {
  if (body->level != BodyLevel::Te)
    return {};
  Advice advice{"tiling_function_c3", contract.location, {}, {}};
  unsigned broadcasting = 0;
  for (const ContractTensor &input : contract.inputs)
    if (input.broadcast == Broadcast::Numpy && ++broadcasting == 1)
      advice.place = input.location;
  advice.note = std::to_string(broadcasting) + " inputs with 'broadcast: numpy' make " +
                std::to_string(shapeKeys(contract).size()) + " shape keys, which one function tells apart";
  advice.fix = "let fewer inputs broadcast, or make two operators of it";
  return advice;
}

/// What --explain-schedule and --explain-plan stop in front of: the tiling functions of both
/// devices.
bool Compilation::checkTiling(ModuleOp fused) {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, {contract.filePath(body->file)});
  bridge.setAdvice(tilingAdvice());
  if (!teCpuRequest(fused, contract, shapes, rows, diagnostics))
    return false;
  listKernels();
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
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, {contract.filePath(body->file)});
  bridge.setAdvice(tilingAdvice());
  FieldBounds bounds = readFieldBounds(*module);
  for (const KernelOfRow &known : kernels) {
    auto function = module->lookupSymbol<func::FuncOp>(known.name);
    FailureOr<KernelInterface> interface = readKernelInterface(function, bounds);
    if (failed(interface))
      return false;
    FailureOr<TilingFunction> tiling = emitTilingBytecode(*interface);
    FailureOr<SimulatorProgram> program = emitSimulatorProgram(function, *interface, *options.target);
    if (failed(tiling) || failed(program))
      return false;
    std::vector<uint8_t> bytes = writeProgram(*program);
    PackageKernel kernel;
    kernel.name = known.name;
    kernel.tilingKey = known.tilingKey;
    kernel.typeRow = known.typeRow;
    kernel.tiling = *tiling;
    kernel.launchAttributes = interface->launchAttributes;
    kernel.simulatorProgram.assign(bytes.begin(), bytes.end());
    result.kernels.push_back({kernel.name, kernel.tilingKey, kernel.typeRow, interface->tiling.getName().str(),
                              tiling->inputs, interface->fields, interface->launchAttributes});
    request.kernels.push_back(std::move(kernel));
  }
  return true;
}

bool Compilation::emitAscendC() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, {contract.filePath(body->file)});
  AscendCOperator op{contract.name, {}};
  for (const KernelOfRow &kernel : kernels) {
    AscendCOperator::Kernel one{kernel.name, kernel.tilingKey};
    for (const auto *list : {&contract.inputs, &contract.outputs})
      for (const ContractTensor &tensor : *list)
        if (tensor.required)
          one.types.emplace_back(tensor.name, tensor.types[kernel.typeRow]);
    op.kernels.push_back(std::move(one));
  }
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

/// Kernels of the library with tiling functions of their own, for the manifest.
void Compilation::listCpuKernels(const CpuLibraryRequest &library) {
  for (const CpuKernel &known : library.kernels) {
    PackageKernel kernel;
    kernel.name = known.name;
    kernel.tilingKey = known.tilingKey;
    kernel.typeRow = static_cast<unsigned>(known.tilingKey / kMaxShapeKeys);
    (void)readTiling(known.tilingCode.data(), known.tilingCode.size(), kernel.tiling);
    for (const ContractAttribute &attribute : contract.attributes)
      if (attribute.binding == Binding::Launch)
        kernel.launchAttributes.push_back(attribute.name);
    request.cpuKernels.push_back(std::move(kernel));
  }
}

/// Makes LLVM IR of the kernels; LLVM and the linker work on it beside the AI Core's passes.
bool Compilation::startCpu(ModuleOp kernels) {
  DiagnosticBridge bridge(context, diagnostics, Code::E0370, {contract.filePath(body->file)});
  bridge.setAdvice(tilingAdvice());
  CpuLibraryRequest library;
  std::vector<std::string> levels = options.cpuLevels;
  if (levels.empty())
    levels = {"x86-64-v3", "x86-64-v4"};
  if (body->level == BodyLevel::Te) {
    std::optional<CpuLibraryRequest> found = teCpuRequest(kernels, contract, shapes, rows, diagnostics);
    if (!found)
      return false;
    library = std::move(*found);
    library.cpuLevels = std::move(levels);
    listCpuKernels(library);
  } else {
    library.cpuLevels = {levels.front()};
    library.opType = contract.opType;
    for (const PackageKernel &kernel : request.kernels)
      library.kernels.push_back({kernel.name, kernel.tilingKey, writeTiling(kernel.tiling)});
  }
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("opc-cpu", cpuFolder)) {
    diagnostics.error(Code::E0601, {}, "cannot make a temporary folder: " + error.message());
    return false;
  }
  cpuBuild = CpuLibraryBuild::start(kernels, library, diagnostics);
  if (!cpuBuild)
    return false;
  cpuBuild->launch(cpuPath());
  request.cpuLevels = library.cpuLevels;
  return true;
}

/// The library goes through a file, since the linker writes one; the file is gone with this object.
bool Compilation::finishCpu() {
  if (!cpuBuild->wait(diagnostics))
    return false;
  auto bytes = llvm::MemoryBuffer::getFile(cpuPath(), /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes) {
    diagnostics.error(Code::E0600, {cpuPath()}, "cannot read the library again: " + bytes.getError().message());
    return false;
  }
  request.cpuLibrary = (*bytes)->getBuffer().str();
  return true;
}

std::string Compilation::cpuPath() const {
  llvm::SmallString<128> path = cpuFolder;
  llvm::sys::path::append(path, contract.name + ".so");
  return path.str().str();
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

/// The phases of te bodies, up to the schedule. Whether there is more to do.
bool Compilation::runTe() {
  bool wantsModule = !options.stopAfter.empty();
  bool stops = teStopByName(options.stopAfter).has_value();
  if (!timed("te", [&] { return lowerTe(); }))
    return false;
  // The CPU form starts from what the author wrote, of a te body from its loops: it shares nothing
  // with the passes that it is held against. A body that the AI Core cannot have is told before.
  if (!wantsModule || options.explainOnly)
    fused = module->clone();
  if (!stops) {
    if (!timed("schedule", [&] { return schedule(); }))
      return false;
    stops = options.stopAfter == kTiled;
  }
  if (!wantsModule && !timed("cpu ir", [&] { return startCpu(*fused); }))
    return false;
  if (stops)
    printModule(*module);
  return !stops;
}

CompileResult Compilation::run() {
  bool wantsModule = !options.stopAfter.empty();
  // Whatever reports outside of a stage's own bridge is heard as well.
  DiagnosticBridge bridge(context, diagnostics, Code::E0900, {contract.filePath(body->file)});
  if (!checkRows() || !checkStop() || !completeStaticShapes())
    return {};
  bool done = timed("import", [&] { return import(); });
  bool byHand = body->level == BodyLevel::AICore;
  if (done && !byHand && !runTe())
    return std::move(result);
  OwningOpRef<ModuleOp> written;
  if (done && !wantsModule && byHand)
    written = module->clone();
  done = done && timed("passes", [&] { return lower(); });
  if (done) {
    readKernels();
    if (options.explainPlan)
      result.ubTables = ubTables(*module, *options.target);
  }
  if (done && fused && options.explainOnly)
    done = timed("tiling", [&] { return checkTiling(*fused); });
  if (done && wantsModule && options.stopAfter != kEmitted) {
    printModule(*module);
    return std::move(result);
  }
  if (done)
    listKernels();
  done = done && timed("ascend c", [&] { return emitAscendC(); });
  if (done && wantsModule)
    return std::move(result);
  done = done && timed("simulator", [&] { return emitKernels(); });
  // The table of a library by hand carries the tiling functions of the AI Core.
  if (done && byHand)
    done = timed("cpu ir", [&] { return startCpu(*written); });
  done = done && timed("cpu", [&] { return finishCpu(); }) && timed("package", [&] { return package(); });
  if (!done) {
    result.files.clear();
    result.module.clear();
  }
  return std::move(result);
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

/// Whether a result without errors holds what was asked for.
static bool isWhole(const CompileResult &result, const CompileOptions &options) {
  if (!options.stopAfter.empty())
    return options.explainOnly || !result.module.empty();
  return llvm::any_of(result.files, [](const CompiledFile &file) { return file.path == "manifest.json"; });
}

CompileResult compileOperator(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  Compilation compilation(contract, options);
  CompileResult result = compilation.run();
  compilation.tell(diagnostics);
  if (diagnostics.errorCount() == before && !isWhole(result, options))
    diagnostics.error(Code::E0900, contract.location, "the compilation of '" + contract.opType + "' made nothing");
  return result;
}

} // namespace opc
