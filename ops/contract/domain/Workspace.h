// Values between the nests of a launch that a body does not return.
//
//   x [N, M]      %r = te.reduce_mean %x axes [M] keep     r, nest 0, of x
//                 %d = te.sub %x, %r
//                 %c = te.reduce_mean %d axes [N] keep
//                 %y = te.sub %d, %c                       y, nest 1, of x and r
//                 return %y : !y
//
// A nest reduces one set of dimensions (Reductions.h). Where a value depends on reductions over others, these are
// written to the workspace of the launch, memory that is no operand, by nests before it. Each is a tensor of the
// dimensions that its reductions leave (ContractTensor, Contract::workspace): floats in float32, so that the body reads
// a value as it computed it, without rounding to the type that it stores; whole numbers and truth values in int32. The
// reader of a contract does not know types of values and assumes float32; the import sets them.
//
// Only reductions are in the workspace, and what scans, sorts, gathers or takes parts: what is computed from them
// element by element is computed again in each nest, unless te.sort or te.gather takes elements of it.
// In the order of the text, a reduction puts those there on which it depends and which reduce other dimensions; a
// returned value keeps the dimensions of the last reduction on which it depends. Returned values have memory, and are
// read there.

#ifndef OPC_OPS_CONTRACT_WORKSPACE_H
#define OPC_OPS_CONTRACT_WORKSPACE_H

#include "ops/contract/Contract.h"

namespace opc {

/// Sets `workspace` of a contract, and the results of its body (ContractBody::results). Both are empty, or as the text
/// has them, if each returned value reduces one set of dimensions, or if the body has nests of another kind. Can be
/// called again after shapes changed.
void findWorkspace(Contract &contract);

/// As a message names a tensor: "output 'y'", or "the value '%m'" of one in the workspace, which has no place in the
/// contract's file and whose summary is the name of the value.
std::string toldName(const ContractTensor &tensor, const std::string &what = "");

} // namespace opc

#endif // OPC_OPS_CONTRACT_WORKSPACE_H
