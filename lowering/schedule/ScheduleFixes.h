// Suggestions for a kernel of a te body that does not fit UB: changes of its entry in the schedule file.
//
// A change is a set of knobs: a smaller tile or fewer rows than the author asks for, one slot, the chip's alignment,
// results over loaded tiles, functions expanded in float16. Of the sets that make the kernel fit, only minimal ones
// are kept, of which no proper subset suffices. The cost model gives the cycles of each.

#ifndef OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H
#define OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H

#include "lowering/schedule/Explanation.h"
#include "lowering/schedule/Heuristic.h"

namespace opc {

/// Fills in the fixes of a refusal, cheapest first (those that change results last), and the figures that determine
/// which one is the cheapest. `variants` are the instance's needs under each schedule that changes them.
void findFixes(ScheduleRefusal &refusal, llvm::ArrayRef<aicore::NeedsAttr> variants, const ShapeKey &key,
               unsigned typeRow, const ContractSchedule &author, const Target &target);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H
