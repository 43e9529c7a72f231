// Words that the printers of host texts share: names of types and formats, literals, comments.

#ifndef OPC_LOWERING_EMIT_HOST_HOSTTEXT_H
#define OPC_LOWERING_EMIT_HOST_HOSTTEXT_H

#include "lowering/emit/host/HostOperator.h"

#include <functional>

namespace opc::host {

/// "ge::DT_FLOAT16".
std::string geType(ElementType type);
/// "ge::FORMAT_ND".
std::string geFormat(const std::string &format);

/// Text of an author in a comment: one line that neither ends the comment nor continues it.
std::string inComment(const std::string &text);
/// A literal in double quotes that C++ and Python read alike.
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

/// The default of an attribute as the inside of a C++ initialiser: "1.0", "true", "{1, 2}".
std::string cppValue(const AttributeValue &value);
/// The same in Python.
std::string pythonValue(const AttributeValue &value);
bool hasDefault(const ContractAttribute &attribute);

/// Position of an attribute among the contract's.
size_t attributeIndex(const Contract &contract, const std::string &name);

// Parts of the C++ sources, each printed by one file.

/// Whether the types of the required inputs belong to one row alone: not those of Cast.
bool inputsPickRow(const Contract &contract, unsigned row);
/// The same of every row.
bool inputsPickRows(const Contract &contract);

/// The variable that holds an attribute, apart from every name of these functions.
std::string variable(const std::string &attribute);
/// The value of an attribute in a context with `attrs`, or its default: a declaration.
std::string readAttribute(const Contract &contract, size_t index, const std::string &indent);
/// What a contract says of an attribute's value: range and choices.
std::string checkAttribute(const ContractAttribute &attribute, const std::string &indent);
/// `inputs`, `binding` and a shape for each output from the shapes of a context; `tiling`: of a launch rather
/// than of inference.
std::string bindText(const HostOperator &op, const std::string &indent, bool tiling);
/// A vector `outputs` with the shape of each output.
std::string outputsText(const HostOperator &op, const std::string &indent);

/// Tables of opc_host_shapes.h: kSignature, the pattern of each output.
std::string signatureText(const Contract &contract);
/// Reading and writing shapes and attributes of the framework's contexts; `inference`: the shapes of
/// InferShapeContext are written too.
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
