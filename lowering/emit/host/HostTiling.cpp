// The work of the host before each launch, as C++: checks, the tiling data, and the choice of the kernel.
//
// It mirrors bindLaunch of the runtime: the types select a row, the tiling function of the row computes the tiling
// data, and its field "tiling_key", if there is one, selects the kernel. The function is that of `<op>_tiling.h`,
// printed from the IR that the runtime runs as bytecode.

#include "lowering/emit/host/HostText.h"

#include "lowering/emit/cpp/Names.h"
#include "lowering/emit/cpp/TilingStruct.h"

#include <algorithm>

namespace opc::host {

static std::string sizeExpression(const HostOperator &op, const TilingInput &input) {
  size_t inputs = op.contract->inputs.size();
  std::string tensor = input.tensor < inputs ? "inputs[" + std::to_string(input.tensor) + "]"
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
      if (!output.reduces || input.tensor >= inputs || output.reduces->input != op.contract->inputs[input.tensor].name)
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

/// The struct of `<op>_tiling.h`.
static TilingStruct structOf(const HostOperator &op) {
  std::vector<std::vector<TilingField>> fields;
  for (const HostKernel &kernel : op.kernels)
    fields.push_back(kernel.fields);
  return tilingStruct(fields);
}

static std::string reserveText(const HostOperator &op) {
  std::string type = tilingStructName(op.contract->name), name = type + "Def";
  std::string text = "// What the framework reserves for the tiling data of a launch: the fields of " + type +
                     ", which is what\n// host and kernel both use. A toolchain without REGISTER_TILING_DEFAULT "
                     "gives the kernel this class.\nBEGIN_TILING_DATA_DEF(" +
                     name + ")\n";
  for (const TilingField &field : structOf(op).fields)
    text += std::string("TILING_DATA_FIELD_DEF(") + cppTypeName(field.type) + ", " + memberName(field.name) + ");\n";
  return text + "END_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(" + op.contract->opType + ", " + name + ")\n\n";
}

/// Whether an input is in columns of fractals in some type row.
static bool isPackedSomewhere(const Contract &contract, const ContractTensor &input) {
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    if (input.isPacked(row))
      return true;
  return false;
}

static bool hasPackedRows(const Contract &contract) {
  return std::any_of(contract.inputs.begin(), contract.inputs.end(),
                     [&](const ContractTensor &input) { return isPackedSomewhere(contract, input); });
}

/// A condition in C++: whether the types of a launch, and the formats of inputs that may be packed, are those of a row.
static std::string rowCondition(const Contract &contract, unsigned row) {
  std::string text;
  auto add = [&](const std::string &test) { text += (text.empty() ? "" : " && ") + test; };
  auto arguments = [&](size_t i, const ContractTensor &tensor) {
    return "(context, " + std::to_string(i) + ", " + geType(tensor.types[row]) + ")";
  };
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    const ContractTensor &input = contract.inputs[i];
    if (input.required)
      add("HasType" + arguments(i, input));
    else
      add("(!inputs[" + std::to_string(i) + "].given || HasOptionalType" + arguments(i, input) + ")");
    if (isPackedSomewhere(contract, input))
      add(std::string(input.isPacked(row) ? "" : "!") + "IsPacked(context, " + std::to_string(i) + ")");
  }
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    add("GivesType" + arguments(i, contract.outputs[i]));
  return text;
}

/// Whether the tiling function of a kernel selects one of the kernels of the row.
static bool picksKernel(const HostKernel &kernel) {
  return std::any_of(kernel.fields.begin(), kernel.fields.end(),
                     [](const TilingField &field) { return field.name == kTilingKeyField; });
}

/// The code for a row: its tiling function, kernels and launch attributes. Empty if it has no kernel.
static std::string rowText(const HostOperator &op, unsigned row) {
  std::vector<const HostKernel *> kernels;
  for (const HostKernel &kernel : op.kernels)
    if (kernel.typeRow == row)
      kernels.push_back(&kernel);
  if (kernels.empty())
    return {};
  const HostKernel &first = *kernels.front();
  std::string sizes = joined(first.sizes, [&](const TilingInput &input) { return sizeExpression(op, input); });
  std::string text = "    known = true;\n    tiled = " + upperCamel(first.tilingFunction) + "(" + sizes +
                     (sizes.empty() ? "" : ", ") + "data);\n";
  if (!picksKernel(first)) {
    text += "    key = " + std::to_string(first.tilingKey) + ";  // " + first.name + "\n";
  } else {
    text += "    key = data." + memberName(std::string(kTilingKeyField)) + ";\n";
    text += "    kernels = {" +
            joined(kernels, [](const HostKernel *kernel) { return std::to_string(kernel->tilingKey); }) + "};\n";
  }
  std::vector<std::string> done;
  for (const HostKernel *kernel : kernels)
    for (const std::string &attribute : kernel->attributes) {
      if (std::find(done.begin(), done.end(), attribute) != done.end())
        continue;
      done.push_back(attribute);
      bool real = op.contract->findAttribute(attribute)->type == AttributeType::Float;
      text += "    data." + memberName(attribute) + " = " +
              (real ? variable(attribute) : "static_cast<uint64_t>(" + variable(attribute) + ")") + ";\n";
    }
  return text;
}

/// Functions that read the context: sizes and types of tensors.
static std::string queriesText(const Contract &contract) {
  const bool packs = hasPackedRows(contract);
  std::string text = std::string(packs ? "// A packed matrix has the sizes of the matrix.\n" : "") +
                     "const gert::Shape *Storage(const gert::StorageShape *shape) {\n"
                     "  return shape == nullptr ? nullptr : &shape->Get" +
                     (packs ? "Origin" : "Storage") + "Shape();\n}\n\n";
  if (packs)
    text += "bool IsPacked(const gert::TilingContext *context, size_t input) {\n"
            "  const gert::CompileTimeTensorDesc *desc = context->GetInputDesc(input);\n"
            "  return desc != nullptr && desc->GetStorageFormat() == ge::FORMAT_FRACTAL_NZ;\n}\n\n";
  text += "bool HasType(const gert::TilingContext *context, size_t input, ge::DataType type) {\n"
          "  const gert::CompileTimeTensorDesc *desc = context->GetInputDesc(input);\n"
          "  return desc != nullptr && desc->GetDataType() == type;\n}\n\n";
  if (std::any_of(contract.inputs.begin(), contract.inputs.end(),
                  [](const ContractTensor &input) { return !input.required; }))
    text += "bool HasOptionalType(const gert::TilingContext *context, size_t input, ge::DataType "
            "type) {\n"
            "  const gert::CompileTimeTensorDesc *desc = context->GetOptionalInputDesc(input);\n"
            "  return desc != nullptr && desc->GetDataType() == type;\n}\n\n";
  text += "bool GivesType(const gert::TilingContext *context, size_t output, ge::DataType type) {\n"
          "  const gert::CompileTimeTensorDesc *desc = context->GetOutputDesc(output);\n"
          "  return desc != nullptr && desc->GetDataType() == type;\n}\n\n";
  return text;
}

/// Refuses another value of an attribute that binds when compiling than its default.
static std::string defaultText(const ContractAttribute &attribute) {
  std::string value = cppValue(attribute.defaultValue);
  if (attribute.type >= AttributeType::ListFloat)
    value = "decltype(" + variable(attribute.name) + ")(" + value + ")";
  else if (attribute.type == AttributeType::Float)
    value = "static_cast<float>(" + value + ")";
  return "  if (" + variable(attribute.name) + " != " + value + ")\n    return Refuse(\"attribute '" + attribute.name +
         "' was compiled as its default; compile the operator for this value\");\n";
}

/// Reads and checks the attributes of a launch.
static std::string attributesText(const Contract &contract) {
  std::string text = contract.attributes.empty() ? "" : "  const gert::RuntimeAttrs *attrs = context->GetAttrs();\n";
  for (size_t i = 0; i < contract.attributes.size(); ++i) {
    const ContractAttribute &attribute = contract.attributes[i];
    text += readAttribute(contract, i, "  ") + checkAttribute(attribute, "  ");
    if (attribute.binding == Binding::Compile && hasDefault(attribute))
      text += defaultText(attribute);
  }
  return text;
}

std::string tilingText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string type = tilingStructName(contract.name);
  std::string text = "namespace optiling {\n\n" + reserveText(op) + "namespace {\n\n";
  text += contextText(op) + "\n" + queriesText(contract);
  text += "ge::graphStatus Tiling(gert::TilingContext *context) {\n";
  text += bindText(op, "  ", true);
  text += "  for (const opc_host::Shape &shape : inputs)\n"
          "    if (shape.given && !opc_host::AllKnown(shape)) return Refuse(\"a size is not known "
          "at launch\");\n";
  text += attributesText(contract);
  text += outputsText(op, "  ");
  for (size_t i = 0; i < contract.workspace.size(); ++i)
    text += "  outputs.push_back(opc_host::OutputShape(kWorkspace" + std::to_string(i) + ", binding));\n";
  // Small inputs may broadcast to an output that is too large for any memory.
  text += "  for (const opc_host::Shape &shape : outputs)\n"
          "    if (shape.sizes.size() > opc_host::kMaxRank || opc_host::IsHuge(shape))\n"
          "      return Refuse(\"an output has more dimensions or bytes than there can be\");\n";
  text += "  const int64_t maxBlocks = "
          "platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();\n";
  text += "  static_cast<void>(maxBlocks);\n";
  text += "  " + type + " data = {};\n  uint64_t key = 0;\n  bool known = false, tiled = false;\n";
  text += "  std::vector<uint64_t> kernels;  // of the row, where the tiling data says which\n";
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    if (std::string kernels = rowText(op, row); !kernels.empty())
      text += "  if (!known && " + rowCondition(contract, row) + ") {\n" + kernels + "  }\n";
  text += R"(  if (!known) return Refuse("the types of the tensors are no row of the type table");
  if (!tiled) return Refuse("no kernel takes these sizes: a number of the tiling data does not fit");
  bool there = kernels.empty();
  for (uint64_t kernel : kernels) there = there || kernel == key;
  if (!there)
    return Refuse("no kernel takes shapes that mix so many ways to broadcast or to reduce; write one input out in full, "
                  "or reduce in two steps");
  gert::TilingData *raw = context->GetRawTilingData();
  // Eight bytes at a time are copied to the core.
  const size_t bytes = (sizeof(data) + 7) / 8 * 8;
  if (raw == nullptr || raw->GetCapacity() < bytes) return Refuse("the tiling data has no room");
  std::memset(raw->GetData(), 0, bytes);
  std::memcpy(raw->GetData(), &data, sizeof(data));
  raw->SetDataSize(bytes);
)";
  text += "  context->SetBlockDim(data." + memberName("block_num") + ");\n";
  text += R"(  context->SetTilingKey(key);
  size_t *workspaces = context->GetWorkspaceSizes(1);
  if (workspaces == nullptr) return Refuse("there is no place for the size of the workspace");
  workspaces[0] = )" +
          (contract.workspace.empty() ? "0" : "static_cast<size_t>(data." + memberName("workspace") + ")") +
          R"(;
  return ge::GRAPH_SUCCESS;
}

}  // namespace
)";
  return text;
}

} // namespace opc::host

size_t opc::tilingDataBytes(const HostOperator &op) {
  return (host::structOf(op).bytes + 7) / 8 * 8;
}
