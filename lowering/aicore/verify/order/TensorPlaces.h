// Whether two instructions of a kernel touch the same bytes of a tensor.
//
// Where no two do, the order of instructions does not matter for the tensor, and the proof of order leaves it out. What
// decides this are offsets and lengths alone, so the kernel is reduced to what computes them: the accesses to one
// tensor, the loops around these, and the arithmetic. A matmul stores in one loop of the three.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H

#include "lowering/aicore/verify/order/TripChoices.h"

namespace opc::aicore::proof {

/// By home: whether it is a tensor of which two accesses, one of them a write, touch the same bytes in some walk, or
/// may do so. Walks take all combinations of trip counts, as in the proof of order.
std::vector<bool> sharedTensors(const KernelProgram &program, const TripRanges &ranges);

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_TENSORPLACES_H
