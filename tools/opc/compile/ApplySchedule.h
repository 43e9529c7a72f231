// `opc compile --apply`: kernels of a te body that do not fit UB get the cheapest change of their schedule that keeps
// their results, or, where there is none, the cheapest one; the schedule file of the contract gets an entry for each.
//
// Entries go behind those that are there: what the author wrote stays, and the later entry holds. A contract without
// a schedule file gets `schedule.yaml` beside it and the line that names it. The changed schedule is compiled before
// anything is written, and files appear whole or not at all.

#ifndef OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H
#define OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H

#include "lowering/pipelines/Compile.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct AppliedSchedule {
  Contract contract;              ///< read anew, with the changed file
  std::vector<std::string> lines; ///< a sentence for each change
};

/// Makes the kernels fit that `refused` names. nullopt, with E0104, E0600 or E0601 and no file changed, when
/// that cannot be done.
std::optional<AppliedSchedule> applySchedule(const Contract &contract, const std::vector<ScheduleRefusal> &refused,
                                             const CompileOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H
