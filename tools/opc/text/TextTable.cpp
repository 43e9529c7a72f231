#include "tools/opc/text/TextTable.h"

#include <algorithm>

namespace opc::tool {

std::string textTable(const std::vector<TextRow> &rows, const std::vector<bool> &isNumber) {
  std::vector<size_t> widths(isNumber.size());
  for (const TextRow &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const TextRow &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      std::string blanks(widths[i] - row[i].size(), ' ');
      line += " " + (isNumber[i] ? blanks + row[i] : row[i] + blanks) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace opc::tool
