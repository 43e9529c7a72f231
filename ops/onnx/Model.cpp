#include "ops/onnx/Model.h"

#include <algorithm>

namespace opc::onnx {

std::optional<ElementType> elementTypeOf(int64_t number) {
  switch (number) {
#define OPC_ONNX_TYPE(NUMBER, ENUMERATOR, NAME, BITS)                                                                  \
  case NUMBER:                                                                                                         \
    return ElementType::ENUMERATOR;
#include "ops/onnx/ElementTypes.def"
#undef OPC_ONNX_TYPE
  default:
    return std::nullopt;
  }
}

std::string_view elementTypeName(ElementType type) {
  switch (type) {
#define OPC_ONNX_TYPE(NUMBER, ENUMERATOR, NAME, BITS)                                                                  \
  case ElementType::ENUMERATOR:                                                                                        \
    return NAME;
#include "ops/onnx/ElementTypes.def"
#undef OPC_ONNX_TYPE
  case ElementType::Undefined:
    break;
  }
  return "undefined";
}

unsigned elementBits(ElementType type) {
  switch (type) {
#define OPC_ONNX_TYPE(NUMBER, ENUMERATOR, NAME, BITS)                                                                  \
  case ElementType::ENUMERATOR:                                                                                        \
    return BITS;
#include "ops/onnx/ElementTypes.def"
#undef OPC_ONNX_TYPE
  case ElementType::Undefined:
    break;
  }
  return 0;
}

std::optional<opc::ElementType> opcType(ElementType type) {
  return parseElementType(elementTypeName(type));
}

ElementType onnxTypeOf(opc::ElementType type) {
  for (int64_t number = 1; std::optional<ElementType> each = elementTypeOf(number); ++number)
    if (opcType(*each) == type)
      return *each;
  return ElementType::Undefined;
}

std::string_view attributeKindName(Attribute::Kind kind) {
  static constexpr std::string_view names[] = {
      "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  return names[kind];
}

std::string_view plainDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

int64_t Tensor::elements() const {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

const Attribute *Node::find(std::string_view name) const {
  auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute &each) { return each.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string Node::qualifiedOp() const {
  return domain.empty() ? std::string(op) : std::string(domain) + "." + std::string(op);
}

int64_t Model::opset(std::string_view domain) const {
  domain = plainDomain(domain);
  for (const OpsetImport &import : opsets)
    if (import.domain == domain)
      return import.version;
  return 0;
}

const Function *Model::findFunction(const Node &node) const {
  auto found = functionIndex.find(std::tuple(node.domain, node.op, node.overload));
  return found == functionIndex.end() ? nullptr : &functions[found->second];
}

static uint64_t bytesOfWeights(const Graph &graph) {
  uint64_t bytes = 0;
  auto add = [&](const Tensor &tensor) {
    bytes += (static_cast<uint64_t>(tensor.elements()) * elementBits(tensor.type) + 7) / 8;
  };
  for (const Tensor &tensor : graph.initializers)
    add(tensor);
  for (const SparseTensor &tensor : graph.sparseInitializers)
    add(tensor.values);
  for (const Node &node : graph.nodes)
    for (const Attribute &attribute : node.attributes) {
      for (const Tensor &tensor : attribute.tensors)
        add(tensor);
      for (const Graph &inner : attribute.graphs)
        bytes += bytesOfWeights(inner);
    }
  return bytes;
}

uint64_t Model::weightBytes() const {
  return bytesOfWeights(graph);
}

} // namespace opc::onnx
