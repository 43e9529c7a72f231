// Converts MLIR's diagnostics to the user's diagnostics.
//
// Our verifiers and passes start their messages with the label of the broken rule in brackets: "'aicore.load' op
// [load_c1] expects 'source' in gm, found ub". While a bridge exists, every error and warning of the context becomes
// a Diagnostic with the place in the user's file, the label as a separate field, a code for the label's family,
// notes, and for an unknown operation the nearest name. A note that begins with "fix: " states how to correct the
// error. Remarks are converted too, so that a pass can explain a decision.

#ifndef OPC_LOWERING_DIAGNOSTIC_DIAGNOSTICBRIDGE_H
#define OPC_LOWERING_DIAGNOSTIC_DIAGNOSTICBRIDGE_H

#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace opc {

/// The vocabulary of an author: converts messages to terms of the language in which the body is written.
class AuthorWords {
public:
  /// The message of a diagnostic, with types spelled as the author writes them.
  virtual std::string messageOf(const mlir::Diagnostic &diagnostic) const = 0;
  /// Rewrites a message of the parser, or of a rule that the parser checks. Leaves unknown messages unchanged.
  virtual void explain(Diagnostic &record) const = 0;
  /// Explains an operation that does not exist. `nearest` is an operation with a similar name, or empty.
  virtual void explainUnknown(Diagnostic &record, llvm::StringRef name, llvm::StringRef nearest) const = 0;

protected:
  ~AuthorWords() = default;
};

/// The first file, line and column in an MLIR location; unknown if there is none.
Location locationOf(mlir::Location location);

/// Removes "[plan_c2]" from the start of a message, or after "'op' op ". Returns the label, or an empty string.
std::string takeLabel(std::string &message);

/// The code for a label ("plan_c2" belongs to the family "plan").
std::optional<Code> codeOfLabel(llvm::StringRef label);

/// Knowledge of a caller about a rule that code below it reports: the place to show if that code itself generated the
/// offending IR, and how to correct it.
struct Advice {
  std::string rule; ///< label of the rule; empty: no advice
  Location place;
  std::string note, fix;
};

/// Lives on the stack around code that may report. Messages without a code of their own get `fallback`.
class DiagnosticBridge {
public:
  /// `place`, if it has a file, is the location of messages without one.
  DiagnosticBridge(mlir::MLIRContext &context, Diagnostics &diagnostics, Code fallback, Location place = {});

  /// Adds a note to every message, such as the type row that is being compiled.
  void setNote(Note value) { note = std::move(value); }

  /// Words for messages about a te body; must outlive the bridge.
  void setWords(const AuthorWords *value) { words = value; }
  /// Replaces the place of errors of one rule, and adds a note and a fix.
  void setAdvice(Advice value) { advice = std::move(value); }

private:
  void handle(mlir::Diagnostic &diagnostic);

  mlir::MLIRContext &context;
  Diagnostics &diagnostics;
  Code fallback;
  Location place;
  std::optional<Note> note;
  const AuthorWords *words = nullptr;
  Advice advice;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace opc

#endif // OPC_LOWERING_DIAGNOSTIC_DIAGNOSTICBRIDGE_H
