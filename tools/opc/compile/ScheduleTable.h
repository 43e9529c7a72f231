// The output of `opc compile --explain-schedule`: a table for each type row, the loops that the shapes of each key
// coalesce to, and the reasons; or one JSON record.

#ifndef OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H
#define OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H

#include "lowering/schedule/Explanation.h"
#include "ops/contract/Contract.h"
#include "runtime/target/Target.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace opc::tool {

/// Lines of text, each ended by '\n'.
std::string scheduleTable(const std::vector<KernelSchedule> &schedules, const Contract &contract, const Target &target);
/// "kernels": one object each, with everything that the table shows.
nlohmann::ordered_json scheduleRecord(const std::vector<KernelSchedule> &schedules, const Contract &contract,
                                      const Target &target);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H
