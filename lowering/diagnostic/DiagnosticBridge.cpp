#include "lowering/diagnostic/DiagnosticBridge.h"

#include "runtime/diagnostic/Labels.h"

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

std::string takeLabel(std::string &message) {
  // Parsers of operations start their messages in another way.
  if (size_t end = message.find("' [");
      llvm::StringRef(message).starts_with("custom op '") && end != std::string::npos) {
    std::string operation = message.substr(10, end + 1 - 10);
    message = operation + " op" + message.substr(end + 1);
  }
  llvm::StringRef text = message;
  size_t open = 0;
  if (text.starts_with("'")) {
    // The message of a constraint in ODS: "'aicore.vexp' op operand #0 must be [vector_c1] ...".
    size_t end = text.find("' op ["), constraint = text.find(" must be [");
    if (end == llvm::StringRef::npos && constraint == llvm::StringRef::npos)
      return {};
    open = end != llvm::StringRef::npos ? end + 5 : constraint + 9;
  } else if (!text.starts_with("[")) {
    return {};
  }
  size_t close = text.find(']', open);
  if (close == llvm::StringRef::npos || !isLabel(text.slice(open + 1, close).str()))
    return {};
  std::string label = text.slice(open + 1, close).str();
  std::string rest = text.drop_front(close + 1).ltrim().str();
  message = text.take_front(open).str() + rest;
  return label;
}

std::optional<Code> codeOfLabel(llvm::StringRef label) {
  std::vector<Code> codes = codesOfLabel({label.data(), label.size()});
  return codes.empty() ? std::nullopt : std::optional(codes.front());
}

/// The operation that a message of the parser calls unknown, or empty. It may be a word without a dot, which the
/// parser takes for an operation of func.
static std::string unknownOperation(llvm::StringRef message) {
  bool unknown = message.contains("is unknown") || message.contains("unregistered operation") ||
                 message.contains("not found for custom op") || message.contains("unregistered dialect");
  if (!unknown)
    return {};
  for (llvm::StringRef marker : {"custom op '", "unregistered operation '", "for operation '", "'", "`"}) {
    size_t start = message.find(marker);
    if (start == llvm::StringRef::npos)
      continue;
    llvm::StringRef name = message.drop_front(start + marker.size());
    name = name.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
    if (name.contains('.') || (marker == "custom op '" && !name.empty()))
      return name.str();
  }
  return {};
}

/// The rest of "1e30" after the parser has read the 1: it takes "e30" for the next operation.
static bool isExponent(llvm::StringRef word) {
  return word.consume_front_insensitive("e") && llvm::all_of(word, llvm::isDigit);
}

/// The dialects that bodies in this context may use.
static std::string admittedDialects(mlir::MLIRContext &context) {
  std::vector<std::string> names;
  for (mlir::Dialect *dialect : context.getLoadedDialects())
    if (dialect->getNamespace() != "builtin")
      names.push_back(dialect->getNamespace().str());
  // Other dialects are loaded because te depends on them.
  if (llvm::is_contained(names, "te") && !llvm::is_contained(names, "aicore"))
    return "a body at level te has operations of te alone";
  llvm::sort(names);
  return "a body may use the dialects " + llvm::join(names, ", ");
}

/// The te operation for a name that NumPy and others use.
static llvm::StringRef knownElsewhere(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("where", "select")
      .Case("astype", "cast")
      .Cases({"less", "greater", "equal"}, "compare")
      .Cases({"power"}, "pow")
      .Cases({"rint", "roundeven"}, "round")
      .Cases({"rem", "remainder", "fmod"}, "mod")
      .Cases({"logical_and", "land"}, "and")
      .Cases({"logical_or", "lor"}, "or")
      .Cases({"logical_xor", "lxor"}, "xor")
      .Cases({"logical_not", "lnot"}, "not")
      .Default({});
}

/// The most likely word, or empty: "max" abbreviates "maximum", "sum" is the end of "reduce_sum", "vaddrelo" has a
/// wrong letter, "subtract" is longer than "sub".
static std::string nearestWord(llvm::StringRef name, const std::vector<std::string> &words) {
  llvm::StringRef longer, whole, shorter;
  for (llvm::StringRef word : words) {
    bool abbreviates = name.size() > 2 || word.size() == name.size() + 1;
    if (abbreviates && word.starts_with(name) && (longer.empty() || word.size() < longer.size()))
      longer = word;
    if (word.size() > name.size() && word.ends_with(name) && word.drop_back(name.size()).ends_with("_"))
      whole = word;
    if (word.size() > 2 && name.starts_with(word) && word.size() > shorter.size())
      shorter = word;
  }
  std::string nearest = nearestName(name.str(), words);
  if (!longer.empty() || !whole.empty())
    return longer.empty() ? whole.str() : longer.str();
  bool oneLetter = !nearest.empty() && llvm::StringRef(nearest).edit_distance(name) == 1;
  return oneLetter || shorter.empty() ? nearest : shorter.str();
}

