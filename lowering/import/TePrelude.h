// The first line of an instance of a te body, which defines its aliases.

#ifndef OPC_LOWERING_IMPORT_TEPRELUDE_H
#define OPC_LOWERING_IMPORT_TEPRELUDE_H

#include "ops/contract/domain/ShapeKeys.h"

#include <optional>
#include <string>

namespace opc {

/// The text of the body with another first line; nullopt after E0310 (bind_c12, bind_c13) if the body has no line of
/// aliases or an attribute has no value.
std::optional<std::string> instantiateTe(const std::string &text, const Contract &contract, unsigned typeRow,
                                         const ShapeKey &key, const std::string &path, Diagnostics &diagnostics);

/// "tensor<1x?xf16>": the type of a tensor of the contract in an instance. Bodies with ranges are read with tensors of
/// both loops, whichever of them a nest has.
std::string tensorTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t tensor);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TEPRELUDE_H
