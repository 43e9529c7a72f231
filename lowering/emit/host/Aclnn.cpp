// The two-phase API: the first call computes the workspace and prepares, the second launches.

#include "lowering/emit/host/HostText.h"

namespace opc::host {

static std::string parameterType(AttributeType type) {
  switch (type) {
  case AttributeType::Float:
    return "double ";
  case AttributeType::Int:
    return "int64_t ";
  case AttributeType::Bool:
    return "bool ";
  case AttributeType::String:
    return "char *";
  case AttributeType::ListFloat:
    return "const aclFloatArray *";
  case AttributeType::ListInt:
    return "const aclIntArray *";
  case AttributeType::ListBool:
    return "const aclBoolArray *";
  case AttributeType::ListString:
    break; // host_c1
  }
  return "char *";
}

std::string aclnnHeaderText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string guard = "OPC_ACLNN_" + contract.name + "_H", first, notes;
  for (char &c : guard)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  auto note = [&](const std::string &name, const std::string &summary, const std::string &rest) {
    notes += "//   " + name + ": " + inComment(summary) + (summary.empty() ? "" : "; ") + rest + "\n";
  };
  auto typesOf = [](const ContractTensor &tensor) {
    std::string text;
    for (ElementType type : tensor.types)
      text += (text.empty() ? "" : ", ") + std::string(elementTypeName(type));
    return text;
  };
  for (const ContractTensor &input : contract.inputs) {
    std::string name = input.name + (input.required ? "" : "Optional");
    first += "const aclTensor *" + name + ", ";
    note(name, input.summary, typesOf(input) + (input.required ? "" : "; may be null"));
  }
  for (const ContractAttribute &attribute : contract.attributes) {
    first += parameterType(attribute.type) + attribute.name + ", ";
    note(attribute.name, attribute.summary,
         hasDefault(attribute) ? "default " + inComment(pythonValue(attribute.defaultValue)) : "no default");
  }
  for (const ContractTensor &output : contract.outputs) {
    std::string name = contract.outputs.size() == 1 ? "out" : output.name + "Out";
    first += "const aclTensor *" + name + ", ";
    note(name, output.summary, typesOf(output));
  }
  if (!inputsPickRows(contract))
    notes += "//   The inputs do not say what is computed: the types of the outputs are the caller's.\n";
  std::string call = "aclnn" + contract.opType;
  return "//\n" + notes + "#ifndef " + guard + "\n#define " + guard +
         "\n#include \"aclnn/acl_meta.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
         "// Sets the bytes of workspace that the launch needs, and the executor that it takes.\n"
         "__attribute__((visibility(\"default\"))) aclnnStatus " +
         call + "GetWorkspaceSize(\n    " + first +
         "uint64_t *workspaceSize, aclOpExecutor **executor);\n\n"
         "// Launches on a stream. The executor is used up.\n"
         "__attribute__((visibility(\"default\"))) aclnnStatus " +
         call +
         "(\n    void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream "
         "stream);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif  // " +
         guard + "\n";
}

} // namespace opc::host
