// Functions that the printers of host texts share: names of types and formats, literals, comments.

#ifndef OPC_LOWERING_EMIT_HOST_HOSTTEXT_H
#define OPC_LOWERING_EMIT_HOST_HOSTTEXT_H

#include "lowering/emit/host/HostOperator.h"

#include <functional>

namespace opc::host {

/// "ge::DT_FLOAT16".
std::string geType(ElementType type);
/// "ge::FORMAT_ND".
std::string geFormat(const std::string &format);

/// An author's text for a comment: a single line that neither ends nor continues the comment.
std::string inComment(const std::string &text);
/// A literal in double quotes that is valid in C++ and in Python.
std::string quoted(const std::string &text);
/// "1.0", "-1e-36"; infinities as std::numeric_limits.
std::string cppReal(double value);
/// "1.0"; infinities as float("inf").
std::string pythonReal(double value);

/// "lo, hi" of the items, with ", " between them.
template <typename List, typename Print> std::string joined(const List &items, Print print) {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : ", ") + print(item);
  return text;
}

/// The default of an attribute, as the contents of a C++ initialiser: "1.0", "true", "{1, 2}".
std::string cppValue(const AttributeValue &value);
/// The same in Python.
std::string pythonValue(const AttributeValue &value);
bool hasDefault(const ContractAttribute &attribute);

/// Index of an attribute in the contract.
size_t attributeIndex(const Contract &contract, const std::string &name);

// Parts of the C++ sources, each printed by one file.

/// Whether the types of the required inputs determine the row. For Cast they do not.
bool inputsPickRow(const Contract &contract, unsigned row);
/// Whether that is true for every row.
bool inputsPickRows(const Contract &contract);

/// The name of the variable for an attribute, distinct from all other names in these functions.
std::string variable(const std::string &attribute);
/// A declaration with the value of an attribute in a context with `attrs`, or its default.
std::string readAttribute(const Contract &contract, size_t index, const std::string &indent);
/// Checks of an attribute's value against the contract: range and choices.
std::string checkAttribute(const ContractAttribute &attribute, const std::string &indent);
/// Code that sets `inputs`, `binding` and a shape for each output from the shapes in a context: that of a launch with
/// `tiling`, otherwise that of inference.
std::string bindText(const HostOperator &op, const std::string &indent, bool tiling);
/// Code that declares a vector `outputs` with the shape of each output.
std::string outputsText(const HostOperator &op, const std::string &indent);

/// Tables for opc_host_shapes.h: kSignature, and the pattern of each output.
std::string signatureText(const Contract &contract);
/// Functions that read and write shapes and attributes in the framework's contexts.
std::string contextText(const HostOperator &op);
std::string inferText(const HostOperator &op);
std::string tilingText(const HostOperator &op);
std::string definitionText(const HostOperator &op);

std::string aclnnHeaderText(const HostOperator &op);
std::string kernelEntryText(const HostOperator &op);
std::string onnxPluginText(const HostOperator &op);
std::string onnxSchemaText(const HostOperator &op);
std::string mindsporeText(const HostOperator &op);
std::string docsText(const HostOperator &op);

} // namespace opc::host

#endif // OPC_LOWERING_EMIT_HOST_HOSTTEXT_H
