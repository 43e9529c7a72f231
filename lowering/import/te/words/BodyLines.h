// The text of a te body by lines, words and values, for messages about it. The parser may have refused the text, so
// nothing here relies on its grammar.

#ifndef OPC_LOWERING_IMPORT_TE_WORDS_BODYLINES_H
#define OPC_LOWERING_IMPORT_TE_WORDS_BODYLINES_H

#include "runtime/diagnostic/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace opc {

/// Lines and columns count from 1; places outside of the text have no words.
class BodyLines {
public:
  explicit BodyLines(llvm::StringRef text);

  const std::vector<std::string> &all() const { return lines; }
  /// Empty for a line that does not exist.
  std::string lineOf(const Location &place) const;
  /// The word or the single character at a place; empty at the end of a line.
  std::string wordAt(const Location &place) const;
  /// The first te operation in the line of a place, or empty.
  std::string operationOf(const Location &place) const;
  /// The values that are defined above a line: parameters and results, "%y".
  std::vector<std::string> values(unsigned above) const;
  /// The first line below another in which a value is defined, or 0.
  unsigned definedBelow(const std::string &value, unsigned line) const;
  /// Moves a place to the next word: the parser reports what it expects at the end of the last token. The word may be
  /// in a later line if `mayLeaveLine`. Leaves the place unchanged if there is none.
  void moveToWord(Location &place, bool mayLeaveLine) const;

  /// The values in a line, "%y", except in comments.
  static std::vector<std::string> valuesIn(llvm::StringRef line);
  /// Whether a character may be in the name of a value, a type or an operation.
  static bool isWordLetter(char c);

private:
  std::vector<std::string> lines;
};

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_WORDS_BODYLINES_H
