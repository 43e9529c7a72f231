// What would make a kernel of a te body fit UB: changes of its entry in the schedule file.
//
// A change is a set of knobs: a smaller tile or fewer rows than the author asks for, one slot, the chip's alignment,
// results over loaded tiles, functions expanded in float16. Of the sets that fit the smallest are kept, those of
// which no part fits: whoever gives up one knob need not give up two. Each has its cycles by the cost model.

#ifndef OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H
#define OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H

#include "lowering/schedule/Explanation.h"
#include "lowering/schedule/Heuristic.h"

namespace opc {

/// Fills the fixes of a refusal, the cheapest first (what changes results last), and the figures that decide which
/// that is. `variants` are the instance's needs under each schedule that changes them.
void findFixes(ScheduleRefusal &refusal, llvm::ArrayRef<aicore::NeedsAttr> variants, const ShapeKey &key,
               unsigned typeRow, const ContractSchedule &author, const Target &target);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SCHEDULEFIXES_H
