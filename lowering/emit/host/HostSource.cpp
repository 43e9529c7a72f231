// The C++ that runs on the host of a board: shape and type inference, host checks, tiling, and the
// class that registers the operator.
//
// The same functions appear in three files: op_host/<op>.cpp with the OpDef class (what the
// vendor's project generator builds everything from), and, for builds by hand, inference and tiling
// each with its own registration.

#include "lowering/emit/host/HostText.h"

#include "lowering/emit/cpp/Names.h"

#include <algorithm>

namespace opc::host {

static std::string tilingStruct(const Contract &contract) {
  return upperCamel(contract.name) + "TilingData";
}

std::string contextText(const HostOperator &op) {
  return R"(ge::graphStatus Refuse(const std::string &why) {
  std::fprintf(stderr, "%s: %s\n", )" +
         quoted(op.contract->opType) + R"(, why.c_str());
  return ge::GRAPH_FAILED;
}

// A single -2 in place of sizes says that the rank is not known.
opc_host::Shape Read(const gert::Shape *shape) {
  opc_host::Shape result;
  result.given = shape != nullptr;
  if (shape == nullptr) return result;
  result.rankKnown = !(shape->GetDimNum() == 1 && shape->GetDim(0) == -2);
  for (size_t i = 0; result.rankKnown && i < shape->GetDimNum(); ++i) result.sizes.push_back(shape->GetDim(i));
  return result;
}
)";
}

/// The variable that holds an attribute, apart from every name of these functions.
static std::string variable(const std::string &attribute) {
  return "attr_" + attribute;
}

