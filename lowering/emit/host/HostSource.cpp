// The C++ that runs on the host of a board: shape and type inference, host checks, tiling, and the class that
// registers the operator.
//
// HostTiling.cpp prints the work before each launch.
//
// The same functions are in three files: op_host/<op>.cpp, which also has the OpDef class and from which the vendor's
// project generator builds everything; and, for manual builds, separate files for inference and for tiling, each with
// its own registration.

#include "lowering/emit/host/HostText.h"

#include "lowering/emit/cpp/Names.h"

#include <algorithm>

namespace opc::host {

std::string contextText(const HostOperator &op) {
  return R"(ge::graphStatus Refuse(const std::string &why) {
  std::fprintf(stderr, "%s: %s\n", )" +
         quoted(op.contract->opType) + R"(, why.c_str());
  return ge::GRAPH_FAILED;
}

// A single -2 in place of sizes says that the rank is not known. A tensor that is left out has no elements.
opc_host::Shape Read(const gert::Shape *shape) {
  opc_host::Shape result;
  result.given = shape != nullptr;
  if (shape == nullptr) {
    result.sizes.push_back(0);
    return result;
  }
  result.rankKnown = !(shape->GetDimNum() == 1 && shape->GetDim(0) == -2);
  for (size_t i = 0; result.rankKnown && i < shape->GetDimNum(); ++i) result.sizes.push_back(shape->GetDim(i));
  return result;
}
)";
}

std::string variable(const std::string &attribute) {
  return "attr_" + attribute;
}

std::string readAttribute(const Contract &contract, size_t index, const std::string &indent) {
  const ContractAttribute &attribute = contract.attributes[index];
  std::string position = std::to_string(index);
  std::string missing = hasDefault(attribute) ? ""
                                              : indent + "if (attrs == nullptr || " + variable(attribute.name) +
                                                    "Given == nullptr) return Refuse(\"attribute '" + attribute.name +
                                                    "' is required\");\n";
  auto scalar = [&](const char *type, const char *getter) {
    std::string given = variable(attribute.name) + "Given";
    std::string text = indent + "const " + type + " *" + given + " = attrs == nullptr ? nullptr : attrs->" + getter +
                       "(" + position + ");\n" + missing;
    std::string fallback = hasDefault(attribute)
                               ? std::string("static_cast<") + type + ">(" + cppValue(attribute.defaultValue) + ")"
                               : std::string(type) + "()";
    return text + indent + "const " + type + " " + variable(attribute.name) + " = " + given + " == nullptr ? " +
           fallback + " : *" + given + ";\n";
  };
  auto list = [&](const char *type, const char *getter) {
    std::string name = variable(attribute.name), given = name + "Given";
    std::string text = indent + "const auto *" + given + " = attrs == nullptr ? nullptr : attrs->" + getter + "(" +
                       position + ");\n" + missing;
    text += indent + "std::vector<" + type + "> " + name +
            (hasDefault(attribute) ? " = " + cppValue(attribute.defaultValue) : "") + ";\n";
    return text + indent + "if (" + given + " != nullptr) " + name + ".assign(" + given + "->GetData(), " + given +
           "->GetData() + " + given + "->GetSize());\n";
  };
  switch (attribute.type) {
  case AttributeType::Float:
    return scalar("float", "GetFloat");
  case AttributeType::Int:
    return scalar("int64_t", "GetInt");
  case AttributeType::Bool:
    return scalar("bool", "GetBool");
  case AttributeType::String: {
    std::string given = variable(attribute.name) + "Given";
    return indent + "const char *" + given + " = attrs == nullptr ? nullptr : attrs->GetStr(" + position + ");\n" +
           missing + indent + "const std::string " + variable(attribute.name) + " = " + given + " == nullptr ? " +
           (hasDefault(attribute) ? cppValue(attribute.defaultValue) : "\"\"") + " : " + given + ";\n";
  }
  case AttributeType::ListFloat:
    return list("float", "GetListFloat");
  case AttributeType::ListInt:
    return list("int64_t", "GetListInt");
  case AttributeType::ListBool:
    return list("bool", "GetListBool");
  case AttributeType::ListString:
    break; // host_c1
  }
  return {};
}

