// Ranges: bodies that take the terms of a sum apart, or put them one after another.
//
//   a [N, A]  b [N, B]  y [N, A+B]          %y = te.concat %a, %b along A+B
//
// Terms have different lengths, so no loop runs over two of them. The results fall into leaves, one for each term along
// each sum that is split: above y where A is and y where B is. Results with equal dimensions are a nest, whose contract
// has these leaves, and of the inputs the ranges that consist of its dimensions. It is a contract as any other, but
// that a term stands in the place of its sum: the dimension in memory stays that of the sum.
//
//   nest 0   a [N, A]  y [N, A]             rows of y are A+B apart
//   nest 1   b [N, B]  y [N, B]             likewise, and begin after A
//
// A launch runs all nests of its type row, in any order. docs/rationale/domains.md says why.

#ifndef OPC_OPS_CONTRACT_RANGES_H
#define OPC_OPS_CONTRACT_RANGES_H

#include "ops/contract/domain/Nests.h"

namespace opc {

/// Whether a body takes a sum apart or puts one together: this sum, or one of its terms, stands after `along`.
bool isSplit(const Contract &contract, const ContractDim &dim);
bool splitsSums(const Contract &contract);

/// The nests of a contract that splits sums. Empty with the reason when there are too many, or when a tensor is in
/// none of them.
std::vector<LaunchNest> rangeNestsOf(const Contract &contract, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_RANGES_H
