// Numbers and lists of names in sentences and tables.

#ifndef OPC_TOOLS_OPC_TEXT_WORDS_H
#define OPC_TOOLS_OPC_TEXT_WORDS_H

#include <string>
#include <vector>

namespace opc::tool {

/// A number by a format of printf that takes one double, with the text around it: "%.1f ms".
std::string numberText(const char *format, double value);

/// "a, b, c".
std::string joined(const std::vector<std::string> &names);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEXT_WORDS_H
