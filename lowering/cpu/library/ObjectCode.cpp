// Target machines, LLVM's passes, and object code.
//
// The passes are those that loops over arrays need: scalar simplification, rotation and loop-invariant code motion,
// so that the vectoriser sees counted loops, then the vectoriser, then simplification again. Recognising loops as
// memcpy or memset is disabled, since a kernel library calls nothing ("no-builtins" disables it in the rest of LLVM).
// LLVM's O2 produces the same loops in four times the time.

#include "lowering/cpu/library/LLVMModule.h"
#include "lowering/cpu/vector/code/Walk.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <mutex>

using namespace llvm;

namespace opc::cpu {

static constexpr StringLiteral kPasses =
    "function(sroa,early-cse,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,"
    "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),loop(indvars),"
    "loop-vectorize,"
    "early-cse,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,loop-mssa(licm))";

// The code is vectorised already. What remains is to remove functions that were inlined everywhere, common
// subexpressions and empty blocks, and to give each loop a preheader for invariant code.
static constexpr StringLiteral kVectorPasses = "globaldce,function(early-cse,simplifycfg,loop-simplify)";

// After a walk was inlined, these passes fold what is constant in it and unroll loops over tensors.
static constexpr StringLiteral kWalkPasses = "early-cse,simplifycfg,loop(loop-rotate,loop-unroll-full),"
                                             "instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg";

/// LLVM has one list of targets for the whole process.
static void initialiseTarget(bool isX86) {
  static std::once_flag x86, arm;
  if (isX86)
    std::call_once(x86, [] {
      LLVMInitializeX86TargetInfo();
      LLVMInitializeX86Target();
      LLVMInitializeX86TargetMC();
      LLVMInitializeX86AsmPrinter();
    });
  else
    std::call_once(arm, [] {
      LLVMInitializeAArch64TargetInfo();
      LLVMInitializeAArch64Target();
      LLVMInitializeAArch64TargetMC();
      LLVMInitializeAArch64AsmPrinter();
    });
}

// A machine owns the symbols of the object that it writes, so each object needs its own.
std::unique_ptr<TargetMachine> targetMachine(const CpuLevel &level, std::string &reason) {
  initialiseTarget(level.isX86());
  Triple triple(level.triple);
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, level.cpu, level.features, options, Reloc::PIC_, CodeModel::Small, CodeGenOptLevel::Default));
}

// Inlines the calls that are marked for it. Returns whether there were any.
static bool inlineMarked(Function &function) {
  SmallVector<CallBase *> marked;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction() &&
                                                       !call->getCalledFunction()->isDeclaration() &&
                                                       call->hasFnAttr(Attribute::AlwaysInline))
      marked.push_back(call);
  for (CallBase *call : marked) {
    InlineFunctionInfo info;
    InlineFunction(*call, info);
  }
  return !marked.empty();
}

void optimise(Module &module, TargetMachine &machine, CodeForm form) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!function.hasFnAttribute("target-cpu")) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    }
    function.addFnAttr("no-builtins");
    function.addFnAttr("probe-stack", "inline-asm");
    function.addFnAttr(Attribute::NoUnwind);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // Each flat kernel inlines its own copy of the walk, in which its descriptions are constants.
  FunctionPassManager known;
  cantFail(builder.parsePassPipeline(known, kWalkPasses));
  for (Function &function : module) {
    while (inlineMarked(function)) {
      functions.invalidate(function, PreservedAnalyses::none());
      known.run(function, functions);
    }
    if (function.hasFnAttribute(kTakesPlane))
      takePlane(function);
  }
  ModulePassManager passes;
  cantFail(builder.parsePassPipeline(passes, form == CodeForm::Loops ? kPasses : kVectorPasses));
  passes.run(module, modules);
}

namespace {

/// Disables passes of LLVM's code generator.
class Gate : public OptPassGate {
public:
  bool shouldRunPass(StringRef pass, StringRef) const override {
    // shrink-wrap moves the prologue after the tests for empty launches. For x86 the probes of a large frame write r11,
    // which holds a value there: the bound of a loop became an address (LLVM 22).
    return pass != "shrink-wrap";
  }
  bool isEnabled() const override { return true; }
};

/// Passes of LLVM's code generator, without those that a form of code does not need.
class CodeGenerator : public legacy::PassManager {
public:
  explicit CodeGenerator(CodeForm form) : form(form) {}

  void add(Pass *pass) override {
    if (isNeeded(pass->getPassName()))
      return legacy::PassManager::add(pass);
    delete pass;
  }

private:
  bool isNeeded(StringRef pass) const {
    // Loops of wide vectors use a single counter from which all addresses are scaled, which suits the machine. Strength
    // reduction, which looks for other induction variables, found worse ones for loops over rows. A pass that a Gate
    // disables still costs its analyses, a tenth of the time for matrix products.
    return form != CodeForm::Vectors ||
           (pass != "Loop Strength Reduction" && pass != "Canonicalize Freeze Instructions in Loops");
  }

  CodeForm form;
};

} // namespace

bool generateObject(Module &module, TargetMachine &machine, CodeForm form, SmallVectorImpl<char> &object,
                    CodeGenFileType type) {
  static Gate gate;
  module.getContext().setOptPassGate(gate);
  raw_svector_ostream stream(object);
  CodeGenerator passes(form);
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return false;
  passes.run(module);
  return true;
}

std::vector<std::string> undefinedSymbols(StringRef object) {
  std::vector<std::string> names;
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(object, "kernels.o"));
  if (!file) {
    names.push_back(toString(file.takeError()));
    return names;
  }
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (flags && name && !name->empty() && (*flags & object::SymbolRef::SF_Undefined) &&
        *name != "_GLOBAL_OFFSET_TABLE_")
      names.push_back(name->str());
    consumeError(flags.takeError());
    consumeError(name.takeError());
  }
  return names;
}

} // namespace opc::cpu
