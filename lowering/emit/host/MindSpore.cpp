// MindSpore: a cell around ops.Custom of kind "aot", which calls the two-phase API of the package.

#include "lowering/emit/host/HostText.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc::host {

static std::string dataType(ElementType type) {
  static constexpr const char *names[] = {"F16", "F32", "BF16", "I8",  "U8",   "I16", "U16",
                                          "I32", "U32", "I64",  "U64", "BOOL", "F64"};
  static_assert(std::size(names) == kNumElementTypes);
  return std::string("DataType.") + names[static_cast<size_t>(type)] + "_Default";
}

static std::string mindsporeType(ElementType type) {
  return "mindspore." + std::string(type == ElementType::Bool ? "bool_" : elementTypeName(type));
}

/// The size in an output shape as Python. Sizes that only an equation determines come from a separate table.
static std::string sizeText(const SizeExpression &e) {
  static constexpr const char *infix[] = {"", "", " + ", " - ", " * ", " // "};
  auto operand = [&](size_t i) { return sizeText(e.operands[i]); };
  switch (e.op) {
  case SizeExpression::Const:
    return std::to_string(e.value);
  case SizeExpression::Symbol:
    return "sizes[\"" + e.symbol + "\"]";
  case SizeExpression::Add:
  case SizeExpression::Sub:
  case SizeExpression::Mul:
  case SizeExpression::FloorDiv:
    return "(" + operand(0) + infix[e.op] + operand(1) + ")";
  case SizeExpression::CeilDiv:
    return "(-(-" + operand(0) + " // " + operand(1) + "))";
  // The result has the sign of the dividend.
  case SizeExpression::Rem:
    return "int(math.fmod(" + operand(0) + ", " + operand(1) + "))";
  case SizeExpression::Min:
    return "min(" + operand(0) + ", " + operand(1) + ")";
  case SizeExpression::Max:
    return "max(" + operand(0) + ", " + operand(1) + ")";
  case SizeExpression::Lt:
    return "int(" + operand(0) + " < " + operand(1) + ")";
  case SizeExpression::Eq:
    return "int(" + operand(0) + " == " + operand(1) + ")";
  case SizeExpression::Select:
    return "(" + operand(1) + " if " + operand(0) + " else " + operand(2) + ")";
  }
  return "0";
}

static std::string patternText(const std::vector<ContractDim> &shape) {
  return "(" +
         joined(shape,
                [](const ContractDim &dim) {
                  return dim.kind == ContractDim::Fixed
                             ? std::to_string(dim.size)
                             : "\"" + std::string(dim.kind == ContractDim::Pack ? "..." : "") + dim.name + "\"";
                }) +
         (shape.size() == 1 ? ",)" : ")");
}

/// The equations as lambdas; there are no cycles among them (contract_c33).
static std::string equationsText(const Contract &contract) {
  std::string text;
  for (const SizeEquation &equation : equationsOf(contract))
    text += "    equations[\"" + equation.name + "\"] = lambda sizes: " + sizeText(equation.value) + "\n";
  return text;
}

