#include "lowering/cpu/CpuLibrary.h"

#include "lowering/cpu/LLVMModule.h"
#include "lowering/cpu/Passes.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "runtime/program/Bytecode.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>

using namespace mlir;

namespace opc {

namespace {

/// Adds the seconds of a scope to a figure.
class Stopwatch {
public:
  explicit Stopwatch(double *seconds) : seconds(seconds), start(Clock::now()) {}
  ~Stopwatch() {
    if (seconds)
      *seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  double *seconds;
  Clock::time_point start;
};

} // namespace

static opc::Location placeOf(mlir::Location location) {
  opc::Location place;
  location->walk([&](mlir::Location part) {
    auto position = dyn_cast<FileLineColLoc>(part);
    if (!position)
      return WalkResult::advance();
    place = {position.getFilename().str(), position.getLine(), position.getColumn()};
    return WalkResult::interrupt();
  });
  return place;
}

// What passes of this stage say, as records: the label in front becomes the rule, and cpu_c3 is a
// matter of resources.
static void record(mlir::Diagnostic &found, Diagnostics &diagnostics) {
  if (found.getSeverity() != DiagnosticSeverity::Error)
    return;
  std::string message = found.str(), rule;
  StringRef text = message;
  size_t open = text.find('['), close = text.find(']');
  if (open != StringRef::npos && close != StringRef::npos && close > open) {
    rule = text.slice(open + 1, close).str();
    message = (text.take_front(open) + text.drop_front(close + 1).ltrim()).str();
  }
  diagnostics.error(rule == "cpu_c3" ? Code::E0410 : Code::E0370, placeOf(found.getLocation()),
                    message, rule);
}

// The module with the kernels of the request, and the tiling functions that they name.
static OwningOpRef<ModuleOp> kernelsOf(ModuleOp module, const CpuLibraryRequest &request,
                                       Diagnostics &diagnostics) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  SymbolTable symbols(*copy);
  llvm::SmallDenseSet<Operation *> wanted;
  for (const CpuKernel &kernel : request.kernels) {
    auto function = symbols.lookup<func::FuncOp>(kernel.name);
    if (!function || !(function->hasAttr("aicore.kernel") || function->hasAttr("te.kernel")) ||
        !wanted.insert(function).second) {
      diagnostics.error(Code::E0371, placeOf(module.getLoc()),
                        "expects a kernel function for each entry, found none or two for '" +
                            printable(kernel.name) + "'");
      return {};
    }
  }
  for (auto function : llvm::make_early_inc_range(copy->getOps<func::FuncOp>()))
    if (!wanted.contains(function) && !function->hasAttr("aicore.tiling"))
      function.erase();
  return copy;
}

static cpu::KernelSignature signatureOf(func::FuncOp function) {
  cpu::KernelSignature signature;
  signature.name = function.getName().str();
  signature.tensors = function->getAttrOfType<IntegerAttr>(cpu::kTensorsAttr).getInt();
  signature.bufferBytes =
      function->getAttrOfType<DenseI64ArrayAttr>(cpu::kBuffersAttr).asArrayRef().vec();
  signature.inOrder = function->hasAttr(cpu::kInOrderAttr);
  return signature;
}

// Levels of one architecture; E0372 for all else.
static std::vector<const CpuLevel *> levelsOf(const CpuLibraryRequest &request,
                                              Diagnostics &diagnostics) {
  std::vector<const CpuLevel *> levels;
  for (const std::string &name : request.cpuLevels) {
    const CpuLevel *level = cpuLevelByName(name);
    if (!level || (!levels.empty() && level->triple != levels.front()->triple)) {
      diagnostics.error(Code::E0372, {},
                        "expects CPU levels of one architecture out of x86-64-v3, x86-64-v4 and "
                        "aarch64, found '" +
                            printable(name) + "'");
      return {};
    }
    levels.push_back(level);
  }
  if (levels.empty())
    diagnostics.error(Code::E0372, {}, "expects at least one CPU level, found none");
  return levels;
}

namespace {

/// One library on its way.
class Build {
public:
  Build(ModuleOp kernels, const CpuLibraryRequest &request, CpuLibraryTimes &spent)
      : kernels(kernels), request(request), spent(spent) {}

  /// The module with entries and table; null after an error.
  std::unique_ptr<llvm::Module> code(llvm::LLVMContext &context,
                                     llvm::ArrayRef<const CpuLevel *> levels);
  cpu::CodeForm form = cpu::CodeForm::Loops;

private:
  std::unique_ptr<llvm::Module> loops(llvm::LLVMContext &context, const CpuLevel &level);
  std::unique_ptr<llvm::Module> vectors(llvm::LLVMContext &context,
                                        llvm::ArrayRef<const CpuLevel *> levels);

