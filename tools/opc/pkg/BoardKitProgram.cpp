// Writes check.cpp of a board kit: cases as data, the two-phase call as code.

#include "tools/opc/pkg/BoardKit.h"

#include <algorithm>
#include <charconv>

namespace opc::tool {

static std::string real(double value) {
  char digits[40];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

template <typename List, typename Print> static std::string joined(const List &items, Print print) {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : ", ") + print(item);
  return text;
}

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

/// A number for Case::attributes; 0 for other values.
static double numberOf(const AttributeValue &value) {
  if (const auto *number = std::get_if<double>(&value))
    return *number;
  if (const auto *integer = std::get_if<int64_t>(&value))
    return static_cast<double>(*integer);
  if (const auto *truth = std::get_if<bool>(&value))
    return *truth;
  return 0;
}

static std::string toleranceText(const Contract &contract, const ContractTensor &output, unsigned row) {
  const ContractTolerance *tolerance = contract.precision.findOfChip(output.types[row]);
  if (!tolerance)
    return "{}";
  // Without a chip tolerance for the type, subnormal numbers may be flushed.
  const bool flushed = tolerance->subnormalsFlushed || tolerance == contract.precision.find(output.types[row]);
  std::vector<size_t> inputs, attributes;
  for (const std::string &name : tolerance->plusUlpOf) {
    for (size_t i = 0; i < contract.inputs.size(); ++i)
      if (contract.inputs[i].name == name)
        inputs.push_back(i);
    for (size_t i = 0; i < contract.attributes.size(); ++i)
      if (contract.attributes[i].name == name)
        attributes.push_back(i);
  }
  auto position = [](size_t i) { return std::to_string(i); };
  auto limit = [](std::optional<double> value) { return value ? real(*value) : std::string("-1"); };
  return "{" + real(tolerance->maxUlp.value_or(0)) + ", {" + joined(inputs, position) + "}, {" +
         joined(attributes, position) + "}, " + limit(tolerance->absolute) + ", " + limit(tolerance->meanRelative) +
         ", " + limit(tolerance->maxRelative) + (flushed ? ", true}" : "}");
}

static std::string caseText(const Contract &contract, const KitCase &one) {
  auto name = [](const ContractTensor &tensor) { return quoted(tensor.name); };
  return "    {\"" + one.folder + "\", {" + joined(contract.inputs, name) + "}, {" + joined(contract.outputs, name) +
         "}, {" + joined(one.attributes, [](const AttributeValue &value) { return real(numberOf(value)); }) + "}, {" +
         joined(contract.outputs,
                [&](const ContractTensor &output) { return toleranceText(contract, output, one.row); }) +
         "}},\n";
}

/// The argument of an attribute; appends statements that the call requires to `before`.
static std::string attributeText(const ContractAttribute &attribute, size_t index, std::string &before) {
  std::string value = "one.attributes[" + std::to_string(index) + "]";
  std::string name = "attr_" + attribute.name;
  auto array = [&](const char *type, const char *call, const std::string &items, size_t count) {
    before += std::string("  static const std::vector<") + type + "> " + name + " = {" + items + "};\n  static " +
              call + "Array *" + name + "Array = aclCreate" + (std::string(call) + "Array").substr(3) + "(" + name +
              ".data(), " + std::to_string(count) + ");\n";
    return name + "Array";
  };
  switch (attribute.type) {
  case AttributeType::Float:
    return value;
  case AttributeType::Int:
    return "static_cast<int64_t>(" + value + ")";
  case AttributeType::Bool:
    return value + " != 0";
  case AttributeType::String: {
    const auto *text = std::get_if<std::string>(&attribute.defaultValue);
    before += "  static char " + name + "[] = " +
              quoted(text                        ? *text
                     : attribute.choices.empty() ? ""
                                                 : attribute.choices.front()) +
              ";\n";
    return name;
  }
  case AttributeType::ListInt: {
    const auto *list = std::get_if<std::vector<int64_t>>(&attribute.defaultValue);
    return list ? array("int64_t", "aclInt", joined(*list, [](int64_t item) { return std::to_string(item); }),
                        list->size())
                : "nullptr";
  }
  case AttributeType::ListFloat: {
    const auto *list = std::get_if<std::vector<double>>(&attribute.defaultValue);
    return list ? array("float", "aclFloat", joined(*list, real), list->size()) : "nullptr";
  }
  case AttributeType::ListBool:
  case AttributeType::ListString:
    break;
  }
  return "nullptr";
}

std::string checkProgram(const Contract &contract, const std::vector<KitCase> &cases) {
  std::string before, arguments, call = "aclnn" + contract.opType;
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    arguments += "tensors.in[" + std::to_string(i) + "], ";
  for (size_t i = 0; i < contract.attributes.size(); ++i)
    arguments += attributeText(contract.attributes[i], i, before) + ", ";
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    arguments += "tensors.out[" + std::to_string(i) + "], ";
  std::string text = "// Runs " + contract.opType + " " + contract.version +
                     " on the device and compares: written by opc from the contract.\n"
                     "#include \"opc_check.h\"\n\n#include \"aclnn_" +
                     contract.name + ".h\"\n\nnamespace {\n\n" +
                     "aclnnStatus Prepare(const opc_check::Tensors &tensors, const opc_check::Case &one, uint64_t "
                     "*bytes,\n"
                     "                    aclOpExecutor **executor) {\n  static_cast<void>(one);\n" +
                     before + "  return " + call + "GetWorkspaceSize(" + arguments +
                     "bytes, executor);\n}\n\nconst std::vector<opc_check::Case> kCases = {\n";
  for (const KitCase &one : cases)
    text += caseText(contract, one);
  return text +
         "};\n\n}  // namespace\n\nint main(int argc, char **argv) { return "
         "opc_check::Main(kCases, Prepare, " +
         call + ", argc, argv); }\n";
}

} // namespace opc::tool
