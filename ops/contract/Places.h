// Attributes that determine ranks, orders, the presence of inputs and the number of their tensors.
//
//   x [...S]            y [...S[perm]]          perm [2, 0, 1]: S has three dimensions, and y has them in that order
//   x [...A, C, ...B]   C is dimension `axis`   axis 1: A has one dimension; axis -1: B has none
//   bias [N]            present: has_bias       has_bias false: there is no such input
//   x [...S]            count: n                n 3: there are x_0, x_1 and x_2
//   x [N, A[n]]         y [N, A[n]]             n 2: x_0 [N, A_0], x_1 [N, A_1], y [N, A_0+A_1]
//
// A pack whose rank follows from an attribute becomes symbols, `S_0`, `S_1`, .... .... An attribute that binds when
// compiling always has a value, so all readers of a contract see symbols, and launches, keys, host code and proofs need
// no code for such attributes. An input that is absent is gone from `inputs` likewise, and one with a count is as many
// inputs. The original contract is kept, for the next value.

#ifndef OPC_OPS_CONTRACT_PLACES_H
#define OPC_OPS_CONTRACT_PLACES_H

#include "ops/contract/Contract.h"

namespace opc {

/// Whether attributes determine packs or inputs of the contract.
bool hasPlaces(const Contract &contract);

/// Whether an attribute of the contract is the order of a pack.
bool isOrder(const Contract &contract, const std::string &attribute);

/// Whether an attribute of the contract says which dimension of its tensors a symbol is.
bool isAxis(const Contract &contract, const std::string &attribute);

/// All inputs of the original contract, in order, also absent ones: the arguments of bodies.
const std::vector<ContractTensor> &writtenInputs(const Contract &contract);

/// The inputs of the contract, numbers in order, that argument `argument` of a body stands for, where the arguments are
/// `writtenInputs`: none for an absent input, and all tensors of an input with a count; none beyond the last argument.
std::vector<size_t> inputsOfArgument(const Contract &contract, size_t argument);

/// Whether the values of attributes remove an input, one of `writtenInputs`.
bool isAbsent(const Contract &contract, const ContractTensor &input);

/// Whether an attribute of the contract decides the presence of an input.
bool isPresence(const Contract &contract, const std::string &attribute);

/// The input that has a count in the original contract, which is the last one; null if there is none.
const ContractTensor *countedInput(const Contract &contract);

/// Whether an attribute of the contract is the number of tensors of an input.
bool isCount(const Contract &contract, const std::string &attribute);

/// "x_2": the name of a tensor of an input with a count, or of a dimension that is separate for each tensor.
std::string numberedName(const std::string &name, size_t number);

/// "A_0+A_1+B" for "A[n]+B": the dimensions in a body for a count. `attribute` is the one that counts, n.
std::string boundParts(const std::string &written, const std::string &attribute, size_t count);

/// Replaces dimensions such as "A[n]" in the parts of bodies by those for the value of the count.
void bindParts(Contract &contract);

/// Gives each dimension that is indexed, by an input's values or a gather, a minimum of 1: no index is valid in an
/// empty range.
void needPlaces(Contract &contract);

/// Puts symbols in the place of packs whose ranks follow from the values of attributes, takes away inputs that are
/// absent, and puts as many inputs as it counts in the place of one with a count; Can be called again after the values
/// changed. Returns an empty text on success; else the reason, and changes nothing.
std::string bindPlaces(Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_PLACES_H
