// <op>.py: the Python function through which the vendor's compiler compiles the kernel source next to it.
//
// A build for one type row gets the row as macros, as in the vendor's own projects: DTYPE_<TENSOR> is the kernel's
// type, ORIG_DTYPE_<TENSOR> the framework's name of the type, FORMAT_<TENSOR> the format.

#include "lowering/emit/host/HostText.h"

#include "lowering/emit/cpp/Names.h"

#include <set>

namespace opc::host {

/// A table of the types of the operator's tensors: "float16": ("half", "DT_FLOAT16").
static std::string typeTable(const Contract &contract) {
  std::set<ElementType> types;
  for (const auto *list : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *list)
      types.insert(tensor.types.begin(), tensor.types.end());
  std::string text = "# Types as tensors name them, as kernels do, and as the framework does.\nTYPES = {\n";
  for (ElementType type : types)
    text += "    \"" + std::string(elementTypeName(type)) + "\": (\"" + std::string(ascendCTypeName(type)) + "\", \"" +
            frameworkTypeName(type) + "\"),\n";
  // The framework has two names for float32.
  if (types.count(ElementType::Float32) != 0)
    text += "    \"float\": (\"float\", \"DT_FLOAT\"),\n";
  return text + "}\n";
}

static const char *kFunctions = R"(

def _include_options():
    """Folders of headers: this one, and those of the toolkit whose compiler is called."""
    compiler = os.environ.get("BISHENG_REAL_PATH") or shutil.which("bisheng")
    if compiler is None:
        toolkit = "/usr/local/Ascend/latest/compiler/tikcpp"
    else:
        toolkit = os.path.join(os.path.dirname(compiler), "..", "..", "tikcpp")
    toolkit = os.path.realpath(toolkit)
    headers = os.path.join(toolkit, "tikcfw")
    folders = [os.path.dirname(SOURCE), toolkit, os.path.join(toolkit, "..", "..", "include"), headers,
               os.path.join(headers, "impl"), os.path.join(headers, "interface")]
    return ["-I" + folder for folder in folders]


def _type_options(tensors):
    """Macros by which the source knows the types and formats of this build."""
    options = []
    for name, tensor in tensors:
        if tensor is None:
            continue
        kernel_type, framework_type = TYPES[tensor["dtype"]]
        options.append("-DDTYPE_" + name.upper() + "=" + kernel_type)
        options.append("-DORIG_DTYPE_" + name.upper() + "=" + framework_type)
        options.append("-DFORMAT_" + name.upper() + "=FORMAT_" + tensor["format"])
    return options


def _build(inputs, outputs, attributes, kernel_name, impl_mode):
    if get_current_build_config("enable_op_prebuild"):
        return
    options = _type_options(inputs + outputs) + ["-x", "cce"] + _include_options()
    if "high_performance" in impl_mode:
        options.append("-DHIGH_PERFORMANCE=1")
    elif "high_precision" in impl_mode:
        options.append("-DHIGH_PRECISION=1")
    inputs, outputs = [tensor for _, tensor in inputs], [tensor for _, tensor in outputs]
    attributes = [{"name": name, "dtype": kind, "value": value} for name, kind, value in attributes]
    info = OpInfo(kernel_name=kernel_name, op_type=TYPE, inputs=inputs, outputs=outputs, attrs=attributes,
                  impl_mode=impl_mode, origin_inputs=inputs, origin_outputs=outputs, param_type_dynamic=False,
                  mc2_ctx=[], param_type_list=PARAMETERS, init_value_list=[None] * len(outputs),
                  output_shape_depend_on_compute=[])
    compile_op(SOURCE, FUNCTION, info, options, get_code_channel(SOURCE, kernel_name, TYPE, options), "{}")
)";

// Authors choose the names of tensors and attributes. So the function with these parameters calls only _build, a name
// that no contract may use.
std::string kernelEntryText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string parameters, attributes, kinds, values;
  // All parameters are optional, and the compiler passes all of them by position.
  auto tensors = [&](const std::vector<ContractTensor> &list) {
    std::string named;
    for (const ContractTensor &tensor : list) {
      parameters += tensor.name + "=None, ";
      kinds += std::string(kinds.empty() ? "" : ", ") + (tensor.required ? "\"required\"" : "\"optional\"");
      named += (named.empty() ? "(\"" : ", (\"") + tensor.name + "\", " + tensor.name + ")";
    }
    return named;
  };
  std::string inputs = tensors(contract.inputs), outputs = tensors(contract.outputs);
  static constexpr const char *types[] = {"float",      "int",      "bool",      "str",
                                          "list_float", "list_int", "list_bool", "list_str"};
  for (const ContractAttribute &attribute : contract.attributes) {
    parameters += attribute.name + "=None, ";
    attributes += (attributes.empty() ? "(\"" : ", (\"") + attribute.name + "\", \"" +
                  types[static_cast<size_t>(attribute.type)] + "\", " + attribute.name + ")";
    if (hasDefault(attribute))
      values += "    if " + attribute.name + " is None:\n        " + attribute.name + " = " +
                pythonValue(attribute.defaultValue) + "\n";
  }
  std::string text = "\"\"\"Entry of " + contract.opType + " " + contract.version +
                     " for the vendor's compiler: written by opc from the contract.\"\"\"\n\n"
                     "import os\nimport shutil\n\n"
                     "from tbe.common.buildcfg import get_current_build_config\n"
                     "from tbe.common.register import register_operator\n"
                     "from tbe.tikcpp import OpInfo, compile_op, get_code_channel\n\n"
                     "TYPE, FUNCTION = \"" +
                     contract.opType + "\", \"" + contract.name + "\"\n" +
                     "SOURCE = os.path.join(os.path.dirname(os.path.realpath(__file__)), \"" + contract.name +
                     ".cpp\")\nPARAMETERS = [" + kinds + "]\n" + typeTable(contract) + kFunctions;
  // Without this flag, bool tensors arrive as int8.
  text += "\n\n@register_operator(\"" + contract.opType + "\", trans_bool_to_s8=False)\ndef " + contract.name + "(" +
          parameters + "kernel_name=\"" + contract.name + "\", impl_mode=\"\"):\n" +
          "    \"\"\"Compiles the kernel source for the types of these tensors.\"\"\"\n" + values + "    _build([" +
          inputs + "], [" + outputs + "],\n           [" + attributes + "], kernel_name, impl_mode)\n";
  return text;
}

} // namespace opc::host