  ModuleOp kernels;
  const CpuLibraryRequest &request;
  CpuLibraryTimes &spent;
};

} // namespace

std::unique_ptr<llvm::Module> Build::loops(llvm::LLVMContext &context, const CpuLevel &level) {
  std::vector<cpu::KernelSignature> signatures;
  {
    Stopwatch watch(&spent.loops);
    PassManager passes(kernels.getContext());
    passes.enableVerifier(false);
    passes.addPass(cpu::createAICoreToLoopsPass());
    passes.addPass(cpu::createExpandMathPass());
    if (failed(passes.run(kernels)))
      return nullptr;
    SymbolTable symbols(kernels);
    for (const CpuKernel &kernel : request.kernels)
      signatures.push_back(signatureOf(symbols.lookup<func::FuncOp>(kernel.name)));
  }
  Stopwatch watch(&spent.llvm);
  if (!cpu::lowerToLLVMDialect(kernels))
    return nullptr;
  std::unique_ptr<llvm::Module> code = cpu::translateToLLVM(kernels, context);
  if (!code)
    return nullptr;
  cpu::LevelEntries entries{level.name.str(), {}};
  for (const cpu::KernelSignature &signature : signatures)
    entries.entries.push_back(
        {cpu::addLoopsEntry(*code, signature), signature.inOrder ? OPC_KERNEL_ENTRY_IN_ORDER : 0});
  cpu::addEntryTable(*code, request, entries);
  return code;
}

std::unique_ptr<llvm::Module> Build::vectors(llvm::LLVMContext &context,
                                             llvm::ArrayRef<const CpuLevel *> levels) {
  Stopwatch watch(&spent.llvm);
  auto code = std::make_unique<llvm::Module>("kernels", context);
  SymbolTable symbols(kernels);
  std::vector<cpu::LevelEntries> tables;
  for (const CpuLevel *level : levels) {
    cpu::LevelEntries &table = tables.emplace_back();
    table.level = level->name.str();
    for (const CpuKernel &kernel : request.kernels) {
      TilingFunction tiling;
      // Bytes of writeTiling; whoever gives others gets a kernel without fields.
      (void)readTiling(kernel.tilingCode.data(), kernel.tilingCode.size(), tiling);
      std::vector<std::string> fields;
      for (const TilingFunction::Output &output : tiling.outputs)
        fields.push_back(output.field.name);
      llvm::Function *entry = cpu::addVectorKernel(*code, symbols.lookup<func::FuncOp>(kernel.name),
                                                   fields, request.tensorNames, *level);
      if (!entry)
        return nullptr;
      table.entries.push_back({entry, 0});
    }
  }
  cpu::addEntryTable(*code, request, tables);
  return code;
}

std::unique_ptr<llvm::Module> Build::code(llvm::LLVMContext &context,
                                          llvm::ArrayRef<const CpuLevel *> levels) {
  auto isFused = [](func::FuncOp function) { return function->hasAttr("te.kernel"); };
  bool fused = llvm::any_of(kernels.getOps<func::FuncOp>(), isFused);
  form = fused ? cpu::CodeForm::Vectors : cpu::CodeForm::Loops;
  return fused ? vectors(context, levels) : loops(context, *levels.front());
}

bool buildCpuLibrary(ModuleOp module, const CpuLibraryRequest &request,
                     const std::string &outputPath, Diagnostics &diagnostics,
                     CpuLibraryTimes *times) {
  CpuLibraryTimes unused;
  CpuLibraryTimes &spent = times ? *times : unused;
  std::vector<const CpuLevel *> levels = levelsOf(request, diagnostics);
  if (levels.empty())
    return false;
  std::string reason;
  llvm::TargetMachine *machine = cpu::targetMachine(*levels.front(), reason);
  if (!machine) {
    diagnostics.error(Code::E0372, {},
                      "LLVM has no code generator for " + levels.front()->name.str() + ": " +
                          reason);
    return false;
  }

  size_t errorsBefore = diagnostics.errorCount();
  ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &found) {
    record(found, diagnostics);
    return success();
  });
  OwningOpRef<ModuleOp> kernels = kernelsOf(module, request, diagnostics);
  if (!kernels)
    return false;
  llvm::LLVMContext context;
  Build build(*kernels, request, spent);
  std::unique_ptr<llvm::Module> code = build.code(context, levels);
  if (!code) {
    // A stage that fails without a word is a mistake of ours.
    if (diagnostics.errorCount() == errorsBefore)
      diagnostics.error(Code::E0900, {}, "the CPU form failed without a reason");
    return false;
  }
  {
    Stopwatch watch(&spent.optimise);
    cpu::optimise(*code, *machine, build.form);
  }
  llvm::SmallVector<char, 0> object;
  {
    Stopwatch watch(&spent.codegen);
    if (!cpu::generateObject(*code, *machine, object)) {
      diagnostics.error(Code::E0900, {}, "LLVM writes no object code for this CPU level");
      return false;
    }
  }
  llvm::StringRef bytes(object.data(), object.size());
  if (std::vector<std::string> missing = cpu::undefinedSymbols(bytes); !missing.empty()) {
    diagnostics.error(Code::E0373, {},
                      "expects kernels that call nothing, found calls of '" +
                          llvm::join(missing, "', '") + "'");
    return false;
  }
  Stopwatch watch(&spent.link);
  return cpu::linkLibrary(bytes, outputPath, diagnostics);
}

} // namespace opc
