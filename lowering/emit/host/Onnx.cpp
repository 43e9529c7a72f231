// ONNX: the plugin that converts a node into the operator when a model is converted, and the schema of the node.

#include "lowering/emit/host/HostText.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc::host {

/// Versions of the default domain with which exporters write custom nodes.
static constexpr int kFirstOpset = 8, kLastOpset = 18;

namespace {
/// The number (TensorProto.DataType) and the name of a type in ONNX.
struct OnnxType {
  int number;
  const char *name;
};
/// An output whose type the inputs do not determine, and the node attribute that states it: `to`, as for Cast of
/// ONNX; `to_y` if several outputs need one or the contract has an attribute `to`.
struct OpenOutput {
  const ContractTensor *tensor;
  std::string attribute;
};
} // namespace

static OnnxType onnxType(ElementType type) {
  static constexpr OnnxType types[] = {{10, "float16"}, {1, "float"},  {16, "bfloat16"}, {3, "int8"},    {2, "uint8"},
                                       {5, "int16"},    {4, "uint16"}, {6, "int32"},     {12, "uint32"}, {7, "int64"},
                                       {13, "uint64"},  {9, "bool"},   {11, "double"}};
  static_assert(std::size(types) == kNumElementTypes);
  return types[static_cast<size_t>(type)];
}

/// The types of a tensor without duplicates, in the order of its column.
static std::vector<ElementType> typesOnce(const ContractTensor &tensor) {
  std::vector<ElementType> once;
  for (ElementType type : tensor.types)
    if (std::find(once.begin(), once.end(), type) == once.end())
      once.push_back(type);
  return once;
}

/// Whether the type of this output differs between rows with the same types of required inputs.
static bool isOpen(const Contract &contract, const ContractTensor &output) {
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    for (unsigned other = 0; other < row; ++other)
      if (output.types[row] != output.types[other] &&
          std::all_of(contract.inputs.begin(), contract.inputs.end(),
                      [&](const auto &input) { return !input.required || input.types[row] == input.types[other]; }))
        return true;
  return false;
}

static std::vector<OpenOutput> openOutputs(const Contract &contract) {
  std::vector<OpenOutput> open;
  for (const ContractTensor &output : contract.outputs)
    if (isOpen(contract, output))
      open.push_back({&output, "to"});
  auto taken = [&](const std::string &name) {
    return std::any_of(contract.attributes.begin(), contract.attributes.end(),
                       [&](const ContractAttribute &attribute) { return attribute.name == name; });
  };
  for (OpenOutput &each : open) {
    if (open.size() > 1 || taken(each.attribute))
      each.attribute += "_" + each.tensor->name;
    while (taken(each.attribute))
      each.attribute += "_";
  }
  return open;
}

/// Code that reads the attribute for an open output and sets the type of the output.
static std::string openOutputText(const OpenOutput &open) {
  const std::string type = "type_" + open.tensor->name, number = "to_" + open.tensor->name;
  std::string text = "  // A number of TensorProto.DataType: the inputs do not say the type of '" + open.tensor->name +
                     "'.\n  int64_t " + number + " = 0;\n  if (attributes.Int(\"" + open.attribute + "\", " + number +
                     ") != opc_onnx::Attributes::kFound) return FAILED;\n  ge::DataType " + type +
                     " = ge::DT_UNDEFINED;\n  switch (" + number + ") {\n";
  for (ElementType each : typesOnce(*open.tensor))
    text += "    case " + std::to_string(onnxType(each).number) + ": " + type + " = " + geType(each) + "; break;\n";
  return text + "    default: return FAILED;\n  }\n  ge::TensorDesc desc_" + open.tensor->name +
         " = op.GetOutputDescByName(\"" + open.tensor->name + "\");\n  desc_" + open.tensor->name + ".SetDataType(" +
         type + ");\n  if (op.UpdateOutputDesc(\"" + open.tensor->name + "\", desc_" + open.tensor->name +
         ") != ge::GRAPH_SUCCESS) return FAILED;\n";
}

static const char *readerOf(AttributeType type) {
  static constexpr const char *readers[] = {"Float", "Int", "Bool", "String", "ListFloat", "ListInt", "ListBool", ""};
  return readers[static_cast<size_t>(type)];
}

static const char *cppTypeOf(AttributeType type) {
  static constexpr const char *types[] = {
      "float", "int64_t", "bool", "std::string", "std::vector<float>", "std::vector<int64_t>", "std::vector<bool>", ""};
  return types[static_cast<size_t>(type)];
}