/// The most likely operation, or empty. The dialect's name is left out of the comparison: with it, "te.max" would be
/// nearer to "te.mul" than to "te.maximum".
static std::string nearestOperation(llvm::StringRef name, mlir::MLIRContext &context) {
  auto [dialect, word] = name.split('.');
  std::vector<std::string> words, all;
  for (mlir::RegisteredOperationName known : context.getRegisteredOperations()) {
    llvm::StringRef full = known.getStringRef();
    all.push_back(full.str());
    if (known.getDialectNamespace() == dialect)
      words.push_back(full.split('.').second.str());
  }
  if (words.empty())
    return nearestName(name.str(), all);
  std::string found = dialect == "te" ? knownElsewhere(word).str() : std::string();
  if (found.empty())
    found = nearestWord(word, words);
  return found.empty() ? found : (dialect + "." + found).str();
}

/// Rewrites messages of the parser in terms of bodies.
static void explainSyntax(Diagnostic &record) {
  llvm::StringRef message = record.message;
  if (message.contains("undefined symbol alias id"))
    record.fix = "the first line of a body defines aliases of the type row's types, as '!T = f16'; that "
                 "of a te body is replaced, with '!NAME' for each tensor and '#NAME' for each attribute "
                 "that is bound when compiling";
  else if (message.contains("expects different type than prior uses"))
    record.fix = "a value has one type; in a te body 'te.cast' changes its elements and "
                 "'te.broadcast' its shape";
  else if (message.contains("block with no terminator")) {
    record.message = "the body ends without 'return'";
    record.fix = "end it with the outputs and their types: 'return %y : !y'";
  } else if (message.contains("expected operation name in quotes")) {
    record.message = "expects an operation here";
    record.fix = "one to a line, as '%y = te.neg %x'; 'return %y : !y' and '}' end a body";
  } else if (message.contains("expected non-function type"))
    record.message = "expects a type here: a number's, as f32 or i8, or one of the aliases, as !y";
  else if (message.ends_with("expected ':'"))
    record.fix = "types come after a colon, as in 'return %y : !y'";
}

DiagnosticBridge::DiagnosticBridge(mlir::MLIRContext &context, Diagnostics &diagnostics, Code fallback, Location place)
    : context(context), diagnostics(diagnostics), fallback(fallback), place(std::move(place)),
      handler(&context, [this](mlir::Diagnostic &diagnostic) {
        handle(diagnostic);
        return mlir::success();
      }) {
  // A user's error is reported at the user's line, where a dump of the operation does not help.
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
  record.message = words ? words->messageOf(reported) : reported.str();
  record.rule = takeLabel(record.message);
  record.code = codeOfLabel(record.rule).value_or(fallback);
  record.location = locationOf(reported.getLocation());
  if (record.location.file.empty())
    record.location = place;
  // The parser reports a second error at the same place if a word is not in a closed list.
  if (llvm::StringRef(record.message).contains("invalid value for property") && diagnostics.hasErrors())
    return;
  if (std::string name = unknownOperation(record.message); isExponent(name)) {
    record.message = "expects a point in a number with an exponent, found none";
    record.fix = "write 1.0e30, not 1e30";
  } else if (!name.empty()) {
    record.code = Code::E0301;
    record.message = "there is no operation '" + printable(name) + "'";
    bool hasDialect = llvm::StringRef(name).contains('.');
    std::string nearest = hasDialect ? nearestOperation(name, context)
                          : words    ? nearestOperation("te." + name, context)
                                     : std::string();
    if (!hasDialect)
      record.fix = "operations begin with their dialect, as te.neg, and values with '%', as %y";
    else if (!nearest.empty())
      record.fix = "did you mean '" + nearest + "'?";
    if (words)
      words->explainUnknown(record, name, nearest);
  }
  if (llvm::StringRef(record.message).contains("with an unregistered dialect")) {
    // This message of the parser contains no name.
    record.code = Code::E0301;
    record.message = "the operation at this place is of no dialect that a body may use";
  }
  words ? words->explain(record) : explainSyntax(record);
  for (mlir::Diagnostic &reportedNote : reported.getNotes()) {
    Note entry{locationOf(reportedNote.getLocation()), reportedNote.str()};
    if (llvm::StringRef fix = entry.message; fix.consume_front("fix: ")) {
      record.fix = fix.str();
      continue;
    }
    // MLIR's own hint is meant for developers who register dialects.
    if (llvm::StringRef(entry.message).contains("dialect registration"))
      entry.message = admittedDialects(context);
    record.notes.push_back(std::move(entry));
  }
  if (!record.rule.empty() && record.rule == advice.rule) {
    record.location = advice.place;
    record.notes.push_back({{}, advice.note});
    record.fix = advice.fix;
  }
  if (note && record.severity == Severity::Error)
    record.notes.push_back(*note);
  // Kernels of two type rows come from the same text, so an error in it is reported once.
  auto same = [&](const Diagnostic &other) {
    return other.code == record.code && other.message == record.message && other.rule == record.rule &&
           other.location.line == record.location.line && other.location.column == record.location.column &&
           other.location.file == record.location.file;
  };
  if (record.location.line == 0 || llvm::none_of(diagnostics.all(), same))
    diagnostics.add(std::move(record));
}

} // namespace opc
