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

#include "lowering/aicore/Passes.h"
#include "lowering/cpu/CpuLibrary.h"
#include "lowering/cpu/vector/CpuLevel.h"
#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/import/DiagnosticBridge.h"
#include "lowering/import/Import.h"
#include "lowering/import/ImportTe.h"
#include "lowering/package/Package.h"
#include "lowering/pipelines/Pipelines.h"
#include "lowering/pipelines/TeCpu.h"
#include "lowering/schedule/Schedule.h"
#include "ops/contract/ShapeKeys.h"
#include "runtime/program/Bytecode.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <numeric>

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
  Compilation(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics)
      : written(contract), contract(options.renamed ? *options.renamed : contract),
        options(options), diagnostics(diagnostics), context(MLIRContext::Threading::DISABLED) {
    body = options.body ? options.body : &contract.bodies.front();
    rows = options.typeRows;
    if (rows.empty()) {
      rows.resize(contract.typeRows());
      std::iota(rows.begin(), rows.end(), 0u);
    }
  }

  CompileResult run();

private:
  bool import();
  bool rename();
  bool checkStop();
  bool lowerTe();
  bool schedule();
  void listKernels();
  bool lower();
  bool emitKernels();
  bool emitAscendC();
  void listCpuKernels(const CpuLibraryRequest &library);
  bool buildCpu(ModuleOp kernels);
  bool package();
  template <typename Stage> bool timed(const char *name, Stage &&stage);
  void printModule(ModuleOp printed);

  const Contract &written;  ///< what the body agrees with
  const Contract &contract; ///< what everything behind the import is named by
  const CompileOptions &options;
  Diagnostics &diagnostics;
  const ContractBody *body;
  std::vector<unsigned> rows;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<KernelOfRow> kernels;
  PackageRequest request;
  CompileResult result;
};

} // namespace

template <typename Stage> bool Compilation::timed(const char *name, Stage &&stage) {
  auto start = std::chrono::steady_clock::now();
  size_t before = diagnostics.errorCount();
  bool done = stage();
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.timings.emplace_back(name, took.count());
  return done && diagnostics.errorCount() == before;
}

void Compilation::printModule(ModuleOp printed) {
  llvm::raw_string_ostream os(result.module);
  // Values keep the names that the body gave them.
  printed->print(os, OpPrintingFlags().printNameLocAsPrefix());
  os << "\n";
}

/// A body passes the phases from the one it is written at.
bool Compilation::checkStop() {
  bool isTe = body->level == BodyLevel::Te, isTePhase = teStopByName(options.stopAfter).has_value();
  if (!isTe && isTePhase)
    diagnostics.error(Code::E0104, {},
                      "--stop-after=" + options.stopAfter +
                          " expects a body at level te; the chosen one is written at level aicore",
                      "", "choose a te body by --body=te");
  if (!isTe && options.stopAfter == kTiled)
    diagnostics.error(Code::E0104, {},
                      "--stop-after=tiled expects a body at level te; the chosen one is written at "
                      "level aicore",
                      "", "choose a te body by --body=te");
  return isTe || !(isTePhase || options.stopAfter == kTiled);
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
  return succeeded(passes.run(*module)) &&
         succeeded(scheduleInstances(*module, contract, *options.target, &result.explanation));
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
      kernels.push_back(
          {function.getName().str(), number, static_cast<unsigned>(number / kMaxShapeKeys)});
    }
}

bool Compilation::import() {
  module = body->level == BodyLevel::Te ? importTe(context, written, *body, rows, diagnostics)
                                        : importBody(context, written, *body, rows, diagnostics);
  return module && rename();
}

