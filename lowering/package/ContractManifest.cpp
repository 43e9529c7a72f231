// Symbols come in the order in which shapes name them, then those that only equations use.

#include "lowering/package/ContractManifest.h"

#include "ops/contract/Rules.h"
#include "ops/contract/Shapes.h"

#include <algorithm>

using namespace opc;

static void refuse(Diagnostics &diagnostics, const Location &where, const std::string &found) {
  diagnostics.error(Code::E0390, where,
                    "expects what op folders can say: inputs of their declared shapes, outputs "
                    "with a shape, attributes "
                    "without lists; found " +
                        found,
                    "package_c1");
}

static ManifestTensor tensorOf(const ContractTensor &tensor) {
  ManifestTensor result;
  result.name = tensor.name;
  result.types = tensor.types;
  result.formats = tensor.formats;
  result.required = tensor.required;
  for (const ContractDim &dim : tensor.shape)
    result.shape.push_back({static_cast<ManifestDim::Kind>(dim.kind), dim.name, dim.size});
  return result;
}

static_assert(static_cast<int>(ManifestDim::Pack) == static_cast<int>(ContractDim::Pack));
static_assert(static_cast<int>(ManifestAttribute::String) ==
              static_cast<int>(AttributeType::String));

static ManifestAttribute attributeOf(const ContractAttribute &attribute) {
  ManifestAttribute result;
  result.name = attribute.name;
  result.type = static_cast<ManifestAttribute::Type>(attribute.type);
  result.launch = attribute.binding == Binding::Launch;
  if (const auto *real = std::get_if<double>(&attribute.defaultValue))
    result.defaultValue = *real;
  else if (const auto *integer = std::get_if<int64_t>(&attribute.defaultValue))
    result.defaultValue = *integer;
  else if (const auto *truth = std::get_if<bool>(&attribute.defaultValue))
    result.defaultValue = *truth;
  else if (const auto *text = std::get_if<std::string>(&attribute.defaultValue))
    result.defaultValue = *text;
  result.minimum = attribute.minimum;
  result.maximum = attribute.maximum;
  return result;
}

static ManifestSymbol &symbolNamed(Manifest &manifest, const std::string &name) {
  auto found = std::find_if(manifest.symbols.begin(), manifest.symbols.end(),
                            [&name](const ManifestSymbol &symbol) { return symbol.name == name; });
  if (found != manifest.symbols.end())
    return *found;
  manifest.symbols.emplace_back();
  manifest.symbols.back().name = name;
  return manifest.symbols.back();
}

static void fillSymbols(const Contract &contract, Manifest &manifest) {
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape)
        if (dim.kind != ContractDim::Fixed)
          symbolNamed(manifest, dim.name);
  for (const ContractDimension &dimension : contract.dimensions) {
    ManifestSymbol &symbol = symbolNamed(manifest, dimension.name);
    symbol.minimum = dimension.minimum;
    symbol.maximum = dimension.maximum;
    symbol.label = ruleLabel(ContractRule::DimensionBounds);
    if (!dimension.equals)
      continue;
    SizeCode code = compileSize(*dimension.equals);
    symbol.inputs = code.inputs;
    symbol.numRegisters = code.numRegisters;
    symbol.code = code.code;
    for (const std::string &input : code.inputs)
      symbolNamed(manifest, input);
  }
}

/// Inputs without elements, where the contract refuses them: a size is at least 1, which every
/// launch checks.
static void refuseEmpty(const Contract &contract, Manifest &manifest) {
  if (contract.boundary.empty == ContractBoundary::Empty::Allowed)
    return;
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape) {
      if (dim.kind == ContractDim::Fixed)
        continue;
      ManifestSymbol &symbol = symbolNamed(manifest, dim.name);
      if (symbol.minimum >= 1)
        continue;
      symbol.minimum = 1;
      symbol.label = ruleLabel(ContractRule::Boundary);
    }
}

bool opc::fillFromContract(const Contract &contract, Manifest &manifest, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  manifest.opType = contract.opType;
  manifest.name = contract.name;
  manifest.version = contract.version;
  for (const ContractTensor &input : contract.inputs) {
    if (input.broadcast != Broadcast::None)
      refuse(diagnostics, input.location, "that input '" + input.name + "' broadcasts");
    manifest.inputs.push_back(tensorOf(input));
  }
  for (const ContractTensor &output : contract.outputs) {
    if (output.reduces)
      refuse(diagnostics, output.location, "that output '" + output.name + "' reduces an input");
    manifest.outputs.push_back(tensorOf(output));
  }
  for (const ContractAttribute &attribute : contract.attributes) {
    if (attribute.type > AttributeType::String)
      refuse(diagnostics, attribute.location, "that attribute '" + attribute.name + "' is a list");
    else
      manifest.attributes.push_back(attributeOf(attribute));
  }
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.isPack && (dimension.minimumRank != 0 || dimension.maximumRank != kMaxRank))
      refuse(diagnostics, dimension.location,
             "that the length of '..." + dimension.name + "' is bounded");
  fillSymbols(contract, manifest);
  refuseEmpty(contract, manifest);
  return diagnostics.errorCount() == before;
}
