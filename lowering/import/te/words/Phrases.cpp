#include "lowering/import/te/words/Phrases.h"

#include "runtime/diagnostic/Diagnostic.h"

namespace opc {

using llvm::StringRef;

std::string quoted(StringRef message, size_t from) {
  size_t start = message.find('\'', from);
  size_t end = start == StringRef::npos ? start : message.find('\'', start + 1);
  return end == StringRef::npos ? std::string() : message.slice(start + 1, end).str();
}

std::string listed(const std::vector<std::string> &names) {
  constexpr size_t most = 20;
  size_t first = names.size() > most ? names.size() - most : 0;
  std::string text = first ? "..." : "";
  for (size_t i = first; i < names.size(); ++i)
    text += (text.empty() ? "" : ", ") + printable(names[i]);
  return text;
}

std::string meant(const std::string &name, const std::vector<std::string> &names) {
  std::string nearest = nearestName(name, names);
  return nearest.empty() ? std::string() : "did you mean '" + nearest + "'?";
}

} // namespace opc
