// Tables of text: columns as wide as their widest cell.

#ifndef OPC_TOOLS_OPC_TEXT_TEXTTABLE_H
#define OPC_TOOLS_OPC_TEXT_TEXTTABLE_H

#include <string>
#include <vector>

namespace opc::tool {

using TextRow = std::vector<std::string>;

/// The table as lines, each with '\n' at its end. Columns with `isNumber` are aligned to the right. Rows must not
/// have more cells than `isNumber`.
std::string textTable(const std::vector<TextRow> &rows, const std::vector<bool> &isNumber);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEXT_TEXTTABLE_H
