// The kind of a contract: by its declared shapes, which loops its kernels have, or why they have none.
//
// Five kinds of contracts have shape keys (ops/contract/ShapeKeys.h); docs/rationale/tiling-keys.md has the tables:
//
//   elementwise  every tensor has the shape [...S]; inputs may broadcast. One loop (flat, operands full or one
//                element) and two loops (rows_: operands full, row [1, n] or column [m, 1]); `any`, for all launches
//                that fit no other key
//   rows         the last dimension has a name: [...S, N], parameters [N], outputs also [...S] or [...S, 1]. Two loops
//   reduction    outputs have 'reduces'; other tensors have the shape of the reduced input. Three loops
//   domain       tensors have parts of one list of dimensions, and bodies reduce any of them: ops/contract/Domain.h
//   contraction  bodies multiply matrices: ops/contract/Contraction.h. One key with three loops
//
// Other contracts have no keys and need a body at level aicore.

#ifndef OPC_OPS_CONTRACT_CONTRACTKIND_H
#define OPC_OPS_CONTRACT_CONTRACTKIND_H

#include "ops/contract/Domain.h"

namespace opc {

/// The loops of elementwise keys but `any`, batch loops included.
inline constexpr unsigned kMostLoops = 4;

enum class ContractKind : uint8_t { Elementwise, Rows, Reduction, Domain, Contraction };

/// The kind of a contract; nullopt when it has no keys, with the reason in `reason` ("input 'x' is optional").
std::optional<ContractKind> contractKind(const Contract &contract, std::string &reason);

/// The shape [prefix, N] of a contract of kind Rows, whose loops are (m, n): the longest shape of an input that ends
/// in a symbol. nullptr when no input has such a shape.
const std::vector<ContractDim> *wholeRows(const Contract &contract);

/// The loops of (m, n) that index a tensor of a rows contract, given the whole shape [prefix, N]; nullopt when no key
/// can express the tensor's shape.
std::optional<std::vector<int>> rowsDims(const std::vector<ContractDim> &shape, const std::vector<ContractDim> &whole);

/// The inputs whose places in the loops a launch decides, in groups of inputs that stand still in the same places: each
/// input with 'broadcast: numpy'; of a contract of kind Domain, inputs that have the same part of it.
std::vector<std::vector<unsigned>> movingInputs(const Contract &contract);

/// Whether rows at a distance serve a nest with other orders: all tensors have neighbours along the innermost loop,
/// there are no more loops than a grid has, and no input has one element in the inner two loops and others around them.
bool isStrided(const Contract &contract, const Domain &domain, const DomainNest &nest);

} // namespace opc

#endif // OPC_OPS_CONTRACT_CONTRACTKIND_H