static std::string shapesText(const Contract &contract) {
  std::string inputs, text;
  for (const ContractTensor &input : contract.inputs)
    inputs += "    (\"" + input.name + "\", " + patternText(input.shape) + ", \"" +
              (input.broadcast == Broadcast::None ? "exact" : std::string(broadcastName(input.broadcast))) + "\"),\n";
  text += "INPUTS = [\n" + inputs + "]\n\n\n";
  text += R"(def bind(shapes):
    """What the contract's names stand for, from the shapes of the inputs (None: left out)."""
    sizes, equations = {}, {}
    for exact in (True, False):
        for (name, pattern, fit), shape in zip(INPUTS, shapes):
            if shape is None or fit == "scalar" or (fit != "batch" and (fit == "exact") != exact):
                continue
            pack = next((i for i, item in enumerate(pattern) if str(item).startswith("...")), None)
            singles = len(pattern) - (pack is not None)
            shape = list(shape)
            if fit == "numpy" and len(shape) < singles:
                shape = [1] * (singles - len(shape)) + shape
            if len(shape) < singles or (pack is None and len(shape) != singles):
                raise ValueError(f"'{name}' of shape {shape} does not fit {pattern}")
            found = []
            for i, item in enumerate(pattern):
                if i == pack:
                    found.append(shape[i:len(shape) - (len(pattern) - i - 1)])
                else:
                    found.append(shape[i] if pack is None or i < pack else shape[i - len(pattern)])
            for item, size in zip(pattern, found):
                if fit == "batch" and isinstance(size, list) == exact:
                    continue
                known = sizes.get(item, item if isinstance(item, int) else None)
                if known is not None and not exact:
                    size = join(known, size)
                if known is not None and exact and known != size:
                    raise ValueError(f"'{name}' of shape {shape} does not fit {pattern}: '{item}' is {known}")
                sizes[item] = size
)";
  std::string equations = equationsText(contract);
  if (!equations.empty())
    text += equations + R"(    while any(name not in sizes for name in equations):
        for name, equation in equations.items():
            try:
                sizes.setdefault(name, equation(sizes))
            except KeyError:
                continue
)";
  text += R"(    return sizes


def join(known, size):
    """Two sizes, or two lists of them, of which 1 stretches."""
    if isinstance(known, list):
        length = max(len(known), len(size))
        known, size = [1] * (length - len(known)) + known, [1] * (length - len(size)) + size
        return [join(a, b) for a, b in zip(known, size)]
    if 1 not in (known, size) and known != size:
        raise ValueError(f"sizes {known} and {size} do not broadcast")
    return max(known, size) if 0 not in (known, size) else 0


def fill(pattern, sizes):
    """The shape of an output."""
    shape = []
    for item in pattern:
        size = sizes.get(item, item)
        shape.extend(size if isinstance(size, list) else [size])
    return tuple(shape)


def reduced(shape, axes, keep):
    """A shape without some axes, or with 1 there; no axes means all."""
    axes = {axis % len(shape) for axis in axes} if axes else set(range(len(shape)))
    return tuple(1 if i in axes else size for i, size in enumerate(shape) if keep or i not in axes)


)";
  return text;
}

/// TYPES and infer_type: select a row by the types of the inputs.
static std::string typesText(const Contract &contract, const std::string &all, const std::string &tensors) {
  std::string text = "TYPES = {\n";
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    std::string key = joined(contract.inputs, [&](const ContractTensor &t) { return mindsporeType(t.types[row]); });
    std::string value = joined(contract.outputs, [&](const ContractTensor &t) { return mindsporeType(t.types[row]); });
    text += "    (" + key + (contract.inputs.size() == 1 ? ",)" : ")") + ": " +
            (contract.outputs.size() == 1 ? value : "(" + value + ")") + ",\n";
  }
  return text + "}\n\n\ndef infer_type(" + all +
         "):\n    \"\"\"Types of the outputs: a row of the type table.\"\"\"\n    return TYPES[(" + tensors +
         (contract.inputs.size() == 1 ? ",)" : ")") + "]\n\n\n";
}

