#include "lowering/cpu/library/CpuLibrary.h"

#include "dialect/te/TeDialect.h"
#include "lowering/cpu/Passes.h"
#include "lowering/cpu/library/Background.h"
#include "lowering/cpu/library/Bundle.h"
#include "lowering/cpu/library/LLVMModule.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/code/Walk.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "runtime/program/Bytecode.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

#include <chrono>

using namespace mlir;

namespace opc {

namespace {

/// Adds the duration of a scope to `seconds`.
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

/// Whether the module has a different kernel function for each name in the request.
static bool hasKernels(ModuleOp module, const CpuLibraryRequest &request, Diagnostics &diagnostics) {
  SymbolTable symbols(module);
  llvm::SmallDenseSet<Operation *> found;
  for (const CpuKernel &kernel : request.kernels)
    for (const std::string &name : kernel.functions()) {
      Operation *function = symbols.lookup(name);
      if (function && (function->hasAttr(cpu::kTensorsAttr) || function->hasAttr(te::TeDialect::kKernelAttr)) &&
          found.insert(function).second)
        continue;
      diagnostics.error(Code::E0371, locationOf(module.getLoc()),
                        "expects a kernel function for each entry, found none or two for '" + printable(name) + "'");
      return false;
    }
  return true;
}

/// The final value of a register, if it is the same for every launch.
static std::optional<int64_t> constantOf(const TilingFunction &tiling, uint16_t reg) {
  for (const ScalarInstruction &instruction : llvm::reverse(tiling.code))
    if (instruction.dst == reg)
      return instruction.op == ScalarOp::Const ? std::optional(instruction.imm) : std::nullopt;
  return std::nullopt;
}

static cpu::KernelSignature signatureOf(LLVM::LLVMFuncOp function) {
  cpu::KernelSignature signature;
  signature.name = function.getName().str();
  signature.tensors = function->getAttrOfType<IntegerAttr>(cpu::kTensorsAttr).getInt();
  signature.bufferBytes = function->getAttrOfType<DenseI64ArrayAttr>(cpu::kBuffersAttr).asArrayRef().vec();
  signature.inOrder = function->hasAttr(cpu::kInOrderAttr);
  return signature;
}

/// "x86-64-v3, x86-64-v4 and aarch64"
static std::string levelNames() {
  std::string names;
  for (const CpuLevel &level : cpuLevels())
    names += (names.empty() ? "" : &level == &cpuLevels().back() ? " and " : ", ") + level.name.str();
  return names;
}

// The requested levels, which must be of one architecture; otherwise reports E0372.
static std::vector<const CpuLevel *> levelsOf(const CpuLibraryRequest &request, Diagnostics &diagnostics) {
  std::vector<const CpuLevel *> levels;
  for (const std::string &name : request.cpuLevels) {
    const CpuLevel *level = cpuLevelByName(name);
    if (!level || (!levels.empty() && level->triple != levels.front()->triple)) {
      diagnostics.error(Code::E0372, {},
                        "expects CPU levels of one architecture out of " + levelNames() + ", found '" +
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

/// Kernels of some levels as LLVM IR, in a separate context, so that a separate thread can work on it.
struct LevelCode {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  const CpuLevel *level = nullptr; ///< its machine generates the code
  cpu::CodeForm form = cpu::CodeForm::Loops;
  llvm::SmallVector<char, 0> object;
  std::vector<std::string> shared; ///< entries that the table in another object refers to
  std::string error;               ///< reason why there is no such machine; empty if there is one
  bool generated = false;
  double optimising = 0, generating = 0; ///< seconds
};

/// Translates kernels to LLVM IR.
class Build {
public:
  Build(ModuleOp kernels, const CpuLibraryRequest &request, CpuLibraryTimes &spent)
      : kernels(kernels), request(request), spent(spent) {}

  /// Modules with entries, and the table in the first module; empty after an error.
  std::vector<LevelCode> code(llvm::ArrayRef<const CpuLevel *> levels);

private:
  bool loops(LevelCode &code);
  bool vectors(LevelCode &code, cpu::LevelEntries &table);

  ModuleOp kernels;
  const CpuLibraryRequest &request;
  CpuLibraryTimes &spent;
};

} // namespace

bool Build::loops(LevelCode &code) {
  Stopwatch watch(&spent.llvm);
  code.module = cpu::translateToLLVM(kernels, *code.context);
  if (!code.module)
    return false;
  SymbolTable symbols(kernels);
  cpu::LevelEntries entries{code.level->name.str(), {}};
  for (const CpuKernel &kernel : request.kernels) {
    cpu::KernelSignature signature = signatureOf(symbols.lookup<LLVM::LLVMFuncOp>(kernel.name));
    entries.entries.push_back(
        {cpu::addLoopsEntry(*code.module, signature), signature.inOrder ? OPC_KERNEL_ENTRY_IN_ORDER : 0});
  }
  cpu::addEntryTable(*code.module, request.opType, request.kernels, entries);
  return true;
}

/// The entry, or an earlier entry with the same code, which replaces it: shape keys that differ only on the AI Core
/// (long rows, short rows) share a function.
static llvm::Function *sameAsEarlier(llvm::Function &entry, llvm::ArrayRef<cpu::LevelEntries::Entry> earlier) {
  llvm::GlobalNumberState numbers;
  for (const cpu::LevelEntries::Entry &other : earlier)
    if (llvm::FunctionComparator(&entry, other.function, &numbers).compare() == 0) {
      entry.eraseFromParent();
      return other.function;
    }
  return &entry;
}

bool Build::vectors(LevelCode &code, cpu::LevelEntries &table) {
  code.form = cpu::CodeForm::Vectors;
  code.module = std::make_unique<llvm::Module>("kernels", *code.context);
  SymbolTable symbols(kernels);
  table.level = code.level->name.str();
  for (const CpuKernel &kernel : request.kernels) {
    TilingFunction tiling;
    // Reading cannot fail for bytes from writeTiling. For any other bytes the kernel gets no fields.
    (void)readTiling(kernel.tilingCode.data(), kernel.tilingCode.size(), tiling);
    std::vector<cpu::KernelField> fields;
    for (const TilingFunction::Output &output : tiling.outputs)
      fields.push_back({output.field.name, constantOf(tiling, output.reg)});
    SmallVector<llvm::Function *> entries;
    cpu::PackedInputs packs;
    for (const std::string &name : kernel.functions()) {
      entries.push_back(cpu::addVectorKernel(*code.module, symbols.lookup<func::FuncOp>(name), fields,
                                             request.tensorNames, *code.level, packs));
      if (!entries.back())
        return false;
    }
    llvm::Function *entry = kernel.nests.empty()
                                ? entries.front()
                                : cpu::joinEntries(*code.module, kernel.name, entries, fields, *code.level);
    // With several nests, no input belongs to a single nest.
    uint64_t flags = 0;
    for (auto [place, input] : llvm::enumerate(packs))
      if (input && kernel.nests.empty())
        flags |= OPC_KERNEL_ENTRY_PACKS(place, *input);
    table.entries.push_back({sameAsEarlier(*entry, table.entries), flags});
  }
  return true;
}

/// Makes a function visible to the other objects of the library.
static void exportFrom(llvm::Function &function) {
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  function.setVisibility(llvm::GlobalValue::HiddenVisibility);
}

/// Declares an entry in another module: its definition is in another object of the library.
static llvm::Function *declareIn(llvm::Module &module, llvm::Function &entry) {
  if (llvm::Function *declared = module.getFunction(entry.getName()))
    return declared;
  exportFrom(entry);
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context),
                                       {llvm::PointerType::getUnqual(context), i64, i64}, false);
  llvm::Function *declared = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry.getName(), module);
  declared->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return declared;
}

/// Takes the parts of walks that `code` shares with the most basic level from there, with all that they alone call.
static void shareParts(LevelCode &basic, LevelCode &code) {
  for (llvm::Function &part : *code.module) {
    llvm::Function *defined = cpu::isSharedPart(part.getName()) ? basic.module->getFunction(part.getName()) : nullptr;
    if (!defined)
      continue;
    exportFrom(*defined);
    basic.shared.push_back(part.getName().str());
    part.deleteBody();
    part.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  auto isUnused = [](llvm::Function &function) { return function.hasInternalLinkage() && function.use_empty(); };
  for (auto unused = llvm::find_if(*code.module, isUnused); unused != code.module->end();
       unused = llvm::find_if(*code.module, isUnused))
    unused->eraseFromParent();
}

/// Whether every machine of the level runs code of the other one.
static bool runs(const CpuLevel &level, const CpuLevel &basic) {
  const CpuLevel *first = llvm::find_if(cpuLevels(), [&](const CpuLevel &each) { return each.triple == level.triple; });
  return basic.name == first->name && basic.triple == level.triple;
}

std::vector<LevelCode> Build::code(llvm::ArrayRef<const CpuLevel *> levels) {
  auto isFused = [](func::FuncOp function) { return function->hasAttr(te::TeDialect::kKernelAttr); };
  bool fused = llvm::any_of(kernels.getOps<func::FuncOp>(), isFused);
  std::vector<LevelCode> codes(fused ? levels.size() : 1);
  for (auto [code, level] : llvm::zip(codes, levels)) {
    code.level = level;
    // Only functions and tables are referred to by name.
    code.context->setDiscardValueNames(true);
  }
  if (!fused)
    return loops(codes.front()) ? std::move(codes) : std::vector<LevelCode>();
  Stopwatch watch(&spent.llvm);
  std::vector<cpu::LevelEntries> tables(codes.size());
  for (auto [code, table] : llvm::zip_equal(codes, tables)) {
    if (!vectors(code, table))
      return {};
    if (&code == &codes.front())
      continue;
    for (cpu::LevelEntries::Entry &entry : table.entries) {
      entry.function = declareIn(*codes.front().module, *entry.function);
      code.shared.push_back(entry.function->getName().str());
    }
    if (runs(*code.level, *codes.front().level))
      shareParts(codes.front(), code);
  }
  cpu::addEntryTable(*codes.front().module, request.opType, request.kernels, tables);
  return codes;
}

static void generate(LevelCode &code) {
  std::unique_ptr<llvm::TargetMachine> machine = cpu::targetMachine(*code.level, code.error);
  if (!machine)
    return;
  {
    Stopwatch watch(&code.optimising);
    cpu::optimise(*code.module, *machine, code.form);
  }
  Stopwatch watch(&code.generating);
  code.generated = cpu::generateObject(*code.module, *machine, code.form, code.object);
  // The thread that used the IR also frees it.
  code.module.reset();
}

//===----------------------------------------------------------------------===//
// A library being built
//===----------------------------------------------------------------------===//

class CpuLibraryBuild::Work {
public:
  std::vector<LevelCode> codes;
  std::string outputPath, archive;
  bool keepObjects = false;
  CpuLibraryTimes unused, *spent = &unused;
  Diagnostics found;
  bool done = false;
  std::optional<cpu::Background> background;

  void run();

private:
  bool check();
};

/// Checks that all objects were generated, and that they call only entries of each other.
bool CpuLibraryBuild::Work::check() {
  std::vector<std::string> missing;
  llvm::StringSet<> defined;
  for (LevelCode &code : codes)
    defined.insert(code.shared.begin(), code.shared.end());
  for (LevelCode &code : codes) {
    if (!code.error.empty()) {
      found.error(Code::E0372, {}, "LLVM has no code generator for " + code.level->name.str() + ": " + code.error);
      return false;
    }
    if (!code.generated) {
      found.error(Code::E0900, {}, "LLVM writes no object code for this CPU level");
      return false;
    }
    spent->optimise += code.optimising;
    spent->codegen += code.generating;
    for (const std::string &name : cpu::undefinedSymbols(llvm::StringRef(code.object.data(), code.object.size())))
      if (!defined.contains(name))
        missing.push_back(name);
  }
  if (missing.empty())
    return true;
  found.error(Code::E0373, {},
              "expects kernels that call nothing, found calls of '" + llvm::join(missing, "', '") + "'");
  return false;
}

void CpuLibraryBuild::Work::run() {
  {
    std::vector<std::unique_ptr<cpu::Background>> others;
    for (LevelCode &code : llvm::drop_begin(codes))
      others.push_back(std::make_unique<cpu::Background>([&code] { generate(code); }));
    generate(codes.front());
  }
  if (!check())
    return;
  std::vector<llvm::StringRef> objects;
  for (const LevelCode &code : codes)
    objects.emplace_back(code.object.data(), code.object.size());
  if (keepObjects)
    archive = archiveOf(objects);
  Stopwatch watch(&spent->link);
  done = cpu::linkLibrary(objects, outputPath, found);
}

CpuLibraryBuild::CpuLibraryBuild(std::unique_ptr<Work> work) : work(std::move(work)) {
}
CpuLibraryBuild::~CpuLibraryBuild() = default;

std::unique_ptr<CpuLibraryBuild> CpuLibraryBuild::start(ModuleOp module, const CpuLibraryRequest &request,
                                                        Diagnostics &diagnostics, CpuLibraryTimes *times) {
  auto work = std::make_unique<Work>();
  if (times)
    work->spent = times;
  work->keepObjects = request.keepObjects;
  std::vector<const CpuLevel *> levels = levelsOf(request, diagnostics);
  if (levels.empty())
    return nullptr;
  size_t errorsBefore = diagnostics.errorCount();
  DiagnosticBridge bridge(*module.getContext(), diagnostics, Code::E0370);
  if (!hasKernels(module, request, diagnostics))
    return nullptr;
  work->codes = Build(module, request, *work->spent).code(levels);
  if (!work->codes.empty())
    return std::unique_ptr<CpuLibraryBuild>(new CpuLibraryBuild(std::move(work)));
  // A stage that fails without a diagnostic is a bug in opc.
  if (diagnostics.errorCount() == errorsBefore)
    diagnostics.error(Code::E0900, {}, "the CPU form failed without a reason");
  return nullptr;
}

void CpuLibraryBuild::launch(const std::string &outputPath) {
  work->outputPath = outputPath;
  work->background.emplace([work = work.get()] { work->run(); });
}

bool CpuLibraryBuild::wait(Diagnostics &diagnostics) {
  work->background->wait();
  diagnostics.add(work->found);
  return work->done;
}

const std::string &CpuLibraryBuild::objects() const {
  return work->archive;
}

bool buildCpuLibrary(ModuleOp module, const CpuLibraryRequest &request, const std::string &outputPath,
                     Diagnostics &diagnostics, CpuLibraryTimes *times) {
  std::unique_ptr<CpuLibraryBuild> build = CpuLibraryBuild::start(module, request, diagnostics, times);
  if (!build)
    return false;
  build->launch(outputPath);
  return build->wait(diagnostics);
}

} // namespace opc