/// The value of an attribute in a context with `attrs`, or its default: a declaration.
static std::string readAttribute(const Contract &contract, size_t index,
                                 const std::string &indent) {
  const ContractAttribute &attribute = contract.attributes[index];
  std::string position = std::to_string(index);
  std::string missing = hasDefault(attribute)
                            ? ""
                            : indent + "if (attrs == nullptr || " + variable(attribute.name) +
                                  "Given == nullptr) return Refuse(\"attribute '" + attribute.name +
                                  "' is required\");\n";
  auto scalar = [&](const char *type, const char *getter) {
    std::string given = variable(attribute.name) + "Given";
    std::string text = indent + "const " + type + " *" + given +
                       " = attrs == nullptr ? nullptr : attrs->" + getter + "(" + position +
                       ");\n" + missing;
    std::string fallback = hasDefault(attribute) ? std::string("static_cast<") + type + ">(" +
                                                       cppValue(attribute.defaultValue) + ")"
                                                 : std::string(type) + "()";
    return text + indent + "const " + type + " " + variable(attribute.name) + " = " + given +
           " == nullptr ? " + fallback + " : *" + given + ";\n";
  };
  auto list = [&](const char *type, const char *getter) {
    std::string name = variable(attribute.name), given = name + "Given";
    std::string text = indent + "const auto *" + given + " = attrs == nullptr ? nullptr : attrs->" +
                       getter + "(" + position + ");\n" + missing;
    text += indent + "std::vector<" + type + "> " + name +
            (hasDefault(attribute) ? " = " + cppValue(attribute.defaultValue) : "") + ";\n";
    return text + indent + "if (" + given + " != nullptr) " + name + ".assign(" + given +
           "->GetData(), " + given + "->GetData() + " + given + "->GetSize());\n";
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
    return indent + "const char *" + given + " = attrs == nullptr ? nullptr : attrs->GetStr(" +
           position + ");\n" + missing + indent + "const std::string " + variable(attribute.name) +
           " = " + given + " == nullptr ? " +
           (hasDefault(attribute) ? cppValue(attribute.defaultValue) : "\"\"") + " : " + given +
           ";\n";
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

/// What a contract says of an attribute's value: range and choices.
static std::string checkAttribute(const ContractAttribute &attribute, const std::string &indent) {
  std::string text;
  bool isList = attribute.type >= AttributeType::ListFloat;
  bool isReal =
      attribute.type == AttributeType::Float || attribute.type == AttributeType::ListFloat;
  auto bound = [&](double value) {
    // A float attribute is compared as the float it arrives in.
    return isReal ? "static_cast<float>(" + cppReal(value) + ")"
                  : std::to_string(static_cast<int64_t>(value));
  };
  std::string value = isList ? "item" : variable(attribute.name), condition;
  if (attribute.minimum)
    condition = value + " >= " + bound(*attribute.minimum);
  if (attribute.maximum)
    condition += (condition.empty() ? "" : " && ") + value + " <= " + bound(*attribute.maximum);
  std::string refuse =
      "return Refuse(\"attribute '" + attribute.name + "' is outside of its range\");\n";
  if (!condition.empty() && isList)
    text += indent + "for (auto item : " + variable(attribute.name) + ")\n" + indent + "  if (!(" +
            condition + ")) " + refuse;
  else if (!condition.empty())
    text += indent + "if (!(" + condition + ")) " + refuse;
  if (!attribute.choices.empty()) {
    std::string tests;
    for (const std::string &choice : attribute.choices)
      tests += (tests.empty() ? "" : " && ") + variable(attribute.name) + " != " + quoted(choice);
    text += indent + "if (" + tests + ") return Refuse(\"attribute '" + attribute.name +
            "' is none of its choices\");\n";
  }
  return text;
}

/// `inputs`, `binding` and a shape for each output from the shapes of a context.
static std::string bindText(const HostOperator &op, const std::string &indent, bool tiling) {
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

/// A vector `outputs` with the shape of each output.
static std::string outputsText(const HostOperator &op, const std::string &indent) {
  const Contract &contract = *op.contract;
  std::string text = indent + "std::vector<opc_host::Shape> outputs(" +
                     std::to_string(contract.outputs.size()) + ");\n";
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    const ContractTensor &output = contract.outputs[i];
    std::string place = "outputs[" + std::to_string(i) + "]";
    if (!output.reduces) {
      text +=
          indent + place + " = opc_host::OutputShape(kOutput" + std::to_string(i) + ", binding);\n";
      continue;
    }
    size_t axes = attributeIndex(contract, output.reduces->axes);
    bool single = contract.attributes[axes].type == AttributeType::Int;
    std::string list =
        single ? "{" + variable(output.reduces->axes) + "}" : variable(output.reduces->axes);
    size_t input = 0;
    while (input + 1 < contract.inputs.size() &&
           contract.inputs[input].name != output.reduces->input)
      ++input;
    text += indent + "if (!opc_host::Reduce(inputs[" + std::to_string(input) + "], " + list + ", " +
            (output.reduces->keepDims.empty() ? "false" : variable(output.reduces->keepDims)) +
            ", " + place + "))\n" + indent + "  return Refuse(\"the axes of '" + output.name +
            "' do not fit the shape of '" + output.reduces->input + "'\");\n";
  }
  return text;
}

/// Attributes that output shapes depend on, each once.
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
    std::string condition;
    for (size_t i = 0; i < contract.inputs.size(); ++i)
      if (contract.inputs[i].required)
        condition +=
            (condition.empty() ? "" : " && ") + ("context->GetInputDataType(" + std::to_string(i) +
                                                 ") == " + geType(contract.inputs[i].types[row]));
    text += "  if (" + condition + ") {\n";
    for (size_t i = 0; i < contract.outputs.size(); ++i)
      text += "    context->SetOutputDataType(" + std::to_string(i) + ", " +
              geType(contract.outputs[i].types[row]) + ");\n";
    text += "    return ge::GRAPH_SUCCESS;\n  }\n";
  }
  return text + "  return Refuse(\"the types of the inputs are no row of the type table\");\n}\n";
}

static std::string sizeExpression(const HostOperator &op, const TilingInput &input) {
  size_t inputs = op.contract->inputs.size();
  std::string tensor = input.tensor < inputs
                           ? "inputs[" + std::to_string(input.tensor) + "]"
                           : "outputs[" + std::to_string(input.tensor - inputs) + "]";
  switch (input.kind) {
  case TilingInput::NumElements:
    return "opc_host::NumElements(" + tensor + ")";
  case TilingInput::Dim:
    return "opc_host::DimOf(" + tensor + ", " + std::to_string(input.dim) + ")";
  case TilingInput::Rank:
    return "opc_host::RankOf(" + tensor + ")";
  case TilingInput::Reduced:
    for (const ContractTensor &output : op.contract->outputs) {
      if (!output.reduces || input.tensor >= inputs ||
          output.reduces->input != op.contract->inputs[input.tensor].name)
        continue;
      size_t axes = attributeIndex(*op.contract, output.reduces->axes);
      std::string name = variable(output.reduces->axes);
      bool single = op.contract->attributes[axes].type == AttributeType::Int;
      return "opc_host::Reduced(" + tensor + ", " + (single ? "{" + name + "}" : name) + ", " +
             std::to_string(input.dim) + ")";
    }
    return "INT64_C(0)";
  case TilingInput::MaxBlocks:
    break;
  }
  return "maxBlocks";
}

