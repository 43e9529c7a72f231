// The description of the machine in every measurement, and its report.

#ifndef OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H
#define OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H

#include "tools/opc/bench/BenchRecord.h"

#include <string>

namespace opc::tool {

/// Adds to a record with statistics: the hardware, versions, the process's resources, findings, and the fields of the
/// report. `model` names the measured object, `batch` is the number of its results per run; `commit` may be empty.
void describeMachine(BenchRecord &record, const std::string &model, int64_t batch, const std::string &commit);

/// The report's fields and the findings in Markdown.
std::string reportText(const BenchRecord &record);

/// Writes a record to a file that appears whole or not at all. False after an error.
bool writeBenchFile(const BenchRecord &record, const std::string &path, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_BENCH_BENCHMACHINE_H
