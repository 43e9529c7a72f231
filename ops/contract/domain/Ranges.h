// Ranges: bodies that read the terms of a sum, or concatenate them.
//
//   a [N, A]  b [N, B]  y [N, A+B]          %y = te.concat %a, %b along A+B
//
// Terms have different lengths, so no loop runs over two of them. The results are divided into leaves, one for each
// term along each split sum: above the range A of y and the range B of y. Leaves with equal dimensions form a nest; its
// contract has these leaves, and the ranges of the inputs with its dimensions. It is an ordinary contract, except that
// a term replaces its sum: the dimension in memory remains that of the sum.
//
//   nest 0   a [N, A]  y [N, A]             rows of y are A+B apart
//   nest 1   b [N, B]  y [N, B]             likewise, and begin after A
//
// A body may reduce a term of a range that it reads, or dimensions around ranges: each nest has its own reduction, as a
// softmax of a range of x. A leaf reduces one set of dimensions, and all of them are in its nest.
//
// A launch runs all nests of its type row, in any order. docs/rationale/domains.md gives the reasons.

#ifndef OPC_OPS_CONTRACT_RANGES_H
#define OPC_OPS_CONTRACT_RANGES_H

#include "ops/contract/domain/Nests.h"

namespace opc {

/// Whether a body reads or concatenates ranges of a sum: this sum, or one of its terms, follows `along`.
bool isSplit(const Contract &contract, const ContractDim &dim);
bool splitsSums(const Contract &contract);

/// Whether inputs have all that a term of a sum consists of. Results are filled along other terms.
bool isOfInputs(const Contract &contract, const ContractDim &term);

/// The dimensions, and terms of dimensions, that bodies of such a contract reduce, as shapes have them, in the order of
/// their names.
std::vector<std::string> reducedInRanges(const Contract &contract);

/// What follows the name of a value along a term of a sum, where a body reduces what a concat has.
std::string nameOfRange(const std::string &sum, size_t place);
/// Behind that: the number of elements by which a mean of ranges is divided, as a sum of ones.
inline constexpr const char *kOfCount = "|count";

/// The nests of a contract that splits sums. Empty with the reason when there are too many, or when a tensor is in
/// none of them.
std::vector<LaunchNest> rangeNestsOf(const Contract &contract, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_RANGES_H