/// The fields of all kernels, as the struct of `<op>_tiling.h` has them: each once, wide where one
/// kernel's is wide.
static std::vector<TilingField> tilingFields(const HostOperator &op) {
  std::vector<TilingField> fields;
  for (const HostKernel &kernel : op.kernels)
    for (const TilingField &field : kernel.fields) {
      auto same = [&](const TilingField &known) { return known.name == field.name; };
      auto found = std::find_if(fields.begin(), fields.end(), same);
      if (found == fields.end())
        fields.push_back(field);
      else if (field.type == TilingField::UInt64)
        found->type = field.type;
    }
  return fields;
}

static size_t structBytes(const std::vector<TilingField> &fields) {
  size_t bytes = 0;
  for (const TilingField &field : fields) {
    size_t size = field.type == TilingField::UInt64 ? 8 : 4;
    bytes = (bytes + size - 1) / size * size + size;
  }
  return (bytes + 7) / 8 * 8;
}

static std::string reserveText(const HostOperator &op) {
  static constexpr const char *types[] = {"uint32_t", "uint64_t", "float"};
  std::string name = tilingStruct(*op.contract) + "Def";
  std::string text =
      "// What the framework reserves for the tiling data of a launch: the fields of " +
      tilingStruct(*op.contract) +
      ", which is what\n// host and kernel both use.\nBEGIN_TILING_DATA_DEF(" + name + ")\n";
  for (const TilingField &field : tilingFields(op))
    text += std::string("TILING_DATA_FIELD_DEF(") + types[field.type] + ", " +
            memberName(field.name) + ");\n";
  return text + "END_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(" + op.contract->opType + ", " +
         name + ")\n\n";
}

/// The kernels of a row: the first whose tiling function takes the sizes.
static std::string rowText(const HostOperator &op, unsigned row) {
  std::string text;
  for (const HostKernel &kernel : op.kernels) {
    if (kernel.typeRow != row)
      continue;
    std::string sizes =
        joined(kernel.sizes, [&](const TilingInput &input) { return sizeExpression(op, input); });
    text += "    if (!tiled && " + upperCamel(kernel.tilingFunction) + "(" + sizes +
            (sizes.empty() ? "" : ", ") + "data)) {\n";
    text += "      tiled = true;\n      key = " + std::to_string(kernel.tilingKey) + ";  // " +
            kernel.name + "\n";
    for (const std::string &attribute : kernel.attributes) {
      bool real = op.contract->findAttribute(attribute)->type == AttributeType::Float;
      text += "      data." + memberName(attribute) + " = " +
              (real ? variable(attribute) : "static_cast<uint64_t>(" + variable(attribute) + ")") +
              ";\n";
    }
    text += "    }\n";
  }
  return text;
}

