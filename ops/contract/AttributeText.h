// Values of attributes as people type them: "--attr axis=1", a list of kernels to warm up.

#ifndef OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
#define OPC_OPS_CONTRACT_ATTRIBUTETEXT_H

#include "ops/contract/Contract.h"

namespace opc {

/// A value of the attribute's type within its range and among its choices; nothing otherwise. A
/// list is its elements with ',' between them, in brackets or not.
std::optional<AttributeValue> readAttributeText(const ContractAttribute &attribute,
                                                const std::string &text);

} // namespace opc

#endif // OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
