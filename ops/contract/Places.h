// Attributes that decide about ranks, orders and inputs.
//
//   x [...S]            y [...S[perm]]          perm [2, 0, 1]: S has three dimensions, and y has them in that order
//   x [...A, C, ...B]   C is dimension `axis`   axis 1: A has one dimension; axis -1: B has none
//   bias [N]            present: has_bias       has_bias false: there is no such input
//
// A pack whose number of dimensions follows from an attribute is that many symbols, `S_0`, `S_1`, .... An attribute
// that binds when compiling always has a value, so whoever reads a contract sees symbols, and launches, keys, host code
// and proofs need to know nothing of such attributes. An input that is absent is gone from `inputs` likewise. The
// contract as it was written is kept, for the next value.

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

/// Gives each dimension along which values are places, of an input or of a gather, a minimum of 1: without a place, no
/// value could be brought into its range.
void needPlaces(Contract &contract);

/// Puts symbols in the place of packs whose ranks follow from the values of attributes, and takes away inputs that are
/// absent; again, after the values changed. Returns why they give no shapes, and changes nothing then; empty if done.
std::string bindPlaces(Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_PLACES_H
