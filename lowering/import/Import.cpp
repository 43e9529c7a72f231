// Parses the body once for each type row and moves the functions of the row into the result.

#include "lowering/import/Import.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/Bind.h"
#include "lowering/import/BodyText.h"
#include "lowering/import/Order.h"
#include "lowering/import/ValueNames.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace opc {

void loadBodyDialects(MLIRContext &context) {
  context.loadDialect<affine::AffineDialect, aicore::AICoreDialect, arith::ArithDialect, func::FuncDialect,
                      math::MathDialect, memref::MemRefDialect, scf::SCFDialect>();
}

/// Parses text under the path of the user's file.
static OwningOpRef<ModuleOp> parse(MLIRContext &context, const std::string &text, const std::string &path) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path), llvm::SMLoc());
  return parseWithNames(context, sources);
}

/// Moves a tiling function to the result, or reuses an equal one. Returns its name in the result.
static StringAttr moveTiling(func::FuncOp tiling, ModuleOp result, const std::string &rowName) {
  auto same = [&](func::FuncOp other) {
    return other && OperationEquivalence::isEquivalentTo(tiling, other, OperationEquivalence::IgnoreLocations);
  };
  std::string name = tiling.getName().str();
  auto there = result.lookupSymbol<func::FuncOp>(name);
  if (same(there))
    return there.getSymNameAttr();
  if (there)
    name += "_" + rowName;
  // Only two rows with the same name could conflict again; numbers make the name unique in any case.
  std::string unique = name;
  for (unsigned i = 2; result.lookupSymbol(unique); ++i)
    unique = name + "_" + std::to_string(i);
  tiling->remove();
  tiling.setSymName(unique);
  result.push_back(tiling);
  return tiling.getSymNameAttr();
}

static LogicalResult importRow(const std::string &text, const std::string &path, const Contract &contract,
                               unsigned typeRow, ModuleOp result, Diagnostics &diagnostics) {
  MLIRContext &context = *result.getContext();
  std::optional<std::string> instance = instantiate(text, contract, typeRow, path, diagnostics);
  if (!instance)
    return failure();
  DiagnosticBridge bridge(context, diagnostics, Code::E0300, Location{path});
  std::string_view type = mlirTypeName(contract.inputs.front().types[typeRow]);
  bridge.setNote({{}, "in the type row '" + contract.typeRowName(typeRow) + "', where !T is " + std::string(type)});
  OwningOpRef<ModuleOp> parsed = parse(context, *instance, path);
  if (!parsed) {
    if (!diagnostics.hasErrors())
      diagnostics.error(Code::E0300, {path}, "the body cannot be parsed");
    return failure();
  }
  if (failed(checkFunctions(*parsed, contract)))
    return failure();
  func::FuncOp kernel = findKernel(*parsed, contract, typeRow);
  if (!kernel) {
    diagnostics.error(Code::E0310, {path, 1, 1},
                      "expects a kernel for the type row '" + contract.typeRowName(typeRow) + "': found neither '@" +
                          contract.kernelName(typeRow) + "' nor '@" + contract.name + "'",
                      "bind_c2");
    return failure();
  }
  if (!checkOrder(kernel, contract, BodyLevel::AICore, *instance, diagnostics) ||
      failed(bindKernel(kernel, contract, typeRow)))
    return failure();
  func::FuncOp tiling = bindTilingFunction(kernel, *parsed, contract);
  if (!tiling)
    return failure();
  StringAttr tilingName = moveTiling(tiling, result, contract.typeRowName(typeRow));
  kernel->remove();
  kernel.setSymName(contract.kernelName(typeRow));
  kernel->setAttr(aicore::AICoreDialect::kTilingFunctionAttr, FlatSymbolRefAttr::get(tilingName));
  result.push_back(kernel);
  return success();
}

/// bind_c16: an output without a store keeps its previous contents. Such a launch is legal, so this is a warning; it
/// is reported once for a body with several rows.
static void warnOfMissingStores(ModuleOp module, const Contract &contract, Diagnostics &diagnostics) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(aicore::AICoreDialect::kKernelAttr))
      continue;
    opc::Location place = locationOf(kernel.getLoc());
    for (StringRef name : outputsWithoutStore(kernel, contract)) {
      std::string message = "expects a store to output '" + name.str() + "' of '" + contract.opType + "', found none";
      auto same = [&](const Diagnostic &other) {
        return other.message == message && other.location.line == place.line;
      };
      if (!llvm::any_of(diagnostics.all(), same))
        diagnostics.warning(Code::E0310, place, message, "bind_c16");
    }
  }
}

OwningOpRef<ModuleOp> importBody(MLIRContext &context, const Contract &contract, const ContractBody &body,
                                 const std::vector<unsigned> &typeRows, Diagnostics &diagnostics) {
  if (body.level != BodyLevel::AICore) {
    diagnostics.error(Code::E0311, body.location,
                      "expects a body at level 'aicore', found '" + std::string(bodyLevelName(body.level)) + "'", "",
                      "name the other body with --body=aicore");
    return {};
  }
  std::string path = contract.filePath(body.file);
  std::optional<std::string> text = readBody(path, diagnostics);
  if (!text)
    return {};
  loadBodyDialects(context);
  std::vector<unsigned> rows = typeRows.empty() ? contract.rowsOf(body) : typeRows;
  OwningOpRef<ModuleOp> result = ModuleOp::create(FileLineColLoc::get(&context, path, 1, 1));
  // An error in a body for all rows would be reported for each of them, so the import ends with the first failing row.
  for (unsigned row : rows)
    if (row >= contract.typeRows() || failed(importRow(*text, path, contract, row, *result, diagnostics)))
      return {};
  DiagnosticBridge bridge(context, diagnostics, Code::E0302, Location{path});
  if (failed(verify(*result)))
    return {};
  warnOfMissingStores(*result, contract, diagnostics);
  return result;
}

} // namespace opc
