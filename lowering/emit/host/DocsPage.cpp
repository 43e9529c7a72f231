// The documentation page of an operator in its package.

#include "lowering/emit/host/HostText.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/write/Canonical.h"

#include <cmath>
#include <limits>

namespace opc::host {

/// Escapes an author's text for Markdown, including tables.
static std::string prose(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '[' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

static std::string code(const std::string &text) {
  return "`" + text + "`";
}

static std::string rangeText(const ContractAttribute &attribute) {
  auto bound = [](std::optional<double> value) { return value ? pythonReal(*value) : "any"; };
  if (!attribute.minimum && !attribute.maximum)
    return attribute.choices.empty()
               ? "any"
               : joined(attribute.choices, [](const std::string &choice) { return prose(choice); });
  return bound(attribute.minimum) + " to " + bound(attribute.maximum);
}

static std::string boundaryText(const ContractBoundary &boundary) {
  static constexpr const char *overflows[] = {"becomes infinity", "wraps", "is not specified"};
  static constexpr const char *roundings[] = {
      "to nearest, ties to even", "to nearest, ties away", "down", "up", "toward zero", "is not specified"};
  static constexpr const char *nans[] = {"NaN goes through", "NaN is as the reference has it",
                                         "results for NaN are not specified"};
  std::string text;
  text += boundary.saturation == ContractBoundary::Saturation::Clamp
              ? "- A result beyond the range of its type is clamped.\n"
              : std::string("- A result beyond the largest value ") +
                    overflows[static_cast<size_t>(boundary.overflow)] + ".\n";
  text += std::string("- Rounding of the last step: ") + roundings[static_cast<size_t>(boundary.rounding)] + ".\n";
  text += std::string("- ") + nans[static_cast<size_t>(boundary.nan)] + ".\n";
  text += boundary.empty == ContractBoundary::Empty::Allowed
              ? "- Tensors without elements are taken; the launch does nothing.\n"
              : "- Tensors without elements are refused.\n";
  return text;
}

static std::string precisionText(const Contract &contract) {
  std::string text = "| type | ulp | plus ulp of | absolute | mean relative | max relative |\n"
                     "|---|---|---|---|---|---|\n";
  auto number = [](std::optional<double> value) { return value ? pythonReal(*value) : ""; };
  for (const ContractTolerance &ordinary : contract.precision.tolerances) {
    // The tolerances for the chip apply, since the package runs there.
    const ContractTolerance &tolerance = *contract.precision.findOfChip(ordinary.type);
    text += "| " + std::string(elementTypeName(tolerance.type)) + " | " + number(tolerance.maxUlp) + " | " +
            joined(tolerance.plusUlpOf, code) + " | " + number(tolerance.absolute) + " | " +
            number(tolerance.meanRelative) + " | " + number(tolerance.maxRelative) + " |\n";
  }
  return text;
}

std::string docsText(const HostOperator &op) {
  const Contract &contract = *op.contract;
  std::string text = "# " + contract.opType + " " + contract.version + "\n\n" + prose(contract.summary) + ".\n\n";
  if (!op.writtenAs.empty())
    text += "Written as " + op.writtenAs + " and renamed for this package.\n\n";
  text += "| tensor | | shape | types, row by row | formats | |\n|---|---|---|---|---|---|\n";
  auto row = [&](const ContractTensor &tensor, const char *kind, const std::string &notes) {
    std::string shape = tensor.isReduced() ? "reduces " + tensor.reduces->input : printShape(tensor.shape);
    text += "| " + code(tensor.name) + " | " + kind + " | " + code(shape) + " | " +
            joined(tensor.types, [](ElementType type) { return std::string(elementTypeName(type)); }) + " | " +
            joined(tensor.formats, [](const std::string &format) { return format; }) + " | " + prose(tensor.summary) +
            notes + " |\n";
  };
  for (const ContractTensor &input : contract.inputs)
    row(input, input.required ? "input" : "optional input",
        input.broadcast == Broadcast::None ? "" : " (broadcasts: " + std::string(broadcastName(input.broadcast)) + ")");
  for (const ContractTensor &output : contract.outputs)
    row(output, "output", "");
  if (!contract.attributes.empty()) {
    text += "\n| attribute | type | default | values | bound at | |\n|---|---|---|---|---|---|\n";
    for (const ContractAttribute &attribute : contract.attributes)
      text += "| " + code(attribute.name) + " | " + std::string(attributeTypeName(attribute.type)) + " | " +
              prose(pythonValue(attribute.defaultValue)) + " | " + rangeText(attribute) + " | " +
              std::string(bindingName(attribute.binding)) + " | " + prose(attribute.summary) + " |\n";
  }
  text += "\n## Edges\n\n" + boundaryText(contract.boundary);
  text += "\n## Precision\n\nComputed in " +
          (contract.precision.compute ? std::string(elementTypeName(*contract.precision.compute))
                                      : std::string("the type that is stored")) +
          "; held to a float64 reference within\n\n" + precisionText(contract);
  text += "\n## Kernels\n\n| kernel | tiling key | type row |\n|---|---|---|\n";
  for (const HostKernel &kernel : op.kernels)
    text += "| " + code(kernel.name) + " | " + std::to_string(kernel.tilingKey) + " | " +
            contract.typeRowName(kernel.typeRow) + " |\n";
  text += "\n## Calling it\n\n- C: `aclnn" + contract.opType + "GetWorkspaceSize`, then `aclnn" + contract.opType +
          "` (aclnn_" + contract.name + ".h).\n- ONNX: node `" + contract.opType + "` of domain `" + op.vendor +
          "`, or left in the default domain" + (inputsPickRows(contract) ? "" : "; `to` says the type of the output") +
          ".\n- MindSpore: the cell in `" + contract.name +
          "_mindspore.py`.\n- Here: `opc run` with the op folder of this package.\n";
  return text;
}

} // namespace opc::host
