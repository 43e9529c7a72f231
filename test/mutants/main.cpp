// opc_mutants: the mutants of one operator's kernels, one line of JSON for each kernel on stdout. `./dev mutants`
// runs it for the library and adds up (tools/dev/mutants.py).

#include "test/mutants/KernelMutants.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/pipelines/Compile.h"
#include "ops/contract/AttributeText.h"
#include "ops/contract/read/Reader.h"
#include "runtime/program/Manifest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace opc;
using namespace opc::mutants;

static llvm::cl::opt<std::string> contractPath(llvm::cl::Positional, llvm::cl::Required,
                                               llvm::cl::desc("<op_contract.yaml>"));
static llvm::cl::opt<std::string> only("kernel", llvm::cl::desc("kernels with this in their name"));
static llvm::cl::opt<unsigned> ofKind("sample",
                                      llvm::cl::desc("at most so many mutants of each kind a kernel; 0: all"));
static llvm::cl::opt<bool> portable("portable", llvm::cl::desc("kernels as --portable makes them, held to its rules"));
static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::desc("which of them, and which values"), llvm::cl::init(1));

static llvm::cl::opt<bool> numbers("numbers", llvm::cl::desc("exchanges that make another kernel are held "
                                                             "against its results"));

static llvm::json::Object recordOf(const Score &score) {
  llvm::json::Object kinds;
  for (const auto &[kind, counts] : score.byKind)
    kinds[kind] = llvm::json::Array{counts.first, counts.second};
  return llvm::json::Object{{"mutants", score.mutants},      {"killed", score.killed},
                            {"verifier", score.byVerifier},  {"sanitizer", score.bySanitizer},
                            {"numbers", score.byNumbers},    {"same", score.same},
                            {"other_flow", score.otherFlow}, {"impossible", score.impossible},
                            {"kinds", std::move(kinds)},     {"survivors", llvm::json::Array(score.survivors)}};
}

/// The contract with all whole numbers that bind when it is compiled at their minimum: pads of 0, one copy.
static Contract withMinima(Contract contract) {
  std::map<std::string, std::string> values;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Compile && attribute.type == AttributeType::Int && attribute.minimum)
      values[attribute.name] = std::to_string(int64_t(*attribute.minimum));
  Contract least = contract;
  Diagnostics refused;
  return bindAttributes(least, values, refused) ? least : contract;
}

/// Kernels by name that no short launch reached, and why.
using Unjudged = std::map<std::string, std::string>;

static void print(llvm::json::Object record, const std::string &kernel) {
  record["kernel"] = kernel;
  llvm::outs() << llvm::json::Value(std::move(record)) << "\n";
  llvm::outs().flush();
}

/// All kernels of one body, or those of `again`, which gets those that no short launch reached; false after an error.
static bool runBody(const Contract &contract, const ContractBody &body, const Target &target,
                    std::optional<Unjudged> &again) {
  Diagnostics diagnostics;
  CompileOptions options;
  options.target = &target;
  options.body = &body;
  // Of all that only the manifest is asked for; each kernel is proved when its turn comes.
  options.cpuLevels = {"x86-64-v3"};
  options.prove = false;
  options.portable = portable;
  CompileResult whole = compileOperator(contract, options, diagnostics);
  options.stopAfter = "synced";
  CompileResult stopped = compileOperator(contract, options, diagnostics);
  Manifest manifest;
  std::string why = "it is not there";
  for (const CompiledFile &file : whole.files)
    if (file.path == "manifest.json")
      why = readManifest(file.bytes, manifest);
  if (diagnostics.hasErrors() || !why.empty()) {
    for (const opc::Diagnostic &diagnostic : diagnostics.all())
      llvm::errs() << diagnostic.message << "\n";
    llvm::errs() << contract.path << " does not compile; its manifest: " << why << "\n";
    return false;
  }

  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<aicore::AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                      scf::SCFDialect>();
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(stopped.module, ParserConfig(&context));
  if (!module) {
    llvm::errs() << contract.path << ": the module at 'synced' does not parse\n";
    return false;
  }
  // As they are launched.
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(aicore::createJoinNestsPass({std::string(target.name())}));
  if (failed(passes.run(*module))) {
    llvm::errs() << contract.path << ": its nests cannot be joined\n";
    return false;
  }
  const LaunchMaker launches(contract, manifest, seed);
  Unjudged left = again.value_or(Unjudged());
  for (func::FuncOp kernel : aicore::kernelsOf(*module)) {
    const std::string name = kernel.getName().str();
    if (name.find(only) == std::string::npos || (again && !again->count(name)))
      continue;
    KernelMutants mutants(kernel, launches.launchesOf(name), target);
    const std::string problem = mutants.prepare();
    if (mutants.isUnreached()) {
      left.emplace(name, problem);
      continue;
    }
    left.erase(name);
    if (!problem.empty()) { // what is wrong with the launches that users get stays wrong
      print(llvm::json::Object{{"error", problem}}, name);
      continue;
    }
    print(recordOf(mutants.run({ofKind, seed, numbers})), name);
  }
  again = std::move(left);
  return true;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "mutants of one operator's kernels\n");
  Diagnostics diagnostics;
  std::optional<Contract> contract = loadContract(contractPath, diagnostics);
  const Target *chip = findTarget("Ascend310B");
  if (!contract || !chip) {
    for (const opc::Diagnostic &diagnostic : diagnostics.all())
      llvm::errs() << diagnostic.message << "\n";
    return 1;
  }
  const Target target = portable ? chip->portable() : *chip;
  bool allWell = true;
  const Contract least = withMinima(*contract);
  for (size_t i = 0; i < contract->bodies.size(); ++i) {
    std::optional<Unjudged> left;
    allWell &= runBody(*contract, contract->bodies[i], target, left);
    // Some kernels are not reached by the values that attributes have if a user gives none, or not by a short launch.
    if (left && !left->empty())
      allWell &= runBody(least, least.bodies[i], target, left);
    for (const auto &[kernel, problem] : left.value_or(Unjudged()))
      print(llvm::json::Object{{"error", problem}}, kernel);
  }
  return allWell ? 0 : 1;
}
