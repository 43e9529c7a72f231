#include "lowering/graph/NodeFacts.h"

#include "dialect/aicore/Tiles.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>

using namespace mlir;

namespace opc::graph {

static std::string_view viewOf(StringRef text) {
  return {text.data(), text.size()};
}

onnx::ElementType onnxElementType(Type type) {
  std::optional<opc::ElementType> known = aicore::elementTypeOf(type);
  return known ? onnx::onnxTypeOf(*known) : onnx::ElementType::Undefined;
}

ConstantBytes::ConstantBytes(ElementsAttr elements) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      view = StringRef(blob->getData().data(), blob->getData().size());
    return;
  }
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements);
  if (!dense)
    return;
  int64_t count = dense.getNumElements();
  if (dense.getElementType().isInteger(1)) {
    for (bool value : dense.getValues<bool>())
      owned.push_back(value ? 1 : 0);
    return;
  }
  ArrayRef<char> raw = dense.getRawData();
  for (int64_t i = 0; i < (dense.isSplat() ? count : 1); ++i)
    owned.append(raw.data(), raw.size());
}

ElementsAttr constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
  if (!isa_and_nonnull<DenseResourceElementsAttr>(elements))
    return elements;
  std::optional<opc::ElementType> type = aicore::elementTypeOf(elements.getElementType());
  const bool whole =
      type && ConstantBytes(elements).get().size() == size_t(elements.getNumElements()) * elementSize(*type);
  return whole ? elements : ElementsAttr();
}

std::string describe(NodeOp node) {
  std::string op = node.getDomain() ? (node.getDomain()->str() + "." + node.getOp().str()) : node.getOp().str();
  std::string name = node.getName() && !node.getName()->empty() ? "'" + node.getName()->str() + "'" : "a node";
  return name + " (" + op + ")";
}

onnx::Tensor NodeFacts::tensorOf(ElementsAttr elements) {
  onnx::Tensor tensor;
  auto type = elements.getShapedType();
  tensor.type = onnxElementType(type.getElementType());
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  // Matching only reads short lists; a repeated number is not expanded for it.
  constexpr int64_t kMostRead = 4096;
  if (elements.isSplat() && elements.getNumElements() > kMostRead)
    return tensor;
  bytes.emplace_back(elements);
  tensor.bytes = viewOf(bytes.back().get());
  return tensor;
}

std::optional<SmallVector<int64_t>> integersOf(ElementsAttr elements) {
  constexpr int64_t kMost = 4096;
  if (!elements || !elements.getShapedType().hasStaticShape() || elements.getShapedType().getNumElements() > kMost)
    return std::nullopt;
  Type element = elements.getShapedType().getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() > 64 || (integer.getWidth() != 1 && integer.getWidth() % 8 != 0))
    return std::nullopt;
  ConstantBytes bytes(elements);
  size_t size = integer.getWidth() == 1 ? 1 : integer.getWidth() / 8;
  auto count = static_cast<size_t>(elements.getShapedType().getNumElements());
  if (bytes.get().size() != count * size)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.get().data() + i * size, size);
    unsigned unused = 64 - static_cast<unsigned>(size) * 8;
    bool isSigned = !integer.isUnsigned() && integer.getWidth() != 1;
    values.push_back(isSigned ? static_cast<int64_t>(value << unused) >> unused : static_cast<int64_t>(value));
  }
  return values;
}

onnx::Fact NodeFacts::factOf(Value value) {
  onnx::Fact fact;
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type)
    return fact;
  fact.type = onnxElementType(type.getElementType());
  if (auto ranked = dyn_cast<RankedTensorType>(type)) {
    fact.shape.emplace();
    for (int64_t size : ranked.getShape())
      fact.shape->push_back(ShapedType::isDynamic(size) ? onnx::Dim() : onnx::Dim{size, {}});
  }
  if (ElementsAttr elements = constantOf(value)) {
    const onnx::Tensor *&tensor = known[elements];
    if (!tensor) {
      tensors.push_back(tensorOf(elements));
      tensor = &tensors.back();
    }
    fact.constant = tensor;
  }
  return fact;
}

onnx::Node NodeFacts::nodeOf(NodeOp op) {
  onnx::Node node;
  node.name = viewOf(op.getName().value_or(""));
  node.op = viewOf(op.getOp());
  StringRef domain = op.getDomain().value_or("");
  node.domain = viewOf(domain == "ai.onnx" ? "" : domain);
  for (Value operand : op.getOperands())
    node.inputs.push_back(operand.getDefiningOp<AbsentOp>() ? "" : "given");
  for (Attribute name : op.getResultNames())
    node.outputs.push_back(viewOf(cast<StringAttr>(name).getValue()));
  if (!op.getParametersAttr())
    return node;
  for (NamedAttribute own : op.getParametersAttr())
    node.attributes.push_back(attributeOf(own));
  return node;
}

onnx::Attribute NodeFacts::attributeOf(NamedAttribute own) {
  onnx::Attribute attribute;
  attribute.name = viewOf(own.getName());
  Attribute value = own.getValue();
  if (auto real = dyn_cast<FloatAttr>(value)) {
    attribute.kind = onnx::Attribute::Float;
    attribute.floats = {static_cast<float>(real.getValueAsDouble())};
  } else if (auto whole = dyn_cast<IntegerAttr>(value)) {
    attribute.kind = onnx::Attribute::Int;
    attribute.ints = {whole.getInt()};
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    attribute.kind = onnx::Attribute::String;
    attribute.strings = {viewOf(text.getValue())};
  } else if (auto reals = dyn_cast<DenseF32ArrayAttr>(value)) {
    attribute.kind = onnx::Attribute::Floats;
    attribute.floats.assign(reals.asArrayRef().begin(), reals.asArrayRef().end());
  } else if (auto wholes = dyn_cast<DenseI64ArrayAttr>(value)) {
    attribute.kind = onnx::Attribute::Ints;
    attribute.ints.assign(wholes.asArrayRef().begin(), wholes.asArrayRef().end());
  } else if (auto reference = dyn_cast<ReferenceAttr>(value)) {
    attribute.reference = viewOf(reference.getName().getValue());
  } else if (auto elements = dyn_cast<ElementsAttr>(value)) {
    attribute.kind = onnx::Attribute::TensorValue;
    attribute.tensors.push_back(tensorOf(elements));
  }
  return attribute;
}

//===----------------------------------------------------------------------===//
// Reading one node
//===----------------------------------------------------------------------===//

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

std::optional<NodeReader::Shape> NodeReader::axes(StringRef name, unsigned number, int64_t count) {
  std::optional<Shape> listed = list(name, number);
  if (listed || has(number))
    return listed;
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
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
    if (each < 0 || each > left)
      return std::nullopt;
    left -= each;
  }
  return left == 0 ? sizes : std::nullopt;
}

} // namespace opc::graph
