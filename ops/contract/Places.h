// Shapes in which attributes decide about ranks and orders.
//
//   x [...S]            y [...S[perm]]          perm [2, 0, 1]: S has three dimensions, and y has them in that order
//   x [...A, C, ...B]   C is dimension `axis`   axis 1: A has one dimension; axis -1: B has none
//
// A pack whose number of dimensions follows from an attribute is that many symbols, `S_0`, `S_1`, .... An attribute
// that binds when compiling always has a value, so whoever reads a contract sees symbols, and launches, keys, host code
// and proofs need to know nothing of such attributes. The contract as it was written is kept, for the next value.

#ifndef OPC_OPS_CONTRACT_PLACES_H
#define OPC_OPS_CONTRACT_PLACES_H

#include "ops/contract/Contract.h"

namespace opc {

/// Whether attributes decide about packs of the contract.
bool hasPlaces(const Contract &contract);

/// Whether an attribute of the contract is the order of a pack.
bool isOrder(const Contract &contract, const std::string &attribute);

/// Whether an attribute of the contract says which dimension of its tensors a symbol is.
bool isAxis(const Contract &contract, const std::string &attribute);

/// Puts symbols in the place of packs whose ranks follow from the values of attributes; again, after they changed.
/// Returns why the values give no shapes, and leaves the shapes alone then; empty on success.
std::string bindPlaces(Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_PLACES_H
