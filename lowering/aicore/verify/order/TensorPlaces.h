// Whether two instructions of a kernel access the same bytes of a tensor.
//
// If no two do, the order of instructions does not matter for the tensor, and the proof of order ignores it. Only
// offsets and lengths decide this, so the kernel is reduced to their computation: the accesses to one tensor, the loops
// around these, and the arithmetic. A matmul stores in one of its three loops.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H

#include "lowering/aicore/verify/order/program/TripChoices.h"

namespace opc::aicore::proof {

/// By home: whether it is a tensor with two accesses, one of them a write, that use the same bytes in some walk, or may
/// do so. Walks cover all combinations of trip counts, as in the proof of order.
std::vector<bool> sharedTensors(const KernelProgram &program, const TripRanges &ranges);

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H
