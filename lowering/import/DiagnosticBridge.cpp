#include "lowering/import/DiagnosticBridge.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opc {

Location locationOf(mlir::Location location) {
  Location found;
  location->walk([&](mlir::Location inner) {
    auto file = mlir::dyn_cast<mlir::FileLineColRange>(inner);
    if (!file)
      return mlir::WalkResult::advance();
    found.file = file.getFilename().str();
    found.line = file.getStartLine();
    found.column = file.getStartColumn();
    return mlir::WalkResult::interrupt();
  });
  return found;
}

/// A family, "_c", a number: "load_c1".
static bool isLabel(llvm::StringRef text) {
  size_t split = text.rfind("_c");
  if (split == llvm::StringRef::npos || split == 0)
    return false;
  auto family = text.take_front(split), number = text.drop_front(split + 2);
  return !number.empty() && llvm::all_of(number, llvm::isDigit) && llvm::all_of(family, [](char c) {
    return llvm::isLower(c) || llvm::isDigit(c) || c == '_';
  });
}

std::string takeLabel(std::string &message) {
  // Parsers of operations begin in their own way.
  if (size_t end = message.find("' [");
      llvm::StringRef(message).starts_with("custom op '") && end != std::string::npos) {
    std::string operation = message.substr(10, end + 1 - 10);
    message = operation + " op" + message.substr(end + 1);
  }
  llvm::StringRef text = message;
  size_t open = 0;
  if (text.starts_with("'")) {
    size_t end = text.find("' op [");
    if (end == llvm::StringRef::npos)
      return {};
    open = end + 5;
  } else if (!text.starts_with("[")) {
    return {};
  }
  size_t close = text.find(']', open);
  if (close == llvm::StringRef::npos || !isLabel(text.slice(open + 1, close)))
    return {};
  std::string label = text.slice(open + 1, close).str();
  std::string rest = text.drop_front(close + 1).ltrim().str();
  message = text.take_front(open).str() + rest;
  return label;
}

std::optional<Code> codeOfLabel(llvm::StringRef label) {
  llvm::StringRef family = label.take_front(label.rfind("_c"));
  // The dialect verifies tiling functions up to tiling_c4, a pass the rest.
  unsigned number = 0;
  if (family == "tiling" && !label.drop_front(family.size() + 2).getAsInteger(10, number) &&
      number > 4)
    return Code::E0323;
  if (label == "tiled_c2" || label == "tiled_c3")
    return Code::E0400;
  return llvm::StringSwitch<std::optional<Code>>(family)
      .Cases({"bind"}, Code::E0310)
      .Cases({"kernel", "tiling", "function", "size", "buffer", "tiling_data", "scalar", "load",
              "store", "flag", "vector", "reduce"},
             Code::E0302)
      .Cases({"value", "compare", "select", "cast", "constant", "broadcast", "axes", "body"},
             Code::E0302)
      .Cases({"bound", "fused"}, Code::E0313)
      .Case("tiled", Code::E0315)
      .Cases({"placed", "rotate", "rotated"}, Code::E0320)
      .Case("plan", Code::E0321)
      .Case("sync", Code::E0322)
      .Case("ub", Code::E0400)
      .Case("event", Code::E0401)
      .Case("unroll", Code::E0402)
      .Default(std::nullopt);
}

/// The operation that a parser's message calls unknown, or empty.
static std::string unknownOperation(llvm::StringRef message) {
  bool unknown = message.contains("is unknown") || message.contains("unregistered operation") ||
                 message.contains("not found for custom op") ||
                 message.contains("unregistered dialect");
  if (!unknown)
    return {};
  for (llvm::StringRef marker :
       {"custom op '", "unregistered operation '", "for operation '", "'", "`"}) {
    size_t start = message.find(marker);
    if (start == llvm::StringRef::npos)
      continue;
    llvm::StringRef name = message.drop_front(start + marker.size());
    name = name.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
    if (name.contains('.'))
      return name.str();
  }
  return {};
}

