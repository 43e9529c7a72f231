// Values of attributes as people type them: "--attr axis=1", a list of kernels to warm up.

#ifndef OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
#define OPC_OPS_CONTRACT_ATTRIBUTETEXT_H

#include "ops/contract/Contract.h"

#include <map>

namespace opc {

/// A value of the attribute's type within its range and among its choices; nothing otherwise. A list is its elements
/// with ',' between them, in brackets or not.
std::optional<AttributeValue> readAttributeText(const ContractAttribute &attribute, const std::string &text);

/// Gives attributes that are bound when compiling other values than their defaults, by name. False, with E0521 (no
/// such attribute) or E0526 (no value of it).
bool bindAttributes(Contract &contract, const std::map<std::string, std::string> &values, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