std::string checkAttribute(const ContractAttribute &attribute, const std::string &indent) {
  std::string text;
  bool isList = attribute.type >= AttributeType::ListFloat;
  bool isReal = attribute.type == AttributeType::Float || attribute.type == AttributeType::ListFloat;
  auto bound = [&](double value) {
    // A float attribute arrives as a float, so the bound is converted to float as well.
    return isReal ? "static_cast<float>(" + cppReal(value) + ")" : std::to_string(static_cast<int64_t>(value));
  };
  std::string value = isList ? "item" : variable(attribute.name), condition;
  if (attribute.minimum)
    condition = value + " >= " + bound(*attribute.minimum);
  if (attribute.maximum)
    condition += (condition.empty() ? "" : " && ") + value + " <= " + bound(*attribute.maximum);
  std::string refuse = "return Refuse(\"attribute '" + attribute.name + "' is outside of its range\");\n";
  if (!condition.empty() && isList)
    text += indent + "for (auto item : " + variable(attribute.name) + ")\n" + indent + "  if (!(" + condition + ")) " +
            refuse;
  else if (!condition.empty())
    text += indent + "if (!(" + condition + ")) " + refuse;
  if (!attribute.choices.empty()) {
    std::string tests;
    for (const std::string &choice : attribute.choices)
      tests += (tests.empty() ? "" : " && ") + variable(attribute.name) + " != " + quoted(choice);
    text +=
        indent + "if (" + tests + ") return Refuse(\"attribute '" + attribute.name + "' is none of its choices\");\n";
  }
  return text;
}

std::string bindText(const HostOperator &op, const std::string &indent, bool tiling) {
  const Contract &contract = *op.contract;
  std::string text = indent + "std::vector<opc_host::Shape> inputs;\n";
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    std::string getter = contract.inputs[i].required ? "GetInputShape" : "GetOptionalInputShape";
    std::string shape = "context->" + getter + "(" + std::to_string(i) + ")";
    if (tiling)
      shape = "Storage(" + shape + ")";
    text += indent + "inputs.push_back(Read(" + shape + "));  // " + contract.inputs[i].name + "\n";
  }
  text += indent + "opc_host::Binding binding;\n" + indent +
          "const std::string wrong = opc_host::Bind(kSignature, inputs, binding);\n" + indent +
          "if (!wrong.empty()) return Refuse(wrong);\n";
  return text;
}

static bool anyReduces(const Contract &contract) {
  return std::any_of(contract.outputs.begin(), contract.outputs.end(),
                     [](const ContractTensor &output) { return output.reduces.has_value(); });
}

std::string outputsText(const HostOperator &op, const std::string &indent) {
  const Contract &contract = *op.contract;
  std::string text =
      indent + "std::vector<opc_host::Shape> outputs(" + std::to_string(contract.outputs.size()) + ");\n";
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    const ContractTensor &output = contract.outputs[i];
    std::string place = "outputs[" + std::to_string(i) + "]";
    const std::string declared =
        indent + place + " = opc_host::OutputShape(kOutput" + std::to_string(i) + ", binding);\n";
    if (!output.reduces) {
      text += declared;
      continue;
    }
    size_t axes = attributeIndex(contract, output.reduces->axes);
    bool single = contract.attributes[axes].type == AttributeType::Int;
    std::string list = single ? "{" + variable(output.reduces->axes) + "}" : variable(output.reduces->axes);
    size_t input = 0;
    while (input + 1 < contract.inputs.size() && contract.inputs[input].name != output.reduces->input)
      ++input;
    text += indent + "if (!opc_host::Reduce(inputs[" + std::to_string(input) + "], " + list + ", " +
            (output.reduces->keepDims.empty() ? "false" : variable(output.reduces->keepDims)) + ", " + place + "))\n" +
            indent + "  return Refuse(\"the axes of '" + output.name + "' do not fit the shape of '" +
            output.reduces->input + "'\");\n";
    // The axes are checked where the output keeps all dimensions, too.
    if (!output.isReduced())
      text += declared;
  }
  return text;
}

/// Attributes that determine output shapes, without duplicates.
static std::vector<size_t> shapeAttributes(const Contract &contract) {
  std::vector<size_t> found;
  auto add = [&](const std::string &name) {
    size_t index = attributeIndex(contract, name);
    if (!name.empty() && std::find(found.begin(), found.end(), index) == found.end())
      found.push_back(index);
  };
  for (const ContractTensor &output : contract.outputs)
    if (output.reduces) {
      add(output.reduces->axes);
      add(output.reduces->keepDims);
    }
  return found;
}

