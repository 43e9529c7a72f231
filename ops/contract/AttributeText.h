// Values of attributes as users write them: in "--attr axis=1" or in a list of kernels to warm up.

#ifndef OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
#define OPC_OPS_CONTRACT_ATTRIBUTETEXT_H

#include "ops/contract/Contract.h"

#include <map>

namespace opc {

/// Reads a value of the attribute's type; nullopt when the text is not such a value or is outside the attribute's
/// range or choices. A list is written as its elements separated by ',', with or without brackets.
std::optional<AttributeValue> readAttributeText(const ContractAttribute &attribute, const std::string &text);

/// Replaces the defaults of attributes with the binding Compile by `values`, which are keyed by attribute name.
/// Returns false after reporting E0521 (no such attribute) or E0526 (not a value of the attribute).
bool bindAttributes(Contract &contract, const std::map<std::string, std::string> &values, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_CONTRACT_ATTRIBUTETEXT_H
