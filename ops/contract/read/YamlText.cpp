// Checks of a text before it is parsed, and descriptions of nodes in messages.

#include "ops/contract/read/FileText.h"
#include "ops/contract/read/Yaml.h"

#include "runtime/diagnostic/Utf8.h"

namespace opc {

bool checkText(std::string_view text, ContractErrors &errors) {
  if (text.size() > kLargestFile) {
    errors.report(ContractRule::Size, errors.at(1, 1),
                  "expects at most " + std::to_string(kLargestFile) + " bytes, found more");
    return false;
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    errors.report(ContractRule::Encoding, errors.at(1, 1), "expects plain UTF-8, found a byte order mark",
                  "save the file without one");
    return false;
  }
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8Length(text.substr(i));
    unsigned char c = static_cast<unsigned char>(text[i]);
    bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    if (length == 0 || control) {
      static const char digits[] = "0123456789abcdef";
      std::string found = std::string("0x") + digits[c >> 4] + digits[c & 15];
      errors.report(ContractRule::Encoding, errors.at(line, column),
                    control ? "expects no control characters, found byte " + found
                            : "expects UTF-8, found byte " + found);
      return false;
    }
    column = c == '\n' ? 1 : column + static_cast<unsigned>(length);
    line += c == '\n';
    i += length;
  }
  return true;
}

const YamlEntry *YamlNode::find(std::string_view key) const {
  for (const YamlEntry &entry : entries)
    if (entry.key == key)
      return &entry;
  return nullptr;
}

std::string describe(const YamlNode &node) {
  switch (node.kind) {
  case YamlNode::Null:
    return "nothing";
  case YamlNode::Scalar:
    if (node.text.empty())
      return "an empty text";
    return (node.quoted ? "the quoted text '" : "'") + printable(node.text, 60) + "'";
  case YamlNode::List:
    return "a list";
  case YamlNode::Map:
    return "a mapping";
  }
  return {};
}

} // namespace opc
