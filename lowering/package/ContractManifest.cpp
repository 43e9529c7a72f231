// Symbols are in the order in which shapes mention them, followed by those that only equations use.

#include "lowering/package/ContractManifest.h"

#include "ops/contract/Rules.h"
#include "ops/contract/Shapes.h"

#include <algorithm>

using namespace opc;

static ManifestTensor tensorOf(const ContractTensor &tensor) {
  ManifestTensor result;
  result.name = tensor.name;
  result.types = tensor.types;
  result.formats = tensor.formats;
  result.required = tensor.required;
  result.isConstant = tensor.isConstant;
  result.broadcast = static_cast<ManifestTensor::Broadcast>(tensor.broadcast);
  if (tensor.reduces)
    result.reduces = {tensor.reduces->input, tensor.reduces->axes, tensor.reduces->keepDims};
  if (tensor.values && tensor.values->refuses)
    result.values = {tensor.values->along, tensor.values->fromEnd};
  for (const ContractDim &dim : tensor.shape)
    result.shape.push_back({static_cast<ManifestDim::Kind>(dim.kind), dim.name, dim.size});
  return result;
}

// Kinds are converted by their number. Every enumerator is checked, since an exchange in the middle would not change
// the last.
template <typename A, typename B> static constexpr bool sameNumber(A a, B b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
static_assert(sameNumber(ManifestDim::Symbol, ContractDim::Symbol));
static_assert(sameNumber(ManifestDim::Fixed, ContractDim::Fixed));
static_assert(sameNumber(ManifestDim::Pack, ContractDim::Pack));
static_assert(sameNumber(ManifestTensor::None, Broadcast::None));
static_assert(sameNumber(ManifestTensor::Numpy, Broadcast::Numpy));
static_assert(sameNumber(ManifestTensor::Scalar, Broadcast::Scalar));
static_assert(sameNumber(ManifestTensor::Batch, Broadcast::Batch));
static_assert(sameNumber(ManifestAttribute::Float, AttributeType::Float));
static_assert(sameNumber(ManifestAttribute::Int, AttributeType::Int));
static_assert(sameNumber(ManifestAttribute::Bool, AttributeType::Bool));
static_assert(sameNumber(ManifestAttribute::String, AttributeType::String));
static_assert(sameNumber(ManifestAttribute::ListFloat, AttributeType::ListFloat));
static_assert(sameNumber(ManifestAttribute::ListInt, AttributeType::ListInt));
static_assert(sameNumber(ManifestAttribute::ListBool, AttributeType::ListBool));
static_assert(sameNumber(ManifestAttribute::ListString, AttributeType::ListString));
static_assert(sameNumber(ManifestAttribute::Compile, Binding::Compile));
static_assert(sameNumber(ManifestAttribute::Launch, Binding::Launch));
static_assert(sameNumber(ManifestAttribute::Shape, Binding::Shape));
static_assert(kMaxManifestRank == kMaxRank);
static_assert(std::is_same_v<ManifestValue, AttributeValue>);

static ManifestAttribute attributeOf(const ContractAttribute &attribute) {
  ManifestAttribute result;
  result.name = attribute.name;
  result.type = static_cast<ManifestAttribute::Type>(attribute.type);
  result.bind = static_cast<ManifestAttribute::Bind>(attribute.binding);
  result.defaultValue = attribute.defaultValue;
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
  for (const auto *tensors : {&contract.inputs, &contract.outputs, &contract.workspace})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape)
        if (dim.kind != ContractDim::Fixed)
          symbolNamed(manifest, dim.name);
  const std::string label = ruleLabel(ContractRule::DimensionBounds);
  for (const ContractDimension &dimension : contract.dimensions) {
    ManifestSymbol &symbol = symbolNamed(manifest, dimension.name);
    symbol.minimum = dimension.minimum;
    symbol.maximum = dimension.maximum;
    symbol.minimumRank = dimension.minimumRank;
    symbol.maximumRank = dimension.maximumRank;
    symbol.label = label;
  }
  for (const SizeEquation &equation : equationsOf(contract)) {
    SizeCode code = compileSize(equation.value);
    for (const std::string &input : code.inputs)
      symbolNamed(manifest, input);
    ManifestSymbol &symbol = symbolNamed(manifest, equation.name);
    symbol.inputs = code.inputs;
    symbol.numRegisters = code.numRegisters;
    symbol.code = code.code;
    symbol.label = label;
  }
}

/// Replaces the shape pattern by a fixed shape: nothing is left to broadcast or to bind.
static void fixShape(ManifestTensor &tensor, const StaticShapes &shapes) {
  auto shape = shapes.find(tensor.name);
  if (shape == shapes.end())
    return;
  tensor.broadcast = ManifestTensor::None;
  tensor.shape.clear();
  for (int64_t size : shape->second)
    tensor.shape.push_back({ManifestDim::Fixed, "", size});
}

/// The size of a dimension of an input with this name; 0 if there is none.
static int64_t sizeAlong(const Contract &contract, const StaticShapes &shapes, const std::string &along) {
  for (const ContractTensor &input : contract.inputs) {
    auto known = shapes.find(input.name);
    if (known == shapes.end() || input.broadcast != Broadcast::None)
      continue;
    bool isBehindPack = false;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      isBehindPack |= input.shape[i].kind == ContractDim::Pack;
      if (input.shape[i].kind == ContractDim::Symbol && input.shape[i].name == along)
        return known->second[isBehindPack ? i + known->second.size() - input.shape.size() : i];
    }
  }
  return 0;
}

void opc::fillFromContract(const Contract &contract, const StaticShapes &shapes, Manifest &manifest) {
  manifest.opType = contract.opType;
  manifest.name = contract.name;
  manifest.version = contract.version;
  manifest.refusesEmpty = contract.boundary.empty == ContractBoundary::Empty::Refused;
  for (const ContractTensor &input : contract.inputs)
    manifest.inputs.push_back(tensorOf(input));
  for (const ContractTensor &output : contract.outputs)
    manifest.outputs.push_back(tensorOf(output));
  for (const ContractTensor &tensor : contract.workspace)
    manifest.workspace.push_back(tensorOf(tensor));
  for (const ContractAttribute &attribute : contract.attributes)
    manifest.attributes.push_back(attributeOf(attribute));
  manifest.isStatic = !shapes.empty();
  if (!manifest.isStatic)
    return fillSymbols(contract, manifest);
  for (auto *tensors : {&manifest.inputs, &manifest.outputs, &manifest.workspace})
    for (ManifestTensor &tensor : *tensors)
      if (!tensor.reduces || !tensor.shape.empty())
        fixShape(tensor, shapes);
  for (ManifestTensor &input : manifest.inputs)
    if (input.values)
      input.values->size = sizeAlong(contract, shapes, input.values->along);
}
