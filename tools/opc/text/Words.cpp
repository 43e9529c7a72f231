#include "tools/opc/text/Words.h"

#include <cstdio>

namespace opc::tool {

std::string numberText(const char *format, double value) {
  const int length = std::snprintf(nullptr, 0, format, value);
  std::string text(size_t(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, value);
  text.pop_back();
  return text;
}

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

} // namespace opc::tool
