// Determines which type rows of a body have a kernel for the AI Core.

#ifndef OPC_OPS_CONTRACT_CHECK_DEVICES_H
#define OPC_OPS_CONTRACT_CHECK_DEVICES_H

#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/ShapeKeys.h"

namespace opc {

/// Whether a body gathers rows: contiguous elements along the innermost loop, with an index for each iteration of the
/// loop around it, the indices being contiguous, or for each batch. False without gathers.
bool gathersRows(const Contract &contract, const Domain &domain, const DomainNest &nest);

/// Whether it gathers elements, or rows whose indices are not contiguous. The AI Core has a kernel for these too, in
/// which the indices are tiles, like computed ones.
bool gathersElements(const Contract &contract, const Domain &domain, const DomainNest &nest);

/// Whether each element of the updates of a scatter has its own index, in the order of memory.
bool scattersElements(const Contract &contract, const Domain &domain, const DomainNest &nest);

/// Why a type row of a body is compiled for the CPU alone: the contract says so for the body, the row has elements of a
/// type that the AI Core does not support while other rows do not, the row multiplies matrices of a type that the cube
/// lacks, or the body gathers or scatters at indices that broadcast, computes indices beside elements of 64 bits, or
/// sorts beside an input that varies along outer loops alone. Empty when there is a kernel for the AI Core.
std::string whyCpuAlone(const Contract &contract, const ContractBody &body, unsigned typeRow);
bool isForCpuAlone(const Contract &contract, const ContractBody &body, unsigned typeRow);
/// The type rows of a body that have a kernel for the AI Core, in order.
std::vector<unsigned> aicoreRowsOf(const Contract &contract, const ContractBody &body);

/// Why the packed input of a type row cannot be packed: it is not the right matrix of a product on the AI Core, or it
/// does not have two dimensions. Empty if it can.
std::string whyNotPacked(const Contract &contract, const ContractBody &body, unsigned typeRow);

/// Whether a product with windows runs on the cube of the AI Core, and not on its vector unit: for filters that share
/// their windows, of a type that both units support.
bool convolvesOnCube(const Contract &contract, unsigned typeRow);

/// Whether a type row has a kernel of this key for the AI Core. Other devices have all keys except the resident one.
bool hasKeyOnAicore(const Contract &contract, const ShapeKey &key, unsigned typeRow);

} // namespace opc

#endif // OPC_OPS_CONTRACT_CHECK_DEVICES_H
