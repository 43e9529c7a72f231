// Assembles the texts of an operator from their parts.

#include "lowering/emit/host/HostOperator.h"

#include "lowering/emit/host/HostText.h"

using namespace opc;
using namespace opc::host;

static std::string head(const HostOperator &op, const std::string &what) {
  const Contract &contract = *op.contract;
  std::string renamed = op.writtenAs.empty() ? "" : ", written as " + op.writtenAs + " and renamed for this package";
  return "// " + what + " of " + contract.opType + " " + contract.version + renamed +
         ": written by opc from contract and IR.\n// " + inComment(contract.summary) + "\n";
}

static const char *kStandardIncludes = R"(#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

)";

/// Tables and inference functions, in namespace ge.
static std::string inference(const HostOperator &op) {
  return "namespace ge {\n\nnamespace {\n\n" + contextText(op) + "\n" + inferText(op) +
         "\n}  // namespace\n\n}  // namespace ge\n";
}

static std::string tables(const HostOperator &op) {
  return "namespace {\n\n" + signatureText(*op.contract) + "\n}  // namespace\n\n";
}

bool opc::emitHost(const HostOperator &op, HostSources &sources, Diagnostics &diagnostics) {
  const Contract &contract = *op.contract;
  size_t before = diagnostics.errorCount();
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.type == AttributeType::ListString)
      diagnostics.error(Code::E0391, attribute.location,
                        "expects attributes that the vendor's operator definition has, found that '" + attribute.name +
                            "' is a list of strings",
                        "host_c1");
  if (diagnostics.errorCount() != before)
    return false;
  std::string tilingHeader = "#include \"" + contract.name + "_tiling.h\"\n";
  std::string shapes = "#include \"opc_host_shapes.h\"\n\n";
  sources.opHost = head(op, "Host side") + kStandardIncludes +
                   "#include \"register/op_def_registry.h\"\n"
                   "#include \"register/tilingdata_base.h\"\n"
                   "#include \"tiling/platform/platform_ascendc.h\"\n" +
                   tilingHeader + shapes + tables(op) + tilingText(op) + "\n}  // namespace optiling\n\n" +
                   inference(op) + "\n" + definitionText(op);
  sources.inferSource = head(op, "Shape and type inference") + kStandardIncludes +
                        "#include \"register/op_impl_registry.h\"\n" + shapes + tables(op) + inference(op) +
                        "\nnamespace ge {\nIMPL_OP_INFERSHAPE(" + contract.opType +
                        ").InferShape(InferShape).InferDataType(InferDataType);\n}  // namespace ge\n";
  sources.tilingSource = head(op, "Tiling") + kStandardIncludes +
                         "#include \"register/op_impl_registry.h\"\n"
                         "#include \"register/tilingdata_base.h\"\n"
                         "#include \"tiling/platform/platform_ascendc.h\"\n" +
                         tilingHeader + shapes + tables(op) + tilingText(op) + "\nIMPL_OP_OPTILING(" + contract.opType +
                         ").Tiling(Tiling);\n\n}  // namespace optiling\n";
  sources.aclnnHeader = head(op, "Two-phase call") + aclnnHeaderText(op);
  sources.kernelEntry = kernelEntryText(op);
  sources.onnxPlugin = head(op, "ONNX parser plugin") + onnxPluginText(op);
  sources.onnxSchema = onnxSchemaText(op);
  sources.mindspore = mindsporeText(op);
  sources.docs = docsText(op);
  return true;
}

static std::string tensorType(const ContractTensor &tensor) {
  std::vector<ElementType> once;
  for (ElementType type : tensor.types) {
    bool known = false;
    for (ElementType other : once)
      known |= other == type;
    if (!known)
      once.push_back(type);
  }
  return "ge::TensorType({" + joined(once, geType) + "})";
}

std::string opc::opProtoHeader(const std::vector<HostOperator> &ops) {
  static constexpr const char *types[] = {"Float", "Int", "Bool", "String", "ListFloat", "ListInt", "ListBool", ""};
  std::string text = "// Operators of this package as the graph engine declares them: written by opc "
                     "from their contracts.\n#ifndef OPC_OP_PROTO_H\n#define OPC_OP_PROTO_H\n"
                     "#include <limits>\n\n#include \"graph/operator_reg.h\"\n\nnamespace ge {\n";
  for (const HostOperator &op : ops) {
    const Contract &contract = *op.contract;
    text += "\n// " + inComment(contract.summary) + "\nREG_OP(" + contract.opType + ")\n";
    for (const ContractTensor &input : contract.inputs)
      text += std::string("    .") + (input.required ? "INPUT(" : "OPTIONAL_INPUT(") + input.name + ", " +
              tensorType(input) + ")\n";
    for (const ContractTensor &output : contract.outputs)
      text += "    .OUTPUT(" + output.name + ", " + tensorType(output) + ")\n";
    for (const ContractAttribute &attribute : contract.attributes) {
      std::string type = types[static_cast<size_t>(attribute.type)];
      text += hasDefault(attribute)
                  ? "    .ATTR(" + attribute.name + ", " + type + ", " + cppValue(attribute.defaultValue) + ")\n"
                  : "    .REQUIRED_ATTR(" + attribute.name + ", " + type + ")\n";
    }
    text += "    .OP_END_FACTORY_REG(" + contract.opType + ")\n";
  }
  return text + "\n}  // namespace ge\n\n#endif  // OPC_OP_PROTO_H\n";
}

static const HostSupportFile kSupport[] = {
#include "lowering/emit/host/Support.inc"
};

const std::vector<HostSupportFile> &opc::hostSupportFiles() {
  static const std::vector<HostSupportFile> files(std::begin(kSupport), std::end(kSupport));
  return files;
}
