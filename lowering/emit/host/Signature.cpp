// The shapes of a contract as tables for opc_host_shapes.h.

#include "lowering/emit/host/HostText.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc::host {

namespace {

/// Names in the order of their first appearance in shapes and equations.
struct Names {
  std::vector<std::string> symbols, packs;

  size_t symbol(const std::string &name) { return position(symbols, name); }
  size_t pack(const std::string &name) { return position(packs, name); }

private:
  static size_t position(std::vector<std::string> &names, const std::string &name) {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      found = names.insert(names.end(), name);
    return static_cast<size_t>(found - names.begin());
  }
};

} // namespace

static std::string pattern(const std::vector<ContractDim> &shape, Names &names) {
  return "{" +
         joined(shape,
                [&](const ContractDim &dim) -> std::string {
                  switch (dim.kind) {
                  case ContractDim::Symbol:
                    return "{opc_host::Dim::Symbol, " + std::to_string(names.symbol(dim.name)) + "}";
                  case ContractDim::Pack:
                    return "{opc_host::Dim::Pack, " + std::to_string(names.pack(dim.name)) + "}";
                  case ContractDim::Fixed:
                    break;
                  }
                  return "{opc_host::Dim::Fixed, " + std::to_string(dim.size) + "}";
                }) +
         "}";
}

static void collect(const SizeExpression &expression, Names &names) {
  if (expression.op == SizeExpression::Symbol)
    names.symbol(expression.symbol);
  for (const SizeExpression &operand : expression.operands)
    collect(operand, names);
}

static std::string integer(int64_t value) {
  return value == INT64_MIN ? "INT64_MIN" : "INT64_C(" + std::to_string(value) + ")";
}

/// An equation as calls of opc_host::Math, which records overflow.
static std::string expressionText(const SizeExpression &e, Names &names) {
  auto operand = [&](size_t i) { return expressionText(e.operands[i], names); };
  auto call = [&](const char *name) {
    return std::string("math.") + name + "(" + operand(0) + ", " + operand(1) + ")";
  };
  switch (e.op) {
  case SizeExpression::Const:
    return integer(e.value);
  case SizeExpression::Symbol:
    return "symbols[" + std::to_string(names.symbol(e.symbol)) + "]";
  case SizeExpression::Add:
    return call("Add");
  case SizeExpression::Sub:
    return call("Sub");
  case SizeExpression::Mul:
    return call("Mul");
  case SizeExpression::FloorDiv:
    return call("FloorDiv");
  case SizeExpression::CeilDiv:
    return call("CeilDiv");
  case SizeExpression::Rem:
    return call("Rem");
  case SizeExpression::Min:
    return call("Min");
  case SizeExpression::Max:
    return call("Max");
  // As in the contract, a comparison is the number 0 or 1, and all operands are evaluated.
  case SizeExpression::Lt:
    return "math.Lt(" + operand(0) + ", " + operand(1) + ")";
  case SizeExpression::Eq:
    return "math.Eq(" + operand(0) + ", " + operand(1) + ")";
  case SizeExpression::Select:
    return "math.Select(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
  }
  return "0";
}

static std::string equationText(const Contract &contract, Names &names) {
  std::string text;
  for (const SizeEquation &equation : equationsOf(contract)) {
    Names reads;
    collect(equation.value, reads);
    std::string positions =
        joined(reads.symbols, [&](const std::string &name) { return std::to_string(names.symbol(name)); });
    text += "    {" + std::to_string(names.symbol(equation.name)) + ", {" + positions +
            "}, [](const int64_t *symbols, int64_t &result) {\n"
            "       opc_host::Math math;\n"
            "       static_cast<void>(symbols);\n"
            "       result = " +
            expressionText(equation.value, names) + ";\n       return math.Ok();\n     }},\n";
  }
  return text;
}

static std::string boundsText(const Contract &contract, Names &names) {
  std::string text;
  for (const ContractDimension &dimension : contract.dimensions) {
    size_t name = dimension.isPack ? names.pack(dimension.name) : names.symbol(dimension.name);
    text += "    {" + std::to_string(name) + ", " + (dimension.isPack ? "true" : "false") + ", " +
            integer(dimension.minimum) + ", " + integer(dimension.maximum) + ", " +
            std::to_string(dimension.minimumRank) + ", " + std::to_string(dimension.maximumRank) + "},  // " +
            dimension.name + "\n";
  }
  return text;
}

std::string signatureText(const Contract &contract) {
  static constexpr const char *fits[] = {"Exact", "Numpy", "Scalar", "Batch"};
  Names names;
  std::string inputs, outputs;
  for (const ContractTensor &input : contract.inputs)
    inputs += "    {\"" + input.name + "\", " + pattern(input.shape, names) +
              ", opc_host::Tensor::" + fits[static_cast<size_t>(input.broadcast)] + ", " +
              (input.required ? "true" : "false") + "},  // " + printShape(input.shape) + "\n";
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    const ContractTensor &output = contract.outputs[i];
    if (!output.isReduced())
      outputs += "const std::vector<opc_host::Dim> kOutput" + std::to_string(i) + " = " + pattern(output.shape, names) +
                 ";  // " + output.name + " " + printShape(output.shape) + "\n";
  }
  for (size_t i = 0; i < contract.workspace.size(); ++i) {
    const ContractTensor &tensor = contract.workspace[i];
    outputs += "const std::vector<opc_host::Dim> kWorkspace" + std::to_string(i) + " = " +
               pattern(tensor.shape, names) + ";  // '" + tensor.summary + "' " + printShape(tensor.shape) + "\n";
  }
  std::string equations = equationText(contract, names);
  std::string bounds = boundsText(contract, names);
  auto literal = [](const std::string &name) { return "\"" + name + "\""; };
  std::string text = "// The shapes of the contract: names, inputs, bounds, equations.\n";
  text += "const opc_host::Signature kSignature = {\n";
  text += "    {" + joined(names.symbols, literal) + "},\n";
  text += "    {" + joined(names.packs, literal) + "},\n";
  text += "    {\n" + inputs + "    },\n";
  text += bounds.empty() ? "    {},\n" : "    {\n" + bounds + "    },\n";
  text += equations.empty() ? "    {},\n" : "    {\n" + equations + "    },\n";
  text += contract.boundary.empty == ContractBoundary::Empty::Allowed ? "    true" : "    false";
  return text + "};\n" + outputs;
}

} // namespace opc::host
