#include "lowering/graph/HostCalls.h"

#include "dialect/aicore/Tiles.h"

using namespace mlir;

namespace opc::graph {

HostForm hostFormOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return {aicore::elementTypeOf(type.getElementType()).value_or(ElementType::Float32), type.getShape().vec()};
}

std::optional<HostCall> hostCallOf(StringRef function, ValueRange operands, DictionaryAttr parameters) {
  std::optional<HostFunction> known = hostFunctionByName({function.data(), function.size()});
  if (!known)
    return std::nullopt;
  HostCall call;
  call.function = *known;
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    const bool isAbsent = operand.getDefiningOp<AbsentOp>() != nullptr;
    if (!isAbsent && (!type || !type.hasStaticShape() || !aicore::elementTypeOf(type.getElementType())))
      return std::nullopt;
    call.operands.push_back(isAbsent ? std::nullopt : std::optional(hostFormOf(operand)));
  }
  if (parameters)
    for (NamedAttribute own : parameters) {
      auto number = dyn_cast<IntegerAttr>(own.getValue());
      if (!number)
        return std::nullopt;
      call.attributes.emplace_back(own.getName().str(), std::to_string(number.getInt()));
    }
  return call;
}

std::optional<HostCall> hostCallOf(HostOp host) {
  return hostCallOf(host.getFunction(), host.getOperands(), host.getParametersAttr());
}

} // namespace opc::graph