std::string tilingText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string type = tilingStruct(contract);
  std::string text = "namespace optiling {\n\n" + reserveText(op) + "namespace {\n\n";
  text += contextText(op) + "\n";
  text += "const gert::Shape *Storage(const gert::StorageShape *shape) {\n"
          "  return shape == nullptr ? nullptr : &shape->GetStorageShape();\n}\n\n";
  text += "bool HasType(const gert::TilingContext *context, size_t input, ge::DataType type) {\n"
          "  const gert::CompileTimeTensorDesc *desc = context->GetInputDesc(input);\n"
          "  return desc != nullptr && desc->GetDataType() == type;\n}\n\n";
  text += "ge::graphStatus Tiling(gert::TilingContext *context) {\n";
  text += bindText(op, "  ", true);
  text += "  for (const opc_host::Shape &shape : inputs)\n"
          "    if (shape.given && !opc_host::AllKnown(shape)) return Refuse(\"a size is not known "
          "at launch\");\n";
  if (!contract.attributes.empty())
    text += "  const gert::RuntimeAttrs *attrs = context->GetAttrs();\n";
  for (size_t i = 0; i < contract.attributes.size(); ++i) {
    text += readAttribute(contract, i, "  ") + checkAttribute(contract.attributes[i], "  ");
    if (contract.attributes[i].binding == Binding::Compile && hasDefault(contract.attributes[i])) {
      const ContractAttribute &attribute = contract.attributes[i];
      bool isList = attribute.type >= AttributeType::ListFloat;
      std::string value = cppValue(attribute.defaultValue);
      if (isList)
        value = "decltype(" + variable(attribute.name) + ")(" + value + ")";
      else if (attribute.type == AttributeType::Float)
        value = "static_cast<float>(" + value + ")";
      text += "  if (" + variable(attribute.name) + " != " + value +
              ")\n    return Refuse(\"attribute '" + attribute.name +
              "' was compiled as its default; compile the operator for this value\");\n";
    }
  }
  text += outputsText(op, "  ");
  text += "  const int64_t maxBlocks = "
          "platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();\n";
  text += "  static_cast<void>(maxBlocks);\n";
  text += "  " + type + " data = {};\n  uint64_t key = 0;\n  bool known = false, tiled = false;\n";
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    std::string kernels = rowText(op, row), condition;
    if (kernels.empty())
      continue;
    for (size_t i = 0; i < contract.inputs.size(); ++i)
      if (contract.inputs[i].required)
        condition +=
            (condition.empty() ? "" : " && ") + ("HasType(context, " + std::to_string(i) + ", " +
                                                 geType(contract.inputs[i].types[row]) + ")");
    text += "  if (" + condition + ") {\n    known = true;\n" + kernels + "  }\n";
  }
  text += R"(  if (!known) return Refuse("the types of the inputs are no row of the type table");
  if (!tiled) return Refuse("no kernel takes these sizes: a number of the tiling data does not fit");
  gert::TilingData *raw = context->GetRawTilingData();
  // Eight bytes at a time are copied to the core.
  const size_t bytes = (sizeof(data) + 7) / 8 * 8;
  if (raw == nullptr || raw->GetCapacity() < bytes) return Refuse("the tiling data has no room");
  std::memset(raw->GetData(), 0, bytes);
  std::memcpy(raw->GetData(), &data, sizeof(data));
  raw->SetDataSize(bytes);
  context->SetBlockDim(data.block_num);
  context->SetTilingKey(key);
  size_t *workspaces = context->GetWorkspaceSizes(1);
  if (workspaces == nullptr) return Refuse("there is no place for the size of the workspace");
  workspaces[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace
)";
  return text;
}

static std::string tensorDefinition(const ContractTensor &tensor, bool input) {
  std::string types = joined(tensor.types, geType), formats = joined(tensor.formats, geFormat);
  return std::string("    this->") + (input ? "Input" : "Output") + "(\"" + tensor.name +
         "\")\n        .ParamType(" + (tensor.required ? "REQUIRED" : "OPTIONAL") +
         ")\n        .DataType({" + types + "})\n        .Format({" + formats +
         "})\n        .UnknownShapeFormat({" + formats + "});\n";
}

static std::string attributeDefinition(const ContractAttribute &attribute) {
  static constexpr const char *calls[] = {"Float",     "Int",     "Bool",     "String",
                                          "ListFloat", "ListInt", "ListBool", ""};
  return "    this->Attr(\"" + attribute.name + "\").AttrType(" +
         (hasDefault(attribute) ? "OPTIONAL" : "REQUIRED") + ")." +
         calls[static_cast<size_t>(attribute.type)] + "(" + cppValue(attribute.defaultValue) +
         ");\n";
}

std::string definitionText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text =
      "namespace ops {\n\nclass " + contract.opType + " : public OpDef {\n public:\n";
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

size_t opc::tilingDataBytes(const HostOperator &op) {
  return host::structBytes(host::tilingFields(op));
}
