// ONNX: the plugin that turns a node into the operator when a model is converted, and the schema of
// the node.

#include "lowering/emit/host/HostText.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc::host {

/// Versions of the default domain under which exporters leave custom nodes.
static constexpr int kFirstOpset = 8, kLastOpset = 18;

static const char *readerOf(AttributeType type) {
  static constexpr const char *readers[] = {"Float",     "Int",     "Bool",     "String",
                                            "ListFloat", "ListInt", "ListBool", ""};
  return readers[static_cast<size_t>(type)];
}

static const char *cppTypeOf(AttributeType type) {
  static constexpr const char *types[] = {"float",
                                          "int64_t",
                                          "bool",
                                          "std::string",
                                          "std::vector<float>",
                                          "std::vector<int64_t>",
                                          "std::vector<bool>",
                                          ""};
  return types[static_cast<size_t>(type)];
}

std::string onnxPluginText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text =
      "#include <cstdint>\n#include <limits>\n#include <string>\n#include <vector>\n\n"
      "#include \"register/register.h\"\n\n"
      "#include \"opc_onnx_attributes.h\"\n\n"
      "namespace domi {\nnamespace {\n\n";
  text += "Status Parse" + contract.opType +
          "(const ge::Operator &node, ge::Operator &op) {\n"
          "  if (AutoMappingByOpFn(node, op) != SUCCESS) return FAILED;\n";
  if (contract.attributes.empty())
    text += "  return SUCCESS;\n}\n";
  else {
    text += "  const opc_onnx::Attributes attributes(node);\n";
    for (const ContractAttribute &attribute : contract.attributes) {
      std::string name = "attr_" + attribute.name;
      text += "  " + std::string(cppTypeOf(attribute.type)) + " " + name +
              (hasDefault(attribute) ? " = " + cppValue(attribute.defaultValue) : " = {}") + ";\n";
      text += std::string("  if (attributes.") + readerOf(attribute.type) + "(\"" + attribute.name +
              "\", " + name +
              ") == opc_onnx::Attributes::" + (hasDefault(attribute) ? "kBroken" : "kMissing") +
              ") return FAILED;\n";
      if (!hasDefault(attribute))
        text.replace(text.rfind(" == opc_onnx::Attributes::kMissing"),
                     std::string(" == opc_onnx::Attributes::kMissing").size(),
                     " != opc_onnx::Attributes::kFound");
      text += "  op.SetAttr(\"" + attribute.name + "\", " + name + ");\n";
    }
    text += "  return SUCCESS;\n}\n";
  }
  text += "\n}  // namespace\n\nREGISTER_CUSTOM_OP(\"" + contract.opType +
          "\")\n    .FrameworkType(ONNX)\n    .OriginOpType({ge::AscendString(\"" + op.vendor +
          "::1::" + contract.opType + "\")";
  for (int opset = kFirstOpset; opset <= kLastOpset; ++opset)
    text += ",\n                   ge::AscendString(\"ai.onnx::" + std::to_string(opset) +
            "::" + contract.opType + "\")";
  return text + "})\n    .ParseParamsByOperatorFn(Parse" + contract.opType +
         ")\n    .ImplyType(ImplyType::TVM);\n\n}  // namespace domi\n";
}

static std::string onnxType(ElementType type) {
  static constexpr const char *names[] = {"float16", "float",  "bfloat16", "int8",   "uint8",
                                          "int16",   "uint16", "int32",    "uint32", "int64",
                                          "uint64",  "bool",   "double"};
  static_assert(std::size(names) == kNumElementTypes);
  return std::string("tensor(") + names[static_cast<size_t>(type)] + ")";
}

namespace {

/// Tensors with one list of types share a type variable: T0, T1, ...
class TypeVariables {
public:
  std::string of(const ContractTensor &tensor) {
    auto found = std::find(lists.begin(), lists.end(), tensor.types);
    if (found == lists.end())
      found = lists.insert(lists.end(), tensor.types);
    return "T" + std::to_string(found - lists.begin());
  }
  std::string constraints() const {
    std::string text;
    for (size_t i = 0; i < lists.size(); ++i) {
      std::vector<ElementType> once;
      for (ElementType type : lists[i])
        if (std::find(once.begin(), once.end(), type) == once.end())
          once.push_back(type);
      text += "            (\"T" + std::to_string(i) + "\", [" +
              joined(once, [](ElementType type) { return "\"" + onnxType(type) + "\""; }) +
              "], \"a column of the type table\"),\n";
    }
    return text;
  }

private:
  std::vector<std::vector<ElementType>> lists;
};

} // namespace

std::string onnxSchemaText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  static constexpr const char *types[] = {"FLOAT",  "INT",  "INT",  "STRING",
                                          "FLOATS", "INTS", "INTS", "STRINGS"};
  TypeVariables variables;
  auto parameters = [&](const std::vector<ContractTensor> &tensors) {
    std::string text;
    for (const ContractTensor &tensor : tensors) {
      std::string words = tensor.summary.empty() ? printShape(tensor.shape) : tensor.summary;
      text += "            OpSchema.FormalParameter(\"" + tensor.name + "\", \"" +
              variables.of(tensor) + "\", " + quoted(words) +
              (tensor.required ? "" : ", param_option=OpSchema.FormalParameterOption.Optional") +
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
      // ONNX has no bool: 0 and 1.
      if (attribute.type == AttributeType::Bool)
        value = "int(" + value + ")";
      if (attribute.type == AttributeType::ListBool)
        value = "[int(item) for item in " + value + "]";
      attributes += "helper.make_attribute(\"" + attribute.name + "\", " + value +
                    ", attr_type=AttributeProto." + kind + "), " + quoted(attribute.summary) +
                    "),\n";
    } else {
      attributes +=
          "OpSchema.AttrType." + kind + ", " + quoted(attribute.summary) + ", required=True),\n";
    }
  }
  std::string imports = attributes.find("helper.") == std::string::npos
                            ? "from onnx.defs import OpSchema, register_schema\n"
                            : "from onnx import AttributeProto, helper\n"
                              "from onnx.defs import OpSchema, register_schema\n";
  return "\"\"\"ONNX schema of " + contract.opType + " " + contract.version +
         ": written by opc from the contract.\"\"\"\n\n" + imports + "\nDOMAIN = \"" + op.vendor +
         "\"\n\n\ndef schema():\n    \"\"\"The node's schema, version 1 of the domain.\"\"\"\n"
         "    return OpSchema(\n        \"" +
         contract.opType + "\", DOMAIN, 1, " + quoted(contract.summary) + ",\n        inputs=[\n" +
         inputs + "        ],\n        outputs=[\n" + outputs +
         "        ],\n        type_constraints=[\n" + variables.constraints() + "        ],\n" +
         (attributes.empty() ? "" : "        attributes=[\n" + attributes + "        ],\n") +
         "    )\n\n\ndef register():\n    \"\"\"Makes onnx.checker know the node.\"\"\"\n"
         "    register_schema(schema())\n";
}

} // namespace opc::host
