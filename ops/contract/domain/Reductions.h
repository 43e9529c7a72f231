// Reductions over different dimensions in one body.
//
//   x [N, C, S]   %a = te.reduce_sum %x axes [S]   a [N, C]
//                 %b = te.reduce_max %x axes [C]   b [N, S]
//
// One pass over x cannot have both in the order of memory, so results that reduce the same dimensions are a nest, with
// the inputs from which they are computed (ContractBody::results). A result without a reduction is in the first nest
// that takes it, else in one of its own. What depends on reductions over different dimensions would need the result of
// one nest in another, which a launch does not have: it is refused.
//
// Rows that are reduced have two kernels on the AI Core, for short and for long ones. They are two nests, of which the
// tiling function gives one no rows; the nests for long rows are the last ones, since the CPU has none of them.

#ifndef OPC_OPS_CONTRACT_REDUCTIONS_H
#define OPC_OPS_CONTRACT_REDUCTIONS_H

#include "ops/contract/domain/Nests.h"

namespace opc {

/// Whether bodies reduce different sets of dimensions, each as a whole.
bool reducesApart(const Contract &contract);

/// Of such a contract, the dimensions of a tensor before its body falls into nests: a dimension of the domain each, -1
/// for one that the tensor does not have. Results lack the place of what they reduce where their shape does.
std::vector<int> dimsInDomain(const Contract &contract, size_t tensor);

/// The nests of such a contract. Empty with the reason when a result depends on several sets, when there are too many,
/// or when an input is in none of them.
std::vector<LaunchNest> reductionNestsOf(const Contract &contract, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_REDUCTIONS_H
