// opc-opt: runs passes on a textual module, for tests and for inspecting single passes. It has the options of mlir-opt
// that opc needs. It does not call MlirOptMain, which cannot read te ops: te::parseModule does.

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/graph/GraphDialect.h"
#include "dialect/te/Reader.h"
#include "dialect/te/TeDialect.h"
#include "lowering/aicore/Passes.h"
#include "lowering/cpu/Passes.h"
#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/graph/Passes.h"
#include "lowering/pipelines/Pipelines.h"
#include "lowering/schedule/Passes.h"
#include "lowering/te/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {

struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"), cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Output file"), cl::value_desc("file"), cl::init("-")};
  cl::opt<bool> splits{"split-input-file",
                       cl::desc("Process the parts between lines '// -----' one by one, each in a context of its own")};
  cl::opt<bool> verifiesDiagnostics{
      "verify-diagnostics", cl::desc("Succeed if and only if the diagnostics are those of the comments 'expected-*'")};
  cl::opt<bool> allowsUnregistered{"allow-unregistered-dialect", cl::desc("Accept ops of unknown dialects")};
  cl::opt<bool> verifiesEach{"verify-each", cl::desc("Verify the module after each pass"), cl::init(true)};
  PassPipelineCLParser pipeline{"", "Passes to run", "p"};
};

} // namespace

static void registerDialects(DialectRegistry &registry) {
  registry.insert<opc::aicore::AICoreDialect, opc::graph::GraphDialect, opc::te::TeDialect, affine::AffineDialect,
                  arith::ArithDialect, bufferization::BufferizationDialect, cf::ControlFlowDialect, emitc::EmitCDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, tensor::TensorDialect>();
}

static void registerPasses() {
  registerCanonicalizerPass();
  registerCSEPass();
  opc::aicore::registerAICorePasses();
  opc::cpu::registerCpuPasses();
  opc::graph::registerGraphPasses();
  opc::te::registerTePasses();
  opc::registerSchedulePasses();
  opc::registerPipelines();
  opc::registerEmitAscendCPass();
}

//===----------------------------------------------------------------------===//
// Processing
//===----------------------------------------------------------------------===//

/// Parses a text, runs the passes and prints the module.
static LogicalResult runPasses(const llvm::SourceMgr &sources, MLIRContext &context, const Options &options,
                               raw_ostream &output) {
  AsmParserState state;
  FallbackAsmResourceMap resources; // of dialects that are not registered
  OwningOpRef<ModuleOp> module = opc::te::parseModule(sources, ParserConfig(&context, true, &resources), state);
  if (!module)
    return failure();
  PassManager passes(&context, ModuleOp::getOperationName(), PassManager::Nesting::Implicit);
  passes.enableVerifier(options.verifiesEach);
  applyDefaultTimingPassManagerCLOptions(passes);
  auto reject = [&](const Twine &message) {
    emitError(UnknownLoc::get(&context)) << message;
    return failure();
  };
  if (failed(applyPassManagerCLOptions(passes)) || failed(options.pipeline.addToPipeline(passes, reject)) ||
      failed(passes.run(*module)))
    return failure();
  AsmState names(*module, OpPrintingFlags(), nullptr, &resources);
  module->print(output, names);
  output << '\n';
  return success();
}

/// Processes a file; with --verify-diagnostics, diagnostics of all its parts are compared with all its comments.
static LogicalResult processFile(std::unique_ptr<llvm::MemoryBuffer> file, const DialectRegistry &registry,
                                 const Options &options, raw_ostream &output) {
  const llvm::MemoryBufferRef text = *file;
  llvm::SourceMgr whole; // keeps the text while the verifier reads it
  whole.AddNewSourceBuffer(std::move(file), SMLoc());
  MLIRContext outer(MLIRContext::Threading::DISABLED); // for diagnostics that are of no part
  std::optional<SourceMgrDiagnosticVerifierHandler> verifier;
  if (options.verifiesDiagnostics)
    verifier.emplace(whole, &outer);
  auto processPart = [&](std::unique_ptr<llvm::MemoryBuffer> part, const llvm::MemoryBufferRef &source,
                         raw_ostream &os) -> LogicalResult {
    MLIRContext context(registry);
    context.allowUnregisteredDialects(options.allowsUnregistered);
    // The parser reads the last buffer. The first one, of which it is a part, makes lines count from the file's first.
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source, false), SMLoc());
    sources.AddNewSourceBuffer(std::move(part), SMLoc());
    if (!verifier) {
      SourceMgrDiagnosticHandler handler(sources, &context);
      return runPasses(sources, context, options, os);
    }
    context.printOpOnDiagnostic(false);
    verifier->registerInContext(&context);
    (void)runPasses(sources, context, options, os); // errors are wanted where comments say so
    return success();
  };
  const char *marker = options.splits ? kDefaultSplitMarker : "";
  LogicalResult result =
      splitAndProcessBuffer(llvm::MemoryBuffer::getMemBuffer(text), processPart, output, marker, marker);
  return verifier ? verifier->verify() : result;
}

int main(int argc, char **argv) {
  llvm::InitLLVM start(argc, argv);
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  const Options options;
  cl::ParseCommandLineOptions(argc, argv, "opc-opt: passes of the operator compiler\n");

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(options.input, &error);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? openOutputFile(options.output, &error) : nullptr;
  if (!output) {
    llvm::errs() << "opc-opt: " << error << "\n";
    return 1;
  }
  if (failed(processFile(std::move(input), registry, options, output->os())))
    return 1;
  output->keep();
  return 0;
}
