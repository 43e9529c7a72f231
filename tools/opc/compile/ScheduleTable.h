// What `opc compile --explain-schedule` prints: a table for each type row, then the loops that each key's shapes
// coalesce to, then the reasons; or one JSON record.

#ifndef OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H
#define OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H

#include "lowering/schedule/Explanation.h"
#include "ops/contract/Contract.h"
#include "runtime/target/Target.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace opc::tool {

/// Lines of text with '\n' at each end.
std::string scheduleTable(const std::vector<KernelSchedule> &schedules, const Contract &contract, const Target &target);
/// "kernels": one object each, with everything that the table shows.
nlohmann::ordered_json scheduleRecord(const std::vector<KernelSchedule> &schedules, const Contract &contract,
                                      const Target &target);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_SCHEDULETABLE_H
