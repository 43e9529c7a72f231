// `opc compile --apply`: chooses, for each kernel of a te body that does not fit UB, the cheapest change of its
// schedule that keeps results, or the cheapest change if there is none, and adds an entry for each to the contract's
// schedule file.
//
// Entries are appended to the existing ones: the author's text is not changed, and later entries win. A contract
// without a schedule file gets a `schedule.yaml` in its folder and a line that names it. The changed schedule is
// compiled before anything is written, and files are written atomically.

#ifndef OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H
#define OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H

#include "lowering/pipelines/Compile.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct AppliedSchedule {
  Contract contract;              ///< read again, with the changed file
  std::vector<std::string> lines; ///< a sentence for each change
};

/// Makes the kernels in `refused` fit. On failure reports E0104, E0600 or E0601, changes no file and returns nullopt.
std::optional<AppliedSchedule> applySchedule(const Contract &contract, const std::vector<ScheduleRefusal> &refused,
                                             const CompileOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_APPLYSCHEDULE_H
