#include "lowering/import/te/words/BodyLines.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opc {

BodyLines::BodyLines(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '\n');
  for (StringRef line : parts)
    lines.push_back(line.str());
}

bool BodyLines::isWordLetter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.';
}

std::vector<std::string> BodyLines::valuesIn(StringRef line) {
  std::vector<std::string> names;
  line = line.split("//").first;
  for (size_t at = line.find('%'); at != StringRef::npos; at = line.find('%', at + 1))
    names.push_back("%" + line.drop_front(at + 1).take_while(BodyLines::isWordLetter).str());
  return names;
}

std::string BodyLines::lineOf(const Location &place) const {
  return place.line >= 1 && place.line <= lines.size() ? lines[place.line - 1] : std::string();
}

std::string BodyLines::wordAt(const Location &place) const {
  std::string line = lineOf(place);
  StringRef rest =
      place.column >= 1 && place.column <= line.size() ? StringRef(line).drop_front(place.column - 1) : StringRef();
  if (rest.empty())
    return {};
  bool hasSign = StringRef("%!#@").contains(rest.front());
  StringRef word = rest.drop_front(hasSign ? 1 : 0);
  word = word.take_while(BodyLines::isWordLetter);
  if (word.empty() && !hasSign) {
    // One character, which may have several bytes.
    size_t length = 1;
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80)
      ++length;
    return rest.take_front(length).str();
  }
  return rest.take_front(size_t(hasSign) + word.size()).str();
}

std::string BodyLines::operationOf(const Location &place) const {
  std::string line = lineOf(place);
  size_t start = line.find("te.");
  return start == std::string::npos ? std::string()
                                    : StringRef(line).drop_front(start).take_while(BodyLines::isWordLetter).str();
}

/// "%y" at the start of a text, or empty.
static StringRef valueAt(StringRef text) {
  if (!text.starts_with("%"))
    return {};
  return text.take_front(1 + text.drop_front().take_while(BodyLines::isWordLetter).size());
}

std::vector<std::string> BodyLines::values(unsigned above) const {
  std::vector<std::string> names;
  for (unsigned number = 1; number < above && number <= lines.size(); ++number) {
    StringRef line = StringRef(lines[number - 1]).split("//").first;
    for (size_t at = line.find('%'); at != StringRef::npos; at = line.find('%', at + 1)) {
      StringRef name = valueAt(line.drop_front(at));
      StringRef behind = line.drop_front(at + name.size()).ltrim();
      if (name.size() > 1 && (behind.starts_with("=") || behind.starts_with(":")))
        names.push_back(name.str());
    }
  }
  return names;
}

unsigned BodyLines::definedBelow(const std::string &value, unsigned line) const {
  for (unsigned number = line + 1; number <= lines.size(); ++number) {
    StringRef text = StringRef(lines[number - 1]).ltrim();
    if (valueAt(text) == value && text.drop_front(value.size()).ltrim().starts_with("="))
      return number;
  }
  return 0;
}

void BodyLines::moveToWord(Location &place, bool mayLeaveLine) const {
  size_t from = place.column >= 1 ? place.column - 1 : 0;
  for (unsigned number = place.line; number >= 1 && number <= lines.size(); ++number, from = 0) {
    StringRef line = lines[number - 1];
    size_t next = line.find_first_not_of(" \t\r", from);
    if (next != StringRef::npos && !line.drop_front(next).starts_with("//")) {
      place.line = number;
      place.column = unsigned(next) + 1;
      return;
    }
    if (!mayLeaveLine)
      return;
  }
}

} // namespace opc
