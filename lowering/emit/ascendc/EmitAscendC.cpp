// The files: what stands around the classes, and the entry that picks one by tiling key.

#include "lowering/emit/ascendc/EmitAscendC.h"

#include "lowering/emit/ascendc/KernelClass.h"
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

static void buildEntry(OpBuilder &b, const AscendCOperator &op, ArrayRef<KernelInterface> kernels,
                       StringRef tilingType) {
  Location loc = b.getUnknownLoc();
  const KernelInterface &first = kernels.front();
  SmallVector<Type> types(first.tensors.size() + 2,
                          emitc::OpaqueType::get(b.getContext(), "GM_ADDR"));
  auto entry = emitc::FuncOp::create(b, loc, op.name, b.getFunctionType(types, {}));
  entry.setSpecifiersAttr(b.getStrArrayAttr({"extern \"C\"", "__global__", "__aicore__"}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry.addEntryBlock());
  NameScope scope;
  for (StringRef taken : {"workspace", "tiling", "tilingData", "kernel"})
    scope.reserve(taken);
  std::string arguments;
  for (auto [i, tensor] : llvm::enumerate(first.tensors)) {
    std::string name = scope.take(lowerCamel(tensor.name));
    markName(b, entry.getArgument(i), name);
    arguments += name + ", ";
  }
  markName(b, entry.getArgument(first.tensors.size()), "workspace");
  markName(b, entry.getArgument(first.tensors.size() + 1), "tiling");
  line(b, "GET_TILING_DATA_WITH_STRUCT(" + tilingType + ", tilingData, tiling);");
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    line(b, (i == 0 ? "if" : "} else if") + llvm::Twine(" (TILING_KEY_IS(") +
                llvm::Twine(op.kernels[i].tilingKey) + ")) {");
    line(b, "  Kernel" + upperCamel(kernel.name) + " kernel;");
    line(b, "  kernel.Init(" + arguments + "tilingData);");
    line(b, "  kernel.Process();");
  }
  line(b, "}");
  emitc::ReturnOp::create(b, loc, Value());
}

static LogicalResult buildKernelFile(OpBuilder &b, ModuleOp module, const AscendCOperator &op,
                                     ArrayRef<KernelInterface> kernels) {
  std::string tilingType = upperCamel(op.name) + "TilingData";
  auto file = emitc::FileOp::create(b, b.getUnknownLoc(), op.name + ".cpp");
  OpBuilder::InsertionGuard guard(b);
  Block *body = &file.getBodyRegion().front();
  b.setInsertionPointToStart(body);
  line(b, "// Kernels of " + upperCamel(op.name) +
              " for Ascend 310B, one class a type row. Places of tiles in UB and all flags are");
  line(b, "// planned and checked by the compiler that wrote this; a comment behind a call is the "
          "line of the body it comes from.");
  emitc::IncludeOp::create(b, b.getUnknownLoc(), "kernel_operator.h",
                           /*is_standard_include=*/false);
  emitc::IncludeOp::create(b, b.getUnknownLoc(), op.name + "_tiling.h",
                           /*is_standard_include=*/false);
  line(b, "");
  Operation *helpersEnd = &body->back();

  HelperSet helpers;
  for (const auto &[kernel, interface] : llvm::zip_equal(op.kernels, kernels)) {
    auto function = module.lookupSymbol<func::FuncOp>(kernel.function);
    if (failed(KernelClassBuilder(b, function, interface, tilingType, helpers)
                   .build("Kernel" + upperCamel(interface.name))))
      return failure();
    line(b, "");
  }
  buildEntry(b, op, kernels, tilingType);
  // Only now is it known which helpers the classes call.
  b.setInsertionPointAfter(helpersEnd);
  for (const std::string &text : helpers.lines())
    line(b, text);
  return success();
}

static LogicalResult readInterfaces(ModuleOp module, const AscendCOperator &op,
                                    std::vector<KernelInterface> &kernels) {
  FieldBounds bounds = readFieldBounds(module);
  for (const AscendCOperator::Kernel &kernel : op.kernels) {
    auto function = module.lookupSymbol<func::FuncOp>(kernel.function);
    if (!function || !isKernel(function) || function.isExternal())
      return module.emitError("[ascendc_c4] expects a kernel '")
             << kernel.function << "' in the module";
    FailureOr<KernelInterface> interface = readKernelInterface(function, bounds);
    // A tiling function that is fine as bytecode is fine as C++.
    if (failed(interface) || failed(emitTilingBytecode(*interface)))
      return failure();
    kernels.push_back(*interface);
    auto sameName = [](const KernelInterface::Tensor &a, const KernelInterface::Tensor &b) {
      return a.name == b.name;
    };
    if (!std::equal(kernels.front().tensors.begin(), kernels.front().tensors.end(),
                    interface->tensors.begin(), interface->tensors.end(), sameName))
      return function.emitOpError(
          "[ascendc_c4] expects the tensors of all kernels of an operator to have the same names");
  }
  if (kernels.empty())
    return module.emitError("[ascendc_c4] expects a kernel to emit");
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
  if (failed(buildTilingHeader(b, op.name, kernels)) ||
      failed(buildKernelFile(b, module, op, kernels)))
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

/// Kernels in the order of the module get the tiling keys 0, 1, ...
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
    module.getBody()->getOperations().splice(module.getBody()->end(),
                                             (*emitted)->getBody()->getOperations());
  }
};

} // namespace

void opc::registerEmitAscendCPass() {
  registerPass([] { return std::make_unique<EmitAscendCPass>(); });
}
