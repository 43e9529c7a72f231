// Attributes that decide about ranks, orders and inputs.
//
//   x [...S]            y [...S[perm]]          perm [2, 0, 1]: S has three dimensions, and y has them in that order
//   x [...A, C, ...B]   C is dimension `axis`   axis 1: A has one dimension; axis -1: B has none
//   bias [N]            present: has_bias       has_bias false: there is no such input
//   x [...S]            count: n                n 3: there are x_0, x_1 and x_2
//   x [N, A[n]]         y [N, A[n]]             n 2: x_0 [N, A_0], x_1 [N, A_1], y [N, A_0+A_1]
//
// A pack whose number of dimensions follows from an attribute is that many symbols, `S_0`, `S_1`, .... An attribute
// that binds when compiling always has a value, so whoever reads a contract sees symbols, and launches, keys, host code
// and proofs need to know nothing of such attributes. An input that is absent is gone from `inputs` likewise, and one
// with a count is as many inputs. The contract as it was written is kept, for the next value.

#ifndef OPC_OPS_CONTRACT_PLACES_H
#define OPC_OPS_CONTRACT_PLACES_H

#include "ops/contract/Contract.h"

namespace opc {

/// Whether attributes decide about packs or inputs of the contract.
bool hasPlaces(const Contract &contract);

/// Whether an attribute of the contract is the order of a pack.
bool isOrder(const Contract &contract, const std::string &attribute);

/// Whether an attribute of the contract says which dimension of its tensors a symbol is.
bool isAxis(const Contract &contract, const std::string &attribute);

/// All inputs that the contract was written with, in order, those that are absent too: the arguments of bodies.
const std::vector<ContractTensor> &writtenInputs(const Contract &contract);

/// Whether the values of attributes take an input, one of `writtenInputs`, away.
bool isAbsent(const Contract &contract, const ContractTensor &input);

/// Whether an attribute of the contract says whether there is an input.
bool isPresence(const Contract &contract, const std::string &attribute);

/// The input that the contract was written with a count for, which is the last one; null: none.
const ContractTensor *countedInput(const Contract &contract);

/// Whether an attribute of the contract says how many tensors an input stands for.
bool isCount(const Contract &contract, const std::string &attribute);

/// "x_2": the name of a tensor that an input with a count stands for, or of a dimension that it has for itself.
std::string numberedName(const std::string &name, size_t number);

/// "A_0+A_1+B" for "A[n]+B": what the dimensions in a body are for a count. `attribute` is the one that counts, n.
std::string boundParts(const std::string &written, const std::string &attribute, size_t count);

/// Puts what the value of a count makes of dimensions such as "A[n]" into the parts of bodies.
void bindParts(Contract &contract);

/// Gives each dimension along which values are places, of an input or of a gather, a minimum of 1: without a place, no
/// value could be brought into its range.
void needPlaces(Contract &contract);

/// Puts symbols in the place of packs whose ranks follow from the values of attributes, takes away inputs that are
/// absent, and puts as many inputs as it counts in the place of one with a count; again, after the values changed.
/// Returns why they give no shapes, and changes nothing then; empty if done.
std::string bindPlaces(Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_PLACES_H