std::string onnxPluginText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text = "#include <cstdint>\n#include <limits>\n#include <string>\n#include <vector>\n\n"
                     "#include \"register/register.h\"\n\n"
                     "#include \"opc_onnx_attributes.h\"\n\n"
                     "namespace domi {\nnamespace {\n\n";
  text += "Status Parse" + contract.opType +
          "(const ge::Operator &node, ge::Operator &op) {\n"
          "  if (AutoMappingByOpFn(node, op) != SUCCESS) return FAILED;\n";
  const std::vector<OpenOutput> open = openOutputs(contract);
  if (contract.attributes.empty() && open.empty())
    text += "  return SUCCESS;\n}\n";
  else {
    text += "  const opc_onnx::Attributes attributes(node);\n";
    for (const ContractAttribute &attribute : contract.attributes) {
      std::string name = "attr_" + attribute.name;
      text += "  " + std::string(cppTypeOf(attribute.type)) + " " + name +
              (hasDefault(attribute) ? " = " + cppValue(attribute.defaultValue) : " = {}") + ";\n";
      text += std::string("  if (attributes.") + readerOf(attribute.type) + "(\"" + attribute.name + "\", " + name +
              ") == opc_onnx::Attributes::" + (hasDefault(attribute) ? "kBroken" : "kMissing") + ") return FAILED;\n";
      if (!hasDefault(attribute))
        text.replace(text.rfind(" == opc_onnx::Attributes::kMissing"),
                     std::string(" == opc_onnx::Attributes::kMissing").size(), " != opc_onnx::Attributes::kFound");
      text += "  op.SetAttr(\"" + attribute.name + "\", " + name + ");\n";
    }
    for (const OpenOutput &each : open)
      text += openOutputText(each);
    text += "  return SUCCESS;\n}\n";
  }
  text += "\n}  // namespace\n\nREGISTER_CUSTOM_OP(\"" + contract.opType +
          "\")\n    .FrameworkType(ONNX)\n    .OriginOpType({ge::AscendString(\"" + op.vendor +
          "::1::" + contract.opType + "\")";
  for (int opset = kFirstOpset; opset <= kLastOpset; ++opset)
    text +=
        ",\n                   ge::AscendString(\"ai.onnx::" + std::to_string(opset) + "::" + contract.opType + "\")";
  return text + "})\n    .ParseParamsByOperatorFn(Parse" + contract.opType +
         ")\n    .ImplyType(ImplyType::TVM);\n\n}  // namespace domi\n";
}

namespace {

/// Tensors with the same list of types share a type variable: T0, T1, ...
class TypeVariables {
public:
  std::string of(const ContractTensor &tensor) {
    auto found = std::find(columns.begin(), columns.end(), tensor.types);
    if (found == columns.end()) {
      found = columns.insert(columns.end(), tensor.types);
      lists.push_back(typesOnce(tensor));
    }
    return "T" + std::to_string(found - columns.begin());
  }
  std::string constraints() const {
    std::string text;
    for (size_t i = 0; i < lists.size(); ++i) {
      text +=
          "            (\"T" + std::to_string(i) + "\", [" +
          joined(lists[i], [](ElementType type) { return std::string("\"tensor(") + onnxType(type).name + ")\""; }) +
          "], \"a column of the type table\"),\n";
    }
    return text;
  }

private:
  std::vector<std::vector<ElementType>> columns, lists; ///< the columns as written; the same without duplicates
};

} // namespace

std::string onnxSchemaText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  static constexpr const char *types[] = {"FLOAT", "INT", "INT", "STRING", "FLOATS", "INTS", "INTS", "STRINGS"};
  TypeVariables variables;
  auto parameters = [&](const std::vector<ContractTensor> &tensors) {
    std::string text;
    for (const ContractTensor &tensor : tensors) {
      std::string words = tensor.summary.empty() ? printShape(tensor.shape) : tensor.summary;
      text += "            OpSchema.FormalParameter(\"" + tensor.name + "\", \"" + variables.of(tensor) + "\", " +
              quoted(words) + (tensor.required ? "" : ", param_option=OpSchema.FormalParameterOption.Optional") +
              "),\n";
    }
    return text;
  };
  std::string inputs = parameters(contract.inputs), outputs = parameters(contract.outputs);
  std::string attributes;
  for (const ContractAttribute &attribute : contract.attributes) {
    std::string kind = types[static_cast<size_t>(attribute.type)];
    attributes += "            OpSchema.Attribute(\"" + attribute.name + "\", ";
    if (hasDefault(attribute)) {
      std::string value = pythonValue(attribute.defaultValue);
      // ONNX has no bool attributes, so 0 and 1 are used.
      if (attribute.type == AttributeType::Bool)
        value = "int(" + value + ")";
      if (attribute.type == AttributeType::ListBool)
        value = "[int(item) for item in " + value + "]";
      attributes += "helper.make_attribute(\"" + attribute.name + "\", " + value + ", attr_type=AttributeProto." +
                    kind + "), " + quoted(attribute.summary) + "),\n";
    } else {
      attributes += "OpSchema.AttrType." + kind + ", " + quoted(attribute.summary) + ", required=True),\n";
    }
  }
  for (const OpenOutput &each : openOutputs(contract))
    attributes += "            OpSchema.Attribute(\"" + each.attribute + "\", OpSchema.AttrType.INT, " +
                  quoted("Type of '" + each.tensor->name + "', a number of TensorProto.DataType: " +
                         joined(typesOnce(*each.tensor),
                                [](ElementType type) {
                                  return std::to_string(onnxType(type).number) + " " + onnxType(type).name;
                                })) +
                  ", required=True),\n";
  std::string imports = attributes.find("helper.") == std::string::npos
                            ? "from onnx.defs import OpSchema, register_schema\n"
                            : "from onnx import AttributeProto, helper\n"
                              "from onnx.defs import OpSchema, register_schema\n";
  return "\"\"\"ONNX schema of " + contract.opType + " " + contract.version +
         ": written by opc from the contract.\"\"\"\n\n" + imports + "\nDOMAIN = \"" + op.vendor +
         "\"\n\n\ndef schema():\n    \"\"\"The node's schema, version 1 of the domain.\"\"\"\n"
         "    return OpSchema(\n        \"" +
         contract.opType + "\", DOMAIN, 1, " + quoted(contract.summary) + ",\n        inputs=[\n" + inputs +
         "        ],\n        outputs=[\n" + outputs + "        ],\n        type_constraints=[\n" +
         variables.constraints() + "        ],\n" +
         (attributes.empty() ? "" : "        attributes=[\n" + attributes + "        ],\n") +
         "    )\n\n\ndef register():\n    \"\"\"Makes onnx.checker know the node.\"\"\"\n"
         "    register_schema(schema())\n";
}

} // namespace opc::host
