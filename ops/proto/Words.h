// Element types and attribute types in the vendor's JSON. Several spellings are read, one is written.

#ifndef OPC_OPS_PROTO_WORDS_H
#define OPC_OPS_PROTO_WORDS_H

#include "ops/contract/Contract.h"

namespace opc {

std::string vendorTypeName(ElementType type);                             ///< "float16", "float"
std::optional<ElementType> parseVendorType(std::string_view name);        ///< also "fp16", "float32"
std::string vendorAttributeName(AttributeType type);                      ///< "float", "list_int"
std::optional<AttributeType> parseVendorAttribute(std::string_view name); ///< also "listInt", "str"
std::vector<std::string> vendorTypeNames();
std::vector<std::string> vendorAttributeNames();

} // namespace opc

#endif // OPC_OPS_PROTO_WORDS_H
