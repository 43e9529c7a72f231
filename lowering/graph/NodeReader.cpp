#include "lowering/graph/NodeReader.h"

#include "lowering/graph/NodeFacts.h"

#include <algorithm>

using namespace mlir;

namespace opc::graph {

bool NodeReader::has(unsigned number) {
  return number < node.getNumOperands() && !node.getOperand(number).getDefiningOp<AbsentOp>();
}

RankedTensorType NodeReader::typeOf(unsigned number) {
  return has(number) ? dyn_cast<RankedTensorType>(node.getOperand(number).getType()) : RankedTensorType();
}

Attribute NodeReader::parameter(StringRef name) {
  DictionaryAttr parameters = node.getParametersAttr();
  return parameters ? parameters.get(name) : Attribute();
}

std::optional<int64_t> NodeReader::given(StringRef name, std::optional<int64_t> otherwise) {
  Attribute attribute = parameter(name);
  auto value = dyn_cast_or_null<IntegerAttr>(attribute);
  return value ? std::optional(value.getInt()) : attribute ? std::nullopt : otherwise;
}

int64_t NodeReader::integer(StringRef name, int64_t otherwise) {
  return given(name, otherwise).value_or(otherwise);
}

std::optional<NodeReader::Shape> NodeReader::list(StringRef name, unsigned number) {
  if (auto attribute = dyn_cast_or_null<DenseI64ArrayAttr>(parameter(name)))
    return Shape(attribute.asArrayRef());
  return has(number) ? integersOf(constantOf(node.getOperand(number))) : std::nullopt;
}

std::optional<size_t> NodeReader::place(std::optional<int64_t> axis, int64_t rank) {
  if (!axis || *axis < -rank || *axis >= rank)
    return std::nullopt;
  return static_cast<size_t>(*axis < 0 ? *axis + rank : *axis);
}

std::optional<NodeReader::Shape> NodeReader::splitSizes(int64_t size) {
  const auto parts = static_cast<int64_t>(node.getNumResults());
  std::optional<Shape> sizes = list("split", 1);
  if (!sizes) {
    if (parts == 0 || has(1) || parameter("split") || (!parameter("num_outputs") && size % parts != 0) ||
        given("num_outputs", parts) != parts)
      return std::nullopt;
    const int64_t each = (size + parts - 1) / parts;
    sizes.emplace();
    for (int64_t i = 0; i < parts; ++i)
      sizes->push_back(std::clamp<int64_t>(size - i * each, 0, each));
  }
  if (static_cast<int64_t>(sizes->size()) != parts)
    return std::nullopt;
  int64_t left = size;
  for (int64_t each : *sizes) {
    if (each < 1 || each > left)
      return std::nullopt;
    left -= each;
  }
  return left == 0 ? sizes : std::nullopt;
}

} // namespace opc::graph
