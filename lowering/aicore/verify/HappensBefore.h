// Whether the flags and barriers of an unrolled kernel order all that must be ordered, whatever the
// pipes' timing.
//
// The pipes are a network of queues: each takes its instructions in order, a wait stands until its
// flag is set, and nothing else holds one pipe back for another. Such a network has one outcome, so
// running it once, in any order, shows all. Beside it runs a vector clock for each pipe:
//
//   clock[p][q] = n    what pipe p does next comes after the first n instructions of pipe q are
//   complete
//
//   set p -> q    publishes p's clock, with all of p's own instructions before it
//   wait p -> q   q's clock becomes the maximum of its own and what was published
//   barrier p     clock[p][p] rises to all before it
//
// Two accesses to one byte, one of them a write, are ordered when the later one's clock covers the
// earlier one. That is not all: two loads to one address are in order on one pipe, and one tile is
// lost. So each byte also remembers who wrote it, and a read must find the writer it would find if
// each buffer had bytes of its own and the ops ran one after the other.
//
//   sync_c1  accesses to one byte, one of them a write, are ordered by flags or barriers
//   sync_c2  what is read was last written through the same buffer, by the op that the order of the
//   text says sync_c3  what is read was written sync_c4  a flag is set only when the wait for its
//   set before is over for certain sync_c5  every set is waited for sync_c6  every wait is met: no
//   pipe stands still for ever sync_c7  event ids are those of the target

#ifndef OPC_LOWERING_AICORE_VERIFY_HAPPENSBEFORE_H
#define OPC_LOWERING_AICORE_VERIFY_HAPPENSBEFORE_H

#include "lowering/aicore/verify/Unrolling.h"

namespace opc::aicore {

/// Reports the first rule that the unrolled kernel breaks.
mlir::LogicalResult verifyHappensBefore(llvm::ArrayRef<Event> events, const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_HAPPENSBEFORE_H
