// The files: the text around the classes, and the entry that selects a class by tiling key.

#include "lowering/emit/ascendc/EmitAscendC.h"

#include "lowering/emit/ascendc/KernelClass.h"
#include "lowering/emit/cpp/TilingStruct.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/emit/tiling/TilingHeader.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Target/Cpp/CppEmitter.h"

namespace opc {
#define GEN_PASS_DECL_EMITASCENDCPASS
#define GEN_PASS_DEF_EMITASCENDCPASS
#include "lowering/emit/ascendc/Passes.h.inc"
} // namespace opc

using namespace mlir;
using namespace opc;

static void line(OpBuilder &b, const llvm::Twine &text) {
  emitc::VerbatimOp::create(b, b.getUnknownLoc(), text.str());
}

namespace {

/// The kernels of a type row, and the condition under which a build contains them.
struct BuildRow {
  std::string condition; ///< "ORIG_DTYPE_X == DT_FLOAT16 && ORIG_DTYPE_Y == DT_BOOL"; empty: always
  SmallVector<size_t> kernels;
};

} // namespace

static std::string buildMacro(StringRef tensor) {
  return "ORIG_DTYPE_" + tensor.upper();
}

// Only tensors whose type differs between rows distinguish the rows. Two tensors whose names differ only in case
// share a macro, which is then ambiguous.
static std::vector<BuildRow> buildRows(const AscendCOperator &op) {
  std::vector<BuildRow> rows;
  ArrayRef<std::pair<std::string, ElementType>> first = op.kernels.front().types;
  for (auto [index, kernel] : llvm::enumerate(op.kernels)) {
    std::string condition;
    for (size_t i = 0; i < kernel.types.size(); ++i) {
      const auto &tensor = kernel.types[i];
      std::string macro = buildMacro(tensor.first);
      bool differs =
          llvm::any_of(op.kernels, [&](const auto &other) { return other.types[i].second != first[i].second; });
      bool alone =
          llvm::count_if(kernel.types, [&](const auto &other) { return buildMacro(other.first) == macro; }) == 1;
      if (differs && alone)
        condition += (condition.empty() ? "" : " && ") + macro + " == " + frameworkTypeName(tensor.second);
    }
    auto known = llvm::find_if(rows, [&](const BuildRow &row) { return row.condition == condition; });
    if (known == rows.end())
      known = rows.insert(rows.end(), {condition, {}});
    known->kernels.push_back(index);
  }
  if (rows.size() == 1)
    rows.front().condition.clear();
  return rows;
}

// OPC_ROW(n): whether this build has row n. If types are not macros, all comparisons would compare zeros, so such a
// build has all rows as well.
static void defineRows(OpBuilder &b, StringRef operatorType, ArrayRef<BuildRow> rows) {
  if (rows.size() < 2)
    return;
  std::string macro = StringRef(rows.front().condition).split(' ').first.str();
  line(b, "// The toolchain builds each type row separately and selects it; other builds have all rows.");
  line(b, "#if !defined(" + macro + ") || !defined(DT_FLOAT)");
  line(b, "#define OPC_ROW(row) 1");
  for (auto [i, row] : llvm::enumerate(rows)) {
    line(b, "#elif " + row.condition);
    line(b, "#define OPC_ROW(row) ((row) == " + llvm::Twine(i) + ")");
  }
  line(b, "#else");
  line(b, "#error \"" + operatorType + " has no kernel for the types of this build\"");
  line(b, "#endif");
  line(b, "");
}

static void openRow(OpBuilder &b, const BuildRow &row, size_t number) {
  if (!row.condition.empty())
    line(b, "#if OPC_ROW(" + llvm::Twine(number) + ")");
}

static void closeRow(OpBuilder &b, const BuildRow &row) {
  if (!row.condition.empty())
    line(b, "#endif");
}

// The tiling data, dynamic and static. If the macro exists, the struct is registered and any build copies its bytes.
// Older toolchains take the values of a build for a single shape only from the class that the host registered.
static void readTilingData(OpBuilder &b, ArrayRef<KernelInterface> kernels, StringRef tilingType) {
  std::vector<std::vector<TilingField>> fields;
  for (const KernelInterface &kernel : kernels)
    fields.push_back(kernel.fields);
  line(b, "#ifdef REGISTER_TILING_DEFAULT");
  line(b, "REGISTER_TILING_DEFAULT(" + tilingType + ");");
  line(b, "GET_TILING_DATA_WITH_STRUCT(" + tilingType + ", tilingData, tiling);");
  line(b, "#else");
  line(b, "GET_TILING_DATA(registered, tiling);");
  line(b, tilingType + " tilingData;");
  for (const TilingField &field : tilingStruct(fields).fields)
    line(b, "tilingData." + memberName(field.name) + " = registered." + memberName(field.name) + ";");
  line(b, "#endif");
}

