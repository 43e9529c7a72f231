// Comma-separated values, by libcsv.

#ifndef OPC_TOOLS_OPC_CSV_H
#define OPC_TOOLS_OPC_CSV_H

#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// The fields as one line with its end; quotes where a field needs them.
std::string csvLine(const std::vector<std::string> &fields);

/// Reads records one by one; a record may run over several lines inside quotes. `take` gets the line on which it
/// ends, from 1, and says whether to go on. False when there is no memory.
bool readCsv(const std::string &text, const std::function<bool(unsigned line, const std::vector<std::string> &)> &take);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_CSV_H