/// "aicore, arith, memref": those that are loaded for bodies.
static std::string dialectNames(mlir::MLIRContext &context) {
  std::vector<std::string> names;
  for (mlir::Dialect *dialect : context.getLoadedDialects())
    if (dialect->getNamespace() != "builtin")
      names.push_back(dialect->getNamespace().str());
  llvm::sort(names);
  return llvm::join(names, ", ");
}

/// Names of the same dialect first: "aicore.vad" is meant to be one of aicore.
static std::string nearestOperation(const std::string &name, mlir::MLIRContext &context) {
  std::vector<std::string> same, all;
  llvm::StringRef dialect = llvm::StringRef(name).split('.').first;
  for (mlir::RegisteredOperationName known : context.getRegisteredOperations()) {
    all.push_back(known.getStringRef().str());
    if (known.getDialectNamespace() == dialect)
      same.push_back(all.back());
  }
  std::string nearest = nearestName(name, same);
  return nearest.empty() ? nearestName(name, all) : nearest;
}

DiagnosticBridge::DiagnosticBridge(mlir::MLIRContext &context, Diagnostics &diagnostics,
                                   Code fallback, Location place)
    : context(context), diagnostics(diagnostics), fallback(fallback), place(std::move(place)),
      handler(&context, [this](mlir::Diagnostic &diagnostic) {
        handle(diagnostic);
        return mlir::success();
      }) {
  // A user's mistake is told at the user's line; a dump of the operation helps nobody there.
  context.printOpOnDiagnostic(false);
}

void DiagnosticBridge::handle(mlir::Diagnostic &reported) {
  Diagnostic record;
  switch (reported.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    record.severity = Severity::Error;
    break;
  case mlir::DiagnosticSeverity::Warning:
    record.severity = Severity::Warning;
    break;
  case mlir::DiagnosticSeverity::Remark:
  case mlir::DiagnosticSeverity::Note:
    record.severity = Severity::Remark;
    break;
  }
  record.message = reported.str();
  record.rule = takeLabel(record.message);
  record.code = codeOfLabel(record.rule).value_or(fallback);
  record.location = locationOf(reported.getLocation());
  if (record.location.file.empty())
    record.location = place;
  if (std::string name = unknownOperation(record.message); !name.empty()) {
    record.code = Code::E0301;
    record.message = "there is no operation '" + printable(name) + "'";
    if (std::string nearest = nearestOperation(name, context); !nearest.empty())
      record.fix = "did you mean '" + nearest + "'?";
  }
  if (llvm::StringRef(record.message).contains("with an unregistered dialect")) {
    // The parser's message has no name here.
    record.code = Code::E0301;
    record.message = "the operation at this place is of no dialect that a body may use";
  }
  if (llvm::StringRef(record.message).contains("undefined symbol alias id"))
    record.fix =
        "the first line of a body defines aliases of the type row's types, as '!T = f16'; that "
        "of a te body is replaced, with '!NAME' for each tensor";
  if (llvm::StringRef(record.message).contains("expects different type than prior uses"))
    record.fix = "a value has one type; in a te body 'te.cast' changes its elements and "
                 "'te.broadcast' its shape";
  for (mlir::Diagnostic &reportedNote : reported.getNotes()) {
    Note entry{locationOf(reportedNote.getLocation()), reportedNote.str()};
    // MLIR's own advice is for who registers dialects.
    if (llvm::StringRef(entry.message).contains("dialect registration"))
      entry.message = "a body may use the dialects " + dialectNames(context);
    record.notes.push_back(std::move(entry));
  }
  if (note && record.severity == Severity::Error)
    record.notes.push_back(*note);
  // Kernels of two type rows come from one text: what is wrong with it is told once.
  auto same = [&](const Diagnostic &other) {
    return other.code == record.code && other.message == record.message &&
           other.rule == record.rule && other.location.line == record.location.line &&
           other.location.column == record.location.column &&
           other.location.file == record.location.file;
  };
  if (record.location.line == 0 || llvm::none_of(diagnostics.all(), same))
    diagnostics.add(std::move(record));
}

} // namespace opc
