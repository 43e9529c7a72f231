// <op>.py: the function through which the vendor's compiler, in Python, reaches the kernel source
// that lies beside it.

#include "lowering/emit/host/HostText.h"

namespace opc::host {

std::string kernelEntryText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string parameters, inputs, outputs, attributes, kinds;
  auto tensors = [&](const std::vector<ContractTensor> &list, std::string &names) {
    for (const ContractTensor &tensor : list) {
      parameters += tensor.name + (tensor.required ? "" : "=None") + ", ";
      names += (names.empty() ? "" : ", ") + tensor.name;
      kinds += std::string(kinds.empty() ? "" : ", ") +
               (tensor.required ? "\"required\"" : "\"optional\"");
    }
  };
  // Python wants defaults last: everything may be left out, and the compiler passes all by
  // position.
  tensors(contract.inputs, inputs);
  tensors(contract.outputs, outputs);
  static constexpr const char *types[] = {"float",     "int",     "bool",     "str",
                                          "listFloat", "listInt", "listBool", "listStr"};
  std::string values;
  for (const ContractAttribute &attribute : contract.attributes) {
    parameters += attribute.name + ", ";
    attributes += "        {\"name\": \"" + attribute.name + "\", \"dtype\": \"" +
                  types[static_cast<size_t>(attribute.type)] + "\", \"value\": " + attribute.name +
                  "},\n";
    if (hasDefault(attribute))
      values += "    if " + attribute.name + " is None:\n        " + attribute.name + " = " +
                pythonValue(attribute.defaultValue) + "\n";
  }
  std::string plain;
  for (size_t at = 0; at < parameters.size();) {
    size_t end = parameters.find(", ", at);
    std::string one = parameters.substr(at, end - at);
    plain += one.substr(0, one.find('=')) + "=None, ";
    at = end + 2;
  }
  std::string text = "\"\"\"Entry of " + contract.opType + " " + contract.version +
                     " for the vendor's compiler: written by opc from the contract.\"\"\"\n\n"
                     "import os\n\n"
                     "from tbe.common.buildcfg import get_current_build_config\n"
                     "from tbe.common.register import register_operator\n"
                     "from tbe.tikcpp import OpInfo, compile_op, get_code_channel\n\n"
                     "SOURCE = os.path.join(os.path.dirname(os.path.realpath(__file__)), \"" +
                     contract.name + ".cpp\")\n\n\n";
  text += "@register_operator(\"" + contract.opType + "\")\ndef " + contract.name + "(" + plain +
          "kernel_name=\"" + contract.name + "\", impl_mode=\"\"):\n";
  text += "    \"\"\"Compiles the kernel source for the types of these tensors.\"\"\"\n" + values;
  text += "    if get_current_build_config(\"enable_op_prebuild\"):\n        return\n";
  text += "    inputs, outputs = [" + inputs + "], [" + outputs + "]\n";
  text += "    attributes = [" + (attributes.empty() ? "" : "\n" + attributes + "    ") + "]\n";
  text += "    options = [\"-x\", \"cce\", \"-I\", os.path.dirname(SOURCE)]\n"
          "    if \"high_performance\" in impl_mode:\n"
          "        options.append(\"-DHIGH_PERFORMANCE=1\")\n"
          "    elif \"high_precision\" in impl_mode:\n"
          "        options.append(\"-DHIGH_PRECISION=1\")\n";
  text += "    info = OpInfo(kernel_name=kernel_name, op_type=\"" + contract.opType +
          "\", inputs=inputs, outputs=outputs, attrs=attributes,\n"
          "                  impl_mode=impl_mode, origin_inputs=inputs, origin_outputs=outputs,\n"
          "                  param_type_dynamic=False, mc2_ctx=[], param_type_list=[" +
          kinds +
          "],\n                  init_value_list=[None] * len(outputs), "
          "output_shape_depend_on_compute=[])\n";
  text += "    compile_op(SOURCE, \"" + contract.name +
          "\", info, options, get_code_channel(SOURCE, kernel_name, \"" + contract.opType +
          "\", options), \"{}\")\n";
  return text;
}

} // namespace opc::host
