// Reductions over different dimensions in one body.
//
//   x [N, C, S]   %a = te.reduce_sum %x axes [S]   a [N, C]
//                 %b = te.reduce_max %x axes [C]   b [N, S]
//
// One pass over x cannot compute both in the order of memory, so results that reduce the same dimensions form a nest,
// with the inputs from which they are computed (ContractBody::results). A result without a reduction is in the first
// suitable nest, else in a separate one. A result that depends on reductions over different dimensions is refused: it
// would need the result of one nest in another, which a launch does not support.
//
// Reduced rows have two kernels on the AI Core, for short and for long rows. These are two nests, and the tiling
// function gives no rows to one of them; the nests for long rows are the last ones, since the CPU does not have them.

#ifndef OPC_OPS_CONTRACT_REDUCTIONS_H
#define OPC_OPS_CONTRACT_REDUCTIONS_H

#include "ops/contract/domain/Nests.h"

namespace opc {

/// Whether bodies reduce different sets of dimensions.
bool reducesApart(const Contract &contract);

/// For such a contract, the dimensions of a tensor before its body is divided into nests: for each its dimension of the
/// domain, -1 for one that the tensor does not have.
std::vector<int> dimsInDomain(const Contract &contract, size_t tensor);

/// The nests of such a contract. Empty with the reason if a result depends on several sets, when there are too many, or
/// when an input is in none of them.
std::vector<LaunchNest> reductionNestsOf(const Contract &contract, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_REDUCTIONS_H
