// Rewrites messages of the parser about a te body in terms of the language in which the body is written.
//
// MLIR's parser speaks of operations with regions and attributes, uses of values, and full types. An author of a body
// knows aliases for tensors in the first line, named values, and one te operation per line. Each message of the
// parser is rewritten in these terms, at the same place or at the start of the wrong word, with a suggestion how to
// fix the error.

#ifndef OPC_LOWERING_IMPORT_TE_WORDS_BODYWORDS_H
#define OPC_LOWERING_IMPORT_TE_WORDS_BODYWORDS_H

#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/te/words/BodyLines.h"
#include "ops/contract/Contract.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <utility>
#include <vector>

namespace opc {

class BodyWords final : public AuthorWords {
public:
  /// `text` is an instance as it is parsed, with the aliases in its first line.
  BodyWords(const std::string &text, const Contract &contract);

  /// Spells types as "f16 of shape [?, 1]".
  std::string messageOf(const mlir::Diagnostic &diagnostic) const override;
  /// Recognises a record by its text.
  void explain(Diagnostic &record) const override;
  void explainUnknown(Diagnostic &record, llvm::StringRef name, llvm::StringRef nearest) const override;

private:
  void explainWord(Diagnostic &record, llvm::StringRef word, llvm::StringRef nearest) const;
  bool explainValue(Diagnostic &record) const;
  void explainOperand(Diagnostic &record) const;
  bool explainType(Diagnostic &record) const;
  void explainAlias(Diagnostic &record) const;
  void explainUse(Diagnostic &record) const;
  bool explainNumber(Diagnostic &record) const;
  bool explainResults(Diagnostic &record) const;
  bool explainFunction(Diagnostic &record) const;
  bool explainOperation(Diagnostic &record) const;
  bool explainText(Diagnostic &record) const;
  void explainAbsent(Diagnostic &record) const;

  void findNumbers();
  std::string returnText() const;
  std::string fixOfRule(const Diagnostic &record) const;

  BodyLines body;
  std::vector<std::pair<std::string, std::string>> aliases; ///< "!x" and the text of its type
  std::vector<std::string> outputs, launchAttributes;
  /// Values that are numbers because an input is absent, each with the input: "%bias" and values computed only from it.
  std::vector<std::pair<std::string, std::string>> numbers;
  std::vector<std::pair<std::string, std::string>> presences; ///< of absent inputs: the attribute that says so
  std::string signature;                                      ///< "@add(%x1: !x1, %x2: !x2) -> !y"
};

/// "f16 of shape [?, 1]" for a tensor, the text of the type for a number.
std::string wordsOfType(mlir::Type type);

/// The class of an operator that te lacks, as the page about the scope of opc calls it, from the operator's name in
/// other frameworks: "matmul" gives "matrix products". Empty if unknown.
std::string outOfScope(std::string_view operation);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_WORDS_BODYWORDS_H