bool inputsPickRow(const Contract &contract, unsigned row) {
  for (unsigned other = 0; other < contract.typeRows(); ++other) {
    bool same = other != row;
    for (const ContractTensor &input : contract.inputs)
      same = same && (!input.required || input.types[other] == input.types[row]);
    if (same)
      return false;
  }
  return true;
}

bool inputsPickRows(const Contract &contract) {
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    if (!inputsPickRow(contract, row))
      return false;
  return true;
}

/// "getter0) == ge::DT_FLOAT && getter1) == ..." for the required tensors of a row.
static std::string joinedTests(const std::vector<ContractTensor> &tensors, unsigned row, const std::string &getter) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].required)
      text += (text.empty() ? "" : " && ") + getter + std::to_string(i) + ") == " + geType(tensors[i].types[row]);
  return text;
}

std::string inferText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text = R"(void Write(const opc_host::Shape &shape, gert::Shape *to) {
  to->SetDimNum(0);
  if (!shape.rankKnown) to->AppendDim(-2);
  for (int64_t size : shape.sizes) to->AppendDim(size);
}

ge::graphStatus InferShape(gert::InferShapeContext *context) {
)";
  text += bindText(op, "  ", false);
  if (anyReduces(contract)) {
    text += "  const gert::RuntimeAttrs *attrs = context->GetAttrs();\n";
    for (size_t index : shapeAttributes(contract))
      text += readAttribute(contract, index, "  ");
  }
  text += outputsText(op, "  ");
  text += "  for (size_t i = 0; i < outputs.size(); ++i) {\n"
          "    gert::Shape *to = context->GetOutputShape(i);\n"
          "    if (to == nullptr) return Refuse(\"an output has no shape to write\");\n"
          "    Write(outputs[i], to);\n"
          "  }\n"
          "  return ge::GRAPH_SUCCESS;\n}\n\n";
  text += "// Types are matched by position across all tensors: a row of the contract's table.\n"
          "ge::graphStatus InferDataType(gert::InferDataTypeContext *context) {\n";
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    std::string condition = joinedTests(contract.inputs, row, "context->GetInputDataType(");
    // If the inputs do not determine the row, the caller has set the type of the output, as for Cast.
    if (!inputsPickRow(contract, row))
      condition += " && " + joinedTests(contract.outputs, row, "context->GetOutputDataType(");
    text += "  if (" + condition + ") {\n";
    for (size_t i = 0; i < contract.outputs.size(); ++i)
      text += "    context->SetOutputDataType(" + std::to_string(i) + ", " + geType(contract.outputs[i].types[row]) +
              ");\n";
    text += "    return ge::GRAPH_SUCCESS;\n  }\n";
  }
  return text + "  return Refuse(\"the types of the tensors are no row of the type table\");\n}\n";
}

static std::string tensorDefinition(const ContractTensor &tensor, bool input) {
  std::string types = joined(tensor.types, geType), formats = joined(tensor.formats, geFormat);
  return std::string("    this->") + (input ? "Input" : "Output") + "(\"" + tensor.name + "\")\n        .ParamType(" +
         (tensor.required ? "REQUIRED" : "OPTIONAL") + ")\n        .DataType({" + types + "})\n        .Format({" +
         formats + "})\n        .UnknownShapeFormat({" + formats + "});\n";
}

static std::string attributeDefinition(const ContractAttribute &attribute) {
  static constexpr const char *calls[] = {"Float", "Int", "Bool", "String", "ListFloat", "ListInt", "ListBool", ""};
  return "    this->Attr(\"" + attribute.name + "\").AttrType(" + (hasDefault(attribute) ? "OPTIONAL" : "REQUIRED") +
         ")." + calls[static_cast<size_t>(attribute.type)] + "(" + cppValue(attribute.defaultValue) + ");\n";
}

std::string definitionText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text = "namespace ops {\n\nclass " + contract.opType + " : public OpDef {\n public:\n";
  text += "  explicit " + contract.opType + "(const char *name) : OpDef(name) {\n";
  for (const ContractTensor &input : contract.inputs)
    text += tensorDefinition(input, true);
  for (const ContractTensor &output : contract.outputs)
    text += tensorDefinition(output, false);
  for (const ContractAttribute &attribute : contract.attributes)
    text += attributeDefinition(attribute);
  text += "    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);\n"
          "    this->AICore().SetTiling(optiling::Tiling);\n"
          "    this->AICore().AddConfig(\"ascend310b\");\n"
          "  }\n};\n\nOP_ADD(" +
          contract.opType + ");\n\n}  // namespace ops\n";
  return text;
}

} // namespace opc::host
