// What every measurement says of the machine and its report.

#ifndef OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H
#define OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H

#include "tools/opc/bench/BenchRecord.h"

#include <string>

namespace opc::tool {

/// Adds to a record with statistics: the hardware, versions, what the process took, findings, and the fields of the
/// report. `model` is what was measured, `batch` how many of its results a run gives; `commit` may be empty.
void describeMachine(BenchRecord &record, const std::string &model, int64_t batch, const std::string &commit);

/// The report's fields and the findings in Markdown.
std::string reportText(const BenchRecord &record);

/// Writes a record to a file that appears whole or not at all. False after an error.
bool writeBenchFile(const BenchRecord &record, const std::string &path, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H