/// The functions of a renamed operator: names start with that of the operator.
bool Compilation::rename() {
  if (!options.renamed)
    return true;
  SymbolTable symbols(*module);
  for (auto function : llvm::make_early_inc_range(module->getOps<func::FuncOp>())) {
    StringRef name = function.getName();
    std::string to = name.starts_with(written.name)
                         ? contract.name + name.drop_front(written.name.size()).str()
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
  if (std::optional<AicoreStop> stop = aicoreStopByName(options.stopAfter))
    pipeline.stopAfter = *stop;
  DiagnosticBridge bridge(context, diagnostics, Code::E0302, {contract.filePath(body->file)});
  PassManager passes(&context, ModuleOp::getOperationName());
  if (body->level == BodyLevel::Te)
    passes.addPass(aicore::createPlacePass({pipeline.target}));
  buildAicorePipeline(passes, pipeline);
  return succeeded(passes.run(*module));
}

bool Compilation::emitKernels() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, {contract.filePath(body->file)});
  for (const KernelOfRow &known : kernels) {
    auto function = module->lookupSymbol<func::FuncOp>(known.name);
    FailureOr<KernelInterface> interface = readKernelInterface(function);
    if (failed(interface))
      return false;
    FailureOr<TilingFunction> tiling = emitTilingBytecode(*interface);
    FailureOr<SimulatorProgram> program = emitSimulatorProgram(function, *options.target);
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
    result.kernels.push_back({kernel.name, kernel.tilingKey, kernel.typeRow,
                              interface->tiling.getName().str(), tiling->inputs, interface->fields,
                              interface->launchAttributes});
    request.kernels.push_back(std::move(kernel));
  }
  return true;
}

bool Compilation::emitAscendC() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, {contract.filePath(body->file)});
  AscendCOperator op{contract.name, {}};
  for (const KernelOfRow &kernel : kernels)
    op.kernels.push_back({kernel.name, kernel.tilingKey});
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

/// The library goes through a file, since the linker writes one; the file is gone afterwards.
bool Compilation::buildCpu(ModuleOp kernels) {
  CpuLibraryRequest library;
  std::vector<std::string> levels = options.cpuLevels;
  if (levels.empty())
    levels = {"x86-64-v3", "x86-64-v4"};
  if (body->level == BodyLevel::Te) {
    std::optional<CpuLibraryRequest> found = teCpuRequest(kernels, contract, rows, diagnostics);
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
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("opc-cpu", folder)) {
    diagnostics.error(Code::E0601, {}, "cannot make a temporary folder: " + error.message());
    return false;
  }
  llvm::SmallString<128> path = folder;
  llvm::sys::path::append(path, contract.name + ".so");
  bool built = buildCpuLibrary(kernels, library, path.str().str(), diagnostics);
  if (built) {
    auto bytes =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    built = static_cast<bool>(bytes);
    if (built)
      request.cpuLibrary = (*bytes)->getBuffer().str();
    else
      diagnostics.error(Code::E0600, {path.str().str()},
                        "cannot read the library again: " + bytes.getError().message());
    request.cpuLevels = library.cpuLevels;
  }
  llvm::sys::fs::remove_directories(folder);
  return built;
}

bool Compilation::package() {
  request.contract = &contract;
  request.written = &written;
  request.target = options.target;
  request.body = body->level;
  request.compiler = "opc " OPC_VERSION;
  std::optional<std::vector<PackageFile>> files = packageOperator(request, diagnostics);
  if (!files)
    return false;
  for (PackageFile &file : *files)
    result.files.push_back({std::move(file.path), std::move(file.bytes)});
  return true;
}

CompileResult Compilation::run() {
  bool wantsModule = !options.stopAfter.empty();
  if (!checkStop())
    return {};
  bool done = timed("import", [&] { return import(); });
  // The CPU form starts from what the author wrote, of a te body from its loops: it shares nothing
  // with the passes that it is held against.
  OwningOpRef<ModuleOp> cpuSource;
  if (done && body->level == BodyLevel::Te) {
    done = timed("te", [&] { return lowerTe(); });
    bool stops = teStopByName(options.stopAfter).has_value();
    if (done && !wantsModule)
      cpuSource = module->clone();
    if (done && !stops) {
      done = timed("schedule", [&] { return schedule(); });
      stops = options.stopAfter == kTiled;
    }
    if (done && stops)
      printModule(*module);
    if (!done || stops)
      return std::move(result);
  }
  if (done && !wantsModule && body->level == BodyLevel::AICore)
    cpuSource = module->clone();
  done = done && timed("passes", [&] { return lower(); });
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
  done = done && timed("cpu", [&] { return buildCpu(*cpuSource); }) &&
         timed("package", [&] { return package(); });
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

CompileResult compileOperator(const Contract &contract, const CompileOptions &options,
                              Diagnostics &diagnostics) {
  return Compilation(contract, options, diagnostics).run();
}

} // namespace opc
