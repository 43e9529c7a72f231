// Collecting diagnostics and printing them for people.
//
//   add.yaml:7:3: error: OPC-E0213 [contract_c4]: expects ...
//     add.yaml:3:1: note: 'x1' has 3 types
//     fix: ...
//
// Texts may quote the user's file, so control characters are escaped before they reach a terminal.

#include "runtime/diagnostic/Diagnostic.h"

#include <limits>

using namespace opc;

static std::string_view severityText(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  }
  return "error";
}

static void printLocation(std::ostream &os, const Location &location) {
  if (location.file.empty())
    return;
  os << printable(location.file, std::numeric_limits<size_t>::max());
  if (location.line != 0) {
    os << ':' << location.line;
    if (location.column != 0)
      os << ':' << location.column;
  }
  os << ": ";
}

/// Prints a message; lines after the first are indented below it.
static void printMessage(std::ostream &os, std::string_view message, std::string_view indent) {
  while (true) {
    size_t end = message.find('\n');
    os << printable(message.substr(0, end), std::numeric_limits<size_t>::max()) << '\n';
    if (end == std::string_view::npos)
      return;
    message.remove_prefix(end + 1);
    if (message.empty())
      return;
    os << indent;
  }
}

void opc::printText(std::ostream &os, const Diagnostic &diagnostic) {
  printLocation(os, diagnostic.location);
  os << severityText(diagnostic.severity) << ": ";
  // A remark reports a decision of the compiler, not a broken rule, and has no code.
  if (diagnostic.severity != Severity::Remark)
    os << codeInfo(diagnostic.code).name;
  if (!diagnostic.rule.empty())
    os << (diagnostic.severity != Severity::Remark ? " [" : "[") << diagnostic.rule << ']';
  if (diagnostic.severity != Severity::Remark || !diagnostic.rule.empty())
    os << ": ";
  printMessage(os, diagnostic.message, "  ");
  for (const Note &note : diagnostic.notes) {
    os << "  ";
    printLocation(os, note.location);
    os << "note: ";
    printMessage(os, note.message, "    ");
  }
  if (!diagnostic.fix.empty()) {
    os << "  fix: ";
    printMessage(os, diagnostic.fix, "    ");
  }
}

static Diagnostic makeDiagnostic(Severity severity, Code code, Location location, std::string message, std::string rule,
                                 std::string fix) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.location = std::move(location);
  diagnostic.message = std::move(message);
  diagnostic.rule = std::move(rule);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

Diagnostic &Diagnostics::error(Code code, Location location, std::string message, std::string rule, std::string fix) {
  add(makeDiagnostic(Severity::Error, code, std::move(location), std::move(message), std::move(rule), std::move(fix)));
  return records.back();
}

Diagnostic &Diagnostics::warning(Code code, Location location, std::string message, std::string rule, std::string fix) {
  add(makeDiagnostic(Severity::Warning, code, std::move(location), std::move(message), std::move(rule),
                     std::move(fix)));
  return records.back();
}

Diagnostic &Diagnostics::remark(Code code, Location location, std::string message, std::string rule, std::string fix) {
  add(makeDiagnostic(Severity::Remark, code, std::move(location), std::move(message), std::move(rule), std::move(fix)));
  return records.back();
}

void Diagnostics::add(const Diagnostics &others) {
  for (const Diagnostic &diagnostic : others.all())
    add(diagnostic);
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error)
    ++errors;
  records.push_back(std::move(diagnostic));
}

ExitCode Diagnostics::exitCode() const {
  for (const Diagnostic &diagnostic : records)
    if (diagnostic.severity == Severity::Error)
      return codeInfo(diagnostic.code).exit;
  return ExitCode::Done;
}
