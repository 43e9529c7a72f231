#include "tools/opc/source/host/SourceContract.h"

#include <set>

namespace opc::tool {

ContractTolerance defaultTolerance(ElementType type) {
  ContractTolerance tolerance;
  tolerance.type = type;
  tolerance.maxUlp = 0; // integers are equal
  if (type != ElementType::Float32 && type != ElementType::Float16 && type != ElementType::BFloat16 &&
      type != ElementType::Float64)
    return tolerance;
  tolerance.maxUlp = type == ElementType::Float32 ? 840 : 2; // a relative 1e-4; 1e-3 for float16, 4e-3 for bfloat16
  tolerance.absolute = type == ElementType::Float32 ? 1e-4 : type == ElementType::BFloat16 ? 4e-3 : 1e-3;
  return tolerance;
}

std::optional<Contract> contractOf(const HostOperator &op, Diagnostics &diagnostics) {
  if (op.manifest.inputs.empty()) {
    diagnostics.error(Code::E0805, op.location,
                      "operator '" + printable(op.manifest.opType) + "' has no inputs, and a contract expects one",
                      "ascendc_c25", "'opc run --source' runs it");
    return std::nullopt;
  }
  Contract contract;
  contract.directory = ".";
  contract.opType = op.manifest.opType;
  contract.name = op.manifest.name;
  contract.location = op.location;
  contract.boundary.nan = ContractBoundary::Nan::Reference;
  auto convert = [](const ManifestTensor &from) {
    ContractTensor tensor;
    tensor.name = from.name;
    tensor.types = from.types;
    tensor.formats.assign(from.types.size(), "ND");
    tensor.required = from.required;
    ContractDim dim;
    dim.kind = ContractDim::Pack;
    dim.name = "S";
    tensor.shape = {dim};
    return tensor;
  };
  for (const ManifestTensor &input : op.manifest.inputs)
    contract.inputs.push_back(convert(input));
  std::set<ElementType> types;
  for (const ManifestTensor &output : op.manifest.outputs) {
    contract.outputs.push_back(convert(output));
    types.insert(output.types.begin(), output.types.end());
  }
  for (ElementType type : types)
    contract.precision.tolerances.push_back(defaultTolerance(type));
  static constexpr AttributeType kinds[] = {AttributeType::Float,    AttributeType::Int,       AttributeType::Bool,
                                            AttributeType::String,   AttributeType::ListFloat, AttributeType::ListInt,
                                            AttributeType::ListBool, AttributeType::ListString};
  for (const ManifestAttribute &from : op.manifest.attributes) {
    ContractAttribute attribute;
    attribute.name = from.name;
    attribute.type = kinds[from.type];
    attribute.binding = attribute.type <= AttributeType::Bool ? Binding::Launch : Binding::Compile;
    attribute.defaultValue = from.defaultValue;
    contract.attributes.push_back(std::move(attribute));
  }
  return contract;
}

} // namespace opc::tool
