// What the parser says of a te body, in the words in which the body is written.
//
// MLIR's parser knows of operations with regions and attributes, of uses of values and of types in full. Who writes
// a body knows its first line: aliases for tensors, values with names, one operation of te to a line. Here each
// message of the parser becomes one about that, at the same place or at the first letter of the word that is wrong,
// and with what mends it.

#ifndef OPC_LOWERING_IMPORT_BODYWORDS_H
#define OPC_LOWERING_IMPORT_BODYWORDS_H

#include "lowering/diagnostic/DiagnosticBridge.h"
#include "ops/contract/Contract.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <utility>
#include <vector>

namespace opc {

class BodyWords final : public AuthorWords {
public:
  /// `text`: an instance as it is parsed, its first line defines the aliases.
  BodyWords(const std::string &text, const Contract &contract);

  /// Types are "f16 of shape [?, 1]".
  std::string messageOf(const mlir::Diagnostic &diagnostic) const override;
  /// Knows a record by its text.
  void explain(Diagnostic &record) const override;
  void explainUnknown(Diagnostic &record, llvm::StringRef name, llvm::StringRef nearest) const override;

private:
  void explainWord(Diagnostic &record, llvm::StringRef word, llvm::StringRef nearest) const;
  bool explainValue(Diagnostic &record) const;
  bool explainType(Diagnostic &record) const;
  bool explainNumber(Diagnostic &record) const;
  bool explainResults(Diagnostic &record) const;
  bool explainFunction(Diagnostic &record) const;
  bool explainOperation(Diagnostic &record) const;
  bool explainText(Diagnostic &record) const;

  std::string lineOf(const Location &place) const;
  std::string wordAt(const Location &place) const;
  std::string operationOf(const Location &place) const;
  std::vector<std::string> values(unsigned above) const;
  unsigned definedBelow(const std::string &value, unsigned line) const;
  std::string returnText() const;
  std::string fixOfRule(const Diagnostic &record) const;
  void moveToWord(Location &place, bool mayLeaveLine) const;

  std::vector<std::string> lines;
  std::vector<std::pair<std::string, std::string>> aliases; ///< "!x" and the type's text
  std::vector<std::string> outputs, launchAttributes;
  std::string signature; ///< "@add(%x1: !x1, %x2: !x2) -> !y"
};

/// "f16 of shape [?, 1]" for tensors, a type's own text for numbers.
std::string wordsOfType(mlir::Type type);

/// What the class of an operator that te lacks is called on the page of what opc does not do, by a name that other
/// frameworks have for it: "matmul" gives "matrix products". Empty: none is known.
std::string outOfScope(std::string_view operation);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_BODYWORDS_H
