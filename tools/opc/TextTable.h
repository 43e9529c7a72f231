// Tables of text: columns as wide as their widest cell.

#ifndef OPC_TOOLS_OPC_TEXTTABLE_H
#define OPC_TOOLS_OPC_TEXTTABLE_H

#include <string>
#include <vector>

namespace opc::tool {

using TextRow = std::vector<std::string>;

/// Lines with '\n' at each end; `isNumber` by column: to the right. No row has more cells than that.
std::string textTable(const std::vector<TextRow> &rows, const std::vector<bool> &isNumber);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEXTTABLE_H