std::string mindsporeText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string type = contract.opType;
  std::string tensors = joined(contract.inputs, [](const ContractTensor &t) { return t.name; });
  std::string values = joined(contract.attributes, [](const ContractAttribute &a) { return a.name; });
  std::string all = tensors + (values.empty() ? "" : ", " + values);
  bool usesRem = false;
  std::string shapes = shapesText(contract);
  usesRem = shapes.find("math.fmod") != std::string::npos;
  std::string text = "\"\"\"" + type + " " + contract.version +
                     " in MindSpore: written by opc from the contract.\n\nThe package has to be "
                     "built on the board and installed; ops.Custom calls its aclnn" +
                     type + ".\n\"\"\"\n\n" + (usesRem ? "import math\n\n" : "") +
                     "import mindspore\nfrom mindspore import nn, ops\n"
                     "from mindspore.ops import CustomRegOp, DataType\n\n" +
                     shapes;
  text += "def infer_shape(" + all + "):\n    \"\"\"Shapes of the outputs from those of the inputs.\"\"\"\n";
  bool needsSizes = std::any_of(contract.outputs.begin(), contract.outputs.end(),
                                [](const ContractTensor &output) { return !output.isReduced(); });
  if (needsSizes)
    text += "    sizes = bind([" + tensors + "])\n";
  std::vector<std::string> results;
  for (const ContractTensor &output : contract.outputs) {
    if (!output.isReduced()) {
      results.push_back("fill(" + patternText(output.shape) + ", sizes)");
      continue;
    }
    const ContractAttribute &axes = contract.attributes[attributeIndex(contract, output.reduces->axes)];
    results.push_back("reduced(" + output.reduces->input + ", " +
                      (axes.type == AttributeType::Int ? "[" + axes.name + "]" : axes.name) + ", " +
                      (output.reduces->keepDims.empty() ? "False" : output.reduces->keepDims) + ")");
  }
  auto tuple = [](const std::vector<std::string> &items) {
    return joined(items, [](const std::string &item) { return item; });
  };
  text += "    return " + tuple(results) + "\n\n\n";
  // If the inputs do not determine the row, the caller passes the output types to the cell.
  bool told = !inputsPickRows(contract);
  if (!told)
    text += typesText(contract, all, tensors);
  static constexpr const char *kinds[] = {"float", "int", "bool", "str", "listFloat", "listInt", "listBool", "listStr"};
  text += "class " + type + "(nn.Cell):\n    \"\"\"" + inComment(contract.summary) + "\"\"\"\n\n    def __init__(self" +
          (told ? ", output_types):\n        \"\"\"`output_types`: the type of the output, a tuple "
                  "of several.\"\"\"\n"
                : "):\n") +
          "        super().__init__()\n        register = CustomRegOp(\"aclnn" + type + "\")\n";
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    text += "        register.input(" + std::to_string(i) + ", \"" + contract.inputs[i].name + "\", \"" +
            (contract.inputs[i].required ? "required" : "optional") + "\")\n";
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    text += "        register.output(" + std::to_string(i) + ", \"" + contract.outputs[i].name + "\", \"required\")\n";
  for (const ContractAttribute &attribute : contract.attributes)
    text += "        register.attr(\"" + attribute.name + "\", \"required\", \"" +
            kinds[static_cast<size_t>(attribute.type)] + "\")\n";
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    std::string row_ = joined(contract.inputs, [&](const ContractTensor &t) { return dataType(t.types[row]); });
    row_ += ", " + joined(contract.outputs, [&](const ContractTensor &t) { return dataType(t.types[row]); });
    text += "        register.dtype_format(" + row_ + ")\n";
  }
  text += "        info = register.target(\"Ascend\").get_op_info()\n"
          "        self.call = ops.Custom(\"aclnn" +
          type + "\", out_shape=infer_shape, out_dtype=" + (told ? "output_types" : "infer_type") +
          ", func_type=\"aot\",\n"
          "                               bprop=None, reg_info=info)\n\n";
  // In Python, parameters after one with a default need defaults too.
  std::string signature;
  bool defaults = false;
  auto parameter = [&](const std::string &name, const std::string &value) {
    defaults |= !value.empty();
    signature += (signature.empty() ? "" : ", ") + name + (defaults ? "=" + (value.empty() ? "None" : value) : "");
  };
  for (const ContractTensor &input : contract.inputs)
    parameter(input.name, input.required ? "" : "None");
  for (const ContractAttribute &attribute : contract.attributes)
    parameter(attribute.name, pythonValue(attribute.defaultValue));
  text += "    def construct(self, " + signature + "):\n        return self.call(" + all + ")\n";
  return text;
}

} // namespace opc::host
