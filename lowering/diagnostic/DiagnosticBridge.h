// What MLIR reports, as the user's diagnostics.
//
// Verifiers and passes of ours write the label of the broken rule in brackets at the front of their message:
// "'aicore.load' op [load_c1] expects 'source' in gm, found ub". While a bridge lives, every error and warning of the
// context becomes a Diagnostic: the place in the user's file, the label apart, a code by the label's family, notes,
// and for an unknown operation the nearest name. A note that begins with "fix: " is what mends the mistake. Remarks
// pass too, so that a pass can explain a decision.

#ifndef OPC_LOWERING_DIAGNOSTIC_DIAGNOSTICBRIDGE_H
#define OPC_LOWERING_DIAGNOSTIC_DIAGNOSTICBRIDGE_H

#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace opc {

/// What an author's messages are put into: the words of the language that the body is written in.
class AuthorWords {
public:
  /// The message of a diagnostic, with types as the author writes them.
  virtual std::string messageOf(const mlir::Diagnostic &diagnostic) const = 0;
  /// Puts a message of the parser, or of a rule that the parser asks, into words. Leaves a record that it does
  /// not know as it is.
  virtual void explain(Diagnostic &record) const = 0;
  /// Says what an operation that does not exist may mean. `nearest`: an operation with a near name, or empty.
  virtual void explainUnknown(Diagnostic &record, llvm::StringRef name, llvm::StringRef nearest) const = 0;

protected:
  ~AuthorWords() = default;
};

/// The place of an MLIR location: the first file, line and column found in it; unknown when there is none.
Location locationOf(mlir::Location location);

/// "[plan_c2]" in front of a message, or after "'op' op ", taken out of it; the label, or empty.
std::string takeLabel(std::string &message);

/// The code of a label ("plan_c2" is of the family "plan").
std::optional<Code> codeOfLabel(llvm::StringRef label);

/// What who calls knows of a rule that code below it reports: the place to show, where the code itself made what is
/// wrong, and what mends it.
struct Advice {
  std::string rule; ///< its label; empty: no advice
  Location place;
  std::string note, fix;
};

/// Lives on the stack around whatever may report. Without a code of its own a message gets `fallback`.
class DiagnosticBridge {
public:
  /// `place`, when it has a file, is the location of messages that have none.
  DiagnosticBridge(mlir::MLIRContext &context, Diagnostics &diagnostics, Code fallback, Location place = {});

  /// Added as a note to every message: which type row is being compiled.
  void setNote(Note value) { note = std::move(value); }

  /// Messages about a te body are told in its words; lives longer than the bridge.
  void setWords(const AuthorWords *value) { words = value; }
  /// Replaces the place of errors of one rule, and adds to them.
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
