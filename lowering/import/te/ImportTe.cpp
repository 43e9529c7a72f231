#include "lowering/import/te/ImportTe.h"

#include "dialect/te/Axes.h"
#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/BodyText.h"
#include "lowering/import/Order.h"
#include "lowering/import/Runs.h"
#include "lowering/import/ValueNames.h"
#include "lowering/import/Workspace.h"
#include "lowering/import/te/AxisFrames.h"
#include "lowering/import/te/CheckInstance.h"
#include "lowering/import/te/Dropped.h"
#include "lowering/import/te/ShapeFixes.h"
#include "lowering/import/te/instance/BindInstance.h"
#include "lowering/import/te/instance/Concats.h"
#include "lowering/import/te/words/BodyWords.h"
#include "lowering/import/te/words/Statements.h"
#include "lowering/import/te/words/TePrelude.h"
#include "ops/contract/check/Devices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace mlir;

namespace opc {

/// Parses an instance, whose first line has the aliases of a type row and a shape key; null after an error.
static OwningOpRef<ModuleOp> parseInstance(MLIRContext &context, const std::string &instance, const std::string &path,
                                           const te::AxisFrame &frame) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(instance, path), llvm::SMLoc());
  te::AxisScope scope(context, frame);
  return parseWithNames(context, sources);
}

/// The function of a type row: its own, or that of all rows; null if there is neither.
static func::FuncOp functionOf(ModuleOp parsed, const Contract &contract, unsigned typeRow) {
  auto function = parsed.lookupSymbol<func::FuncOp>(contract.kernelName(typeRow));
  return function ? function : parsed.lookupSymbol<func::FuncOp>(contract.name);
}

static LogicalResult importInstance(const std::string &text, const std::string &path, const Contract &contract,
                                    unsigned typeRow, const ShapeKey &key, ModuleOp result, Diagnostics &diagnostics) {
  MLIRContext &context = *result.getContext();
  std::optional<std::string> instance = instantiateTe(text, contract, typeRow, key, path, diagnostics);
  if (!instance)
    return failure();
  DiagnosticBridge bridge(context, diagnostics, Code::E0300, Location{path});
  bridge.setNote({{},
                  "in the type row '" + contract.typeRowName(typeRow) + "', where !T is " +
                      std::string(mlirTypeName(contract.inputs.front().types[typeRow])) + ", for shapes of the key '" +
                      key.name + "'"});
  const BodyWords words(*instance, contract);
  bridge.setWords(&words);
  te::AxisFrame frame = axisFrame(contract, key);
  OwningOpRef<ModuleOp> parsed = parseInstance(context, *instance, path, frame);
  if (!parsed) {
    if (!diagnostics.hasErrors())
      diagnostics.error(Code::E0300, {path}, "the body cannot be parsed");
    return failure();
  }
  if (failed(checkTopLevel(*parsed, contract)))
    return failure();
  func::FuncOp function = functionOf(*parsed, contract, typeRow);
  if (!function) {
    diagnostics.error(Code::E0310, {path, 1, 1},
                      "expects a function for the type row '" + contract.typeRowName(typeRow) + "': found neither '@" +
                          contract.kernelName(typeRow) + "' nor '@" + contract.name + "'",
                      "bind_c2",
                      "'@" + contract.name +
                          "' serves every type row that has no function of its "
                          "own");
    return failure();
  }
  if (failed(checkCount(function)) || failed(checkInstance(function, *instance, contract, typeRow)) ||
      !checkOrder(function, contract, BodyLevel::Te, *instance, diagnostics) ||
      failed(checkRuns(function, contract, key)) || failed(takeDropped(function, contract, frame)))
    return failure();
  if (failed(combineRanges(function, contract)) || failed(returnWorkspace(function, contract, typeRow)))
    return failure();
  // Written out for each tensor of an input with a count, there are more.
  if (failed(bindInstance(function, contract, typeRow, key, diagnostics)) || failed(checkCount(function)))
    return failure();
  function->remove();
  result.push_back(function);
  return success();
}

