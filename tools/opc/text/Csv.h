// Comma-separated values, by libcsv.

#ifndef OPC_TOOLS_OPC_TEXT_CSV_H
#define OPC_TOOLS_OPC_TEXT_CSV_H

#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// The fields as one line with its line break, quoted where needed.
std::string csvLine(const std::vector<std::string> &fields);

/// Reads records one by one; quoted fields may span lines. `take` receives the line on which the record ends, from 1,
/// and returns whether to continue. Returns false when memory is short.
bool readCsv(const std::string &text, const std::function<bool(unsigned line, const std::vector<std::string> &)> &take);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEXT_CSV_H
