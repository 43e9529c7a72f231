#include "lowering/cpu/CpuLibrary.h"

#include "lowering/cpu/LLVMModule.h"
#include "lowering/cpu/Passes.h"

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
    if (!function || !function->hasAttr("aicore.kernel") || !wanted.insert(function).second) {
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

bool buildCpuLibrary(ModuleOp module, const CpuLibraryRequest &request,
                     const std::string &outputPath, Diagnostics &diagnostics,
                     CpuLibraryTimes *times) {
  CpuLibraryTimes unused;
  CpuLibraryTimes &spent = times ? *times : unused;
  std::string reason;
  if (request.cpuLevel != "x86-64-v3") {
    diagnostics.error(Code::E0372, {},
                      "expects the CPU level x86-64-v3, found '" + printable(request.cpuLevel) +
                          "'");
    return false;
  }
  llvm::TargetMachine *machine = cpu::targetMachine(request.cpuLevel, reason);
  if (!machine) {
    diagnostics.error(Code::E0372, {}, "LLVM has no code generator for x86-64: " + reason);
    return false;
  }

  MLIRContext *context = module.getContext();
  size_t errorsBefore = diagnostics.errorCount();
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &found) {
    record(found, diagnostics);
    return success();
  });
  // A stage that fails without a word is a mistake of ours.
  auto refused = [&] {
    if (diagnostics.errorCount() == errorsBefore)
      diagnostics.error(Code::E0900, {}, "the CPU form failed without a reason");
    return false;
  };

  OwningOpRef<ModuleOp> kernels = kernelsOf(module, request, diagnostics);
  if (!kernels)
    return false;
  std::vector<cpu::KernelSignature> signatures;
  {
    Stopwatch watch(&spent.loops);
    PassManager passes(context);
    passes.enableVerifier(false);
    passes.addPass(cpu::createAICoreToLoopsPass());
    passes.addPass(cpu::createExpandMathPass());
    if (failed(passes.run(*kernels)))
      return refused();
    SymbolTable symbols(*kernels);
    for (const CpuKernel &kernel : request.kernels)
      signatures.push_back(signatureOf(symbols.lookup<func::FuncOp>(kernel.name)));
  }
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code;
  {
    Stopwatch watch(&spent.llvm);
    if (!cpu::lowerToLLVMDialect(*kernels))
      return refused();
    code = cpu::translateToLLVM(*kernels, llvmContext);
    if (!code)
      return refused();
    cpu::addEntryTable(*code, request, signatures);
  }
  {
    Stopwatch watch(&spent.optimise);
    cpu::optimise(*code, *machine);
  }
  llvm::SmallVector<char, 0> object;
  {
    Stopwatch watch(&spent.codegen);
    if (!cpu::generateObject(*code, *machine, object)) {
      diagnostics.error(Code::E0900, {}, "LLVM writes no object code for x86-64");
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
