// The contract that an operator's definition implies.

#ifndef OPC_TOOLS_OPC_SOURCE_HOST_SOURCECONTRACT_H
#define OPC_TOOLS_OPC_SOURCE_HOST_SOURCECONTRACT_H

#include "ops/contract/Contract.h"
#include "tools/opc/source/host/HostSource.h"

namespace opc::tool {

/// The default tolerance: that of the vendor's own examples.
ContractTolerance defaultTolerance(ElementType type);

/// Tensors, types, formats and attributes of a definition. A definition has no shapes, so all tensors have one shape of
/// any rank; tolerances are those of the vendor's examples. There are no bodies and no reference. nullopt after
/// reporting E0805 for an operator without inputs, which contracts do not support.
std::optional<Contract> contractOf(const HostOperator &op, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_HOST_SOURCECONTRACT_H