static void buildEntry(OpBuilder &b, const AscendCOperator &op, ArrayRef<KernelInterface> kernels,
                       ArrayRef<BuildRow> rows, StringRef tilingType) {
  Location loc = b.getUnknownLoc();
  const KernelInterface &first = kernels.front();
  const size_t operands = first.tensors.size() - op.workspace.size();
  SmallVector<Type> types(operands + 2, emitc::OpaqueType::get(b.getContext(), "GM_ADDR"));
  auto entry = emitc::FuncOp::create(b, loc, op.name, b.getFunctionType(types, {}));
  entry.setSpecifiersAttr(b.getStrArrayAttr({"extern \"C\"", "__global__", "__aicore__"}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry.addEntryBlock());
  NameScope scope;
  for (StringRef taken : {"workspace", "tiling", "tilingData", "registered", "kernel", "pipe"})
    scope.reserve(taken);
  std::string arguments;
  for (auto [i, tensor] : llvm::enumerate(ArrayRef(first.tensors).take_front(operands))) {
    std::string name = scope.take(lowerCamel(tensor.name));
    markName(b, entry.getArgument(i), name);
    arguments += name + ", ";
  }
  for (const std::string &tensor : op.workspace)
    arguments += "workspace + tilingData." + memberName(tensor + "_at") + ", ";
  markName(b, entry.getArgument(operands), "workspace");
  markName(b, entry.getArgument(operands + 1), "tiling");
  readTilingData(b, kernels, tilingType);
  line(b, "AscendC::TPipe pipe;");
  for (auto [number, row] : llvm::enumerate(rows)) {
    openRow(b, row, number);
    for (auto [i, kernel] : llvm::enumerate(row.kernels)) {
      line(b, (i == 0 ? "if" : "} else if") + llvm::Twine(" (TILING_KEY_IS(") +
                  llvm::Twine(op.kernels[kernel].tilingKey) + ")) {");
      line(b, "  Kernel" + upperCamel(kernels[kernel].name) + " kernel;");
      line(b, "  kernel.Init(pipe, " + arguments + "tilingData);");
      line(b, "  kernel.Process();");
    }
    line(b, "}");
    closeRow(b, row);
  }
  emitc::ReturnOp::create(b, loc, Value());
}

static LogicalResult buildKernelFile(OpBuilder &b, ModuleOp module, const AscendCOperator &op,
                                     ArrayRef<KernelInterface> kernels) {
  std::string tilingType = tilingStructName(op.name);
  std::vector<BuildRow> rows = buildRows(op);
  auto file = emitc::FileOp::create(b, b.getUnknownLoc(), op.name + ".cpp");
  OpBuilder::InsertionGuard guard(b);
  Block *body = &file.getBodyRegion().front();
  b.setInsertionPointToStart(body);
  line(b, "// Kernels of " + upperCamel(op.name) +
              " for Ascend 310B, one class for each type row. Addresses in UB and all flags are");
  line(b, "// planned and checked by the compiler that wrote this; a comment after a call names its "
          "line of the body.");
  const bool isDirect = llvm::any_of(op.kernels, [&](const AscendCOperator::Kernel &kernel) {
    return module.lookupSymbol<func::FuncOp>(kernel.function)->hasAttr(aicore::AICoreDialect::kFixToVAttr);
  });
  if (isDirect) {
    line(b, "//");
    line(b,
         "// Compiled with --fix-to-v=direct: TQueSync<PIPE_FIX, PIPE_V> and back order FIX and V. This assumes that "
         "the chip");
    line(b, "// has flags for that pair, which no source shows.");
    line(b, "#define OPC_FIX_TO_V_DIRECT");
  }
  emitc::IncludeOp::create(b, b.getUnknownLoc(), "kernel_operator.h",
                           /*is_standard_include=*/false);
  emitc::IncludeOp::create(b, b.getUnknownLoc(), op.name + "_tiling.h",
                           /*is_standard_include=*/false);
  line(b, "");
  defineRows(b, upperCamel(op.name), rows);
  Operation *helpersEnd = &body->back();

  HelperSet helpers;
  for (auto [number, row] : llvm::enumerate(rows)) {
    openRow(b, row, number);
    for (size_t kernel : row.kernels) {
      auto function = module.lookupSymbol<func::FuncOp>(op.kernels[kernel].function);
      if (kernel != row.kernels.front())
        line(b, "");
      if (failed(KernelClassBuilder(b, function, kernels[kernel], tilingType, helpers)
                     .build("Kernel" + upperCamel(kernels[kernel].name))))
        return failure();
    }
    closeRow(b, row);
    line(b, "");
  }
  buildEntry(b, op, kernels, rows, tilingType);
  // The helpers that the classes call are known only now.
  b.setInsertionPointAfter(helpersEnd);
  for (const std::string &text : helpers.lines())
    line(b, text);
  return success();
}

static LogicalResult readInterfaces(ModuleOp module, const AscendCOperator &op, std::vector<KernelInterface> &kernels) {
  FieldBounds bounds = readFieldBounds(module);
  llvm::DenseSet<Operation *> checked;
  for (const AscendCOperator::Kernel &kernel : op.kernels) {
    auto function = module.lookupSymbol<func::FuncOp>(kernel.function);
    if (!function || !isKernel(function) || function.isExternal())
      return module.emitError("[ascendc_c4] expects a kernel '") << kernel.function << "' in the module";
    FailureOr<KernelInterface> interface = readKernelInterface(function, bounds);
    // Every tiling function that can be emitted as bytecode can be emitted as C++. Kernels of a type row share one.
    if (failed(interface) || (checked.insert(interface->tiling).second && failed(emitTilingBytecode(*interface))))
      return failure();
    kernels.push_back(*interface);
    auto sameName = [](const KernelInterface::Tensor &a, const KernelInterface::Tensor &b) { return a.name == b.name; };
    if (!std::equal(kernels.front().tensors.begin(), kernels.front().tensors.end(), interface->tensors.begin(),
                    interface->tensors.end(), sameName))
      return function.emitOpError(
          "[ascendc_c4] expects the tensors of all kernels of an operator to have the same names");
  }
  if (kernels.empty())
    return module.emitError("[ascendc_c4] expects a kernel to emit");
  if (isReservedName(op.name))
    return module.emitError("[emit_c2] expects an operator whose name is no keyword of C++ and no "
                            "macro of the device compiler's headers, found '")
           << op.name << "'";
  for (const AscendCOperator::Kernel &kernel : op.kernels)
    if (kernel.types.size() != op.kernels.front().types.size())
      return module.emitError("[ascendc_c4] expects the types of as many tensors for each kernel, "
                              "found ")
             << kernel.types.size() << " for '" << kernel.function << "'";
  llvm::StringSet<> names;
  for (const KernelInterface::Tensor &tensor : kernels.front().tensors)
    if (!names.insert(lowerCamel(tensor.name)).second)
      return module.emitError("[ascendc_c4] expects tensors whose names differ in more than "
                              "underscores and capitals, found '")
             << tensor.name << "'";
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> opc::buildAscendC(ModuleOp module, const AscendCOperator &op) {
  module.getContext()->loadDialect<emitc::EmitCDialect>();
  std::vector<KernelInterface> kernels;
  if (failed(readInterfaces(module, op, kernels)))
    return failure();
  OwningOpRef<ModuleOp> emitted = ModuleOp::create(module.getLoc());
  OpBuilder b = OpBuilder::atBlockBegin(emitted->getBody());
  if (failed(buildTilingHeader(b, op.name, kernels)) || failed(buildKernelFile(b, module, op, kernels)))
    return failure();
  if (failed(verify(*emitted)))
    return failure();
  return std::move(emitted);
}

static LogicalResult printFile(ModuleOp emitted, const std::string &file, std::string &text) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  if (failed(emitc::translateToCpp(emitted, os, /*declareVariablesAtTop=*/false, file)))
    return failure();
  text = resolveMarkers(StringRef(printed).ltrim('\n'));
  return success();
}

FailureOr<AscendCText> opc::printAscendC(ModuleOp emitted, StringRef name) {
  AscendCText text;
  if (failed(printFile(emitted, name.str() + ".cpp", text.kernelSource)) ||
      failed(printFile(emitted, name.str() + "_tiling.h", text.tilingHeader)))
    return failure();
  return text;
}

namespace {

/// Kernels get the tiling keys 0, 1, ... in the order of the module.
class EmitAscendCPass : public opc::impl::EmitAscendCPassBase<EmitAscendCPass> {
public:
  using Base = opc::impl::EmitAscendCPassBase<EmitAscendCPass>;
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    AscendCOperator op{operatorName, {}};
    for (auto function : module.getOps<func::FuncOp>())
      if (isKernel(function))
        op.kernels.push_back({function.getName().str(), op.kernels.size()});
    FailureOr<OwningOpRef<ModuleOp>> emitted = buildAscendC(module, op);
    if (failed(emitted))
      return signalPassFailure();
    module.getBody()->clear();
    module.getBody()->getOperations().splice(module.getBody()->end(), (*emitted)->getBody()->getOperations());
  }
};

} // namespace

void opc::registerEmitAscendCPass() {
  registerPass([] { return std::make_unique<EmitAscendCPass>(); });
}