/// The keys in the order in which a launch runs nests: that for long rows is right after the one for short rows of the
/// same results, before nests that may read these.
static std::vector<ShapeKey> nestsInOrder(std::vector<ShapeKey> keys) {
  auto lastResult = [](const ShapeKey &key) { return key.operands.back().tensor; };
  auto begin = std::find_if(keys.begin(), keys.end(), [](const ShapeKey &key) { return key.nest && key.isOfAicore(); });
  for (auto next = begin; next != keys.end(); ++next) {
    auto place = std::find_if(keys.begin(), next, [&](const ShapeKey &key) {
      return !key.isOfAicore() && lastResult(key) == lastResult(*next);
    });
    if (place != next)
      std::rotate(std::next(place), next, std::next(next));
  }
  return keys;
}

OwningOpRef<ModuleOp> importTe(MLIRContext &context, const Contract &contract, const ContractBody &body,
                               const std::vector<unsigned> &typeRows, Diagnostics &diagnostics) {
  std::string path = contract.filePath(body.file);
  context.loadDialect<te::TeDialect, func::FuncDialect>();
  std::map<std::string, std::string> texts; // by file
  for (const std::string &file : body.files()) {
    std::optional<std::string> text = readBody(contract.filePath(file), diagnostics);
    if (!text)
      return {};
    // Before the shapes, which a body without its product does not explain.
    if (!checkAliases(*text, contract, contract.filePath(file), diagnostics))
      return {};
    takeUnused(*text, contract.filePath(file), context, diagnostics);
    texts.emplace(file, std::move(*text));
  }
  std::string reason;
  if (!contractKind(contract, reason)) {
    if (!reportUnknownOperation(texts[body.file], path, contract, context, diagnostics) &&
        !reportUnknownName(texts[body.file], path, contract, context, diagnostics))
      diagnostics.error(Code::E0312, body.location,
                        "expects an operator whose shapes fall into finitely many patterns: " + reason, "",
                        fixOfShapes(contract));
    return {};
  }
  std::vector<unsigned> rows = typeRows.empty() ? contract.rowsOf(body) : typeRows;
  std::vector<ShapeKey> keys = nestsInOrder(shapeKeys(contract));
  OwningOpRef<ModuleOp> result = ModuleOp::create(FileLineColLoc::get(&context, path, 1, 1));
  for (unsigned row : rows)
    for (const ShapeKey &key : keys) {
      if (row >= contract.typeRows())
        return {};
      // A kernel that only the AI Core has.
      if (key.isOfAicore() && (isForCpuAlone(contract, body, row) || !hasKeyOnAicore(contract, key, row)))
        continue;
      const std::string &file = body.fileOf(row);
      if (failed(importInstance(texts[file], contract.filePath(file), contract, row, key, *result, diagnostics)))
        return {};
    }
  return result;
}

void setWorkspaceTypes(Contract &contract, const ContractBody &body, const std::vector<unsigned> &typeRows) {
  std::string reason;
  if (contract.workspace.empty() || !contractKind(contract, reason))
    return;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<te::TeDialect, func::FuncDialect>();
  // The import reports what is wrong.
  ScopedDiagnosticHandler ignored(&context, [](mlir::Diagnostic &) { return success(); });
  const std::vector<ShapeKey> keys = shapeKeys(contract);
  for (unsigned row : typeRows) {
    if (row >= contract.typeRows())
      return;
    Diagnostics unreported;
    const std::string path = contract.filePath(body.fileOf(row));
    std::optional<std::string> text = readBody(path, unreported);
    if (text)
      takeUnused(*text, path, context, unreported);
    const std::optional<std::string> instance =
        text ? instantiateTe(*text, contract, row, keys.front(), path, unreported) : std::nullopt;
    OwningOpRef<ModuleOp> parsed;
    if (instance)
      parsed = parseInstance(context, *instance, path, axisFrame(contract, keys.front()));
    func::FuncOp function = parsed ? functionOf(*parsed, contract, row) : func::FuncOp();
    if (!function)
      continue;
    if (failed(combineRanges(function, contract)))
      continue;
    for (auto [tensor, type] : llvm::zip_equal(contract.workspace, typesOfWorkspace(function, contract)))
      tensor.types[row] = type;
  }
}

} // namespace opc
