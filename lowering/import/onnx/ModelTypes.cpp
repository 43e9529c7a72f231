#include "lowering/import/onnx/ModelTypes.h"

#include "dialect/graph/GraphDialect.h"
#include "ops/onnx/TensorData.h"
#include "runtime/program/format/Sha256.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace opc {

/// Maximum number of elements of a constant that is written out.
static constexpr int64_t kMostInline = 16;

StringAttr textOf(std::string_view text, MLIRContext *context) {
  return StringAttr::get(context, StringRef(text.data(), text.size()));
}

Type elementType(onnx::ElementType type, MLIRContext *context) {
  auto integer = [&](unsigned bits, bool isUnsigned = false) {
    return IntegerType::get(context, bits, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  using E = onnx::ElementType;
  switch (type) {
  case E::Undefined:
    return graph::UnknownType::get(context);
  case E::Float32:
    return Float32Type::get(context);
  case E::Float64:
    return Float64Type::get(context);
  case E::Float16:
    return Float16Type::get(context);
  case E::BFloat16:
    return BFloat16Type::get(context);
  case E::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case E::Float8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case E::Float8E5M2:
    return Float8E5M2Type::get(context);
  case E::Float8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case E::Float8E8M0:
    return Float8E8M0FNUType::get(context);
  case E::Float4E2M1:
    return Float4E2M1FNType::get(context);
  case E::Float6E2M3:
    return Float6E2M3FNType::get(context);
  case E::Float6E3M2:
    return Float6E3M2FNType::get(context);
  case E::Complex64:
    return ComplexType::get(Float32Type::get(context));
  case E::Complex128:
    return ComplexType::get(Float64Type::get(context));
  case E::String:
    return graph::StringType::get(context);
  case E::Bool:
    return integer(1);
  case E::Int2:
  case E::Int4:
  case E::Int8:
  case E::Int16:
  case E::Int32:
  case E::Int64:
    return integer(onnx::elementBits(type));
  case E::UInt2:
  case E::UInt4:
  case E::UInt8:
  case E::UInt16:
  case E::UInt32:
  case E::UInt64:
    return integer(onnx::elementBits(type), /*isUnsigned=*/true);
  }
  return graph::UnknownType::get(context);
}

static Type tensorType(const onnx::Type &type, MLIRContext *context) {
  Type element = elementType(type.element, context);
  if (!type.hasRank)
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool anyName = false;
  for (const onnx::Dim &dim : type.shape) {
    shape.push_back(dim.size.value_or(ShapedType::kDynamic));
    names.push_back(textOf(dim.size ? std::string_view() : dim.symbol, context));
    anyName |= !names.back().empty();
  }
  return RankedTensorType::get(shape, element, anyName ? graph::DimsAttr::get(context, names) : Attribute());
}

Type valueType(const onnx::Type &type, MLIRContext *context) {
  auto inner = [&]() -> Type {
    return type.inner ? valueType(*type.inner, context) : graph::UnknownType::get(context);
  };
  switch (type.kind) {
  case onnx::Type::Tensor:
    // Neither a type nor a rank is known.
    if (type.element == onnx::ElementType::Undefined && !type.hasRank)
      return graph::UnknownType::get(context);
    return tensorType(type, context);
  case onnx::Type::SparseTensor:
    return graph::SparseTensorType::get(context, tensorType(type, context));
  case onnx::Type::Sequence:
    return graph::SequenceType::get(context, inner());
  case onnx::Type::Optional:
    return graph::OptionalType::get(context, inner());
  case onnx::Type::Map:
    return graph::MapType::get(context, elementType(type.element, context), inner());
  case onnx::Type::Opaque:
    return graph::OpaqueType::get(context, textOf(type.domain, context), textOf(type.name, context));
  }
  return graph::UnknownType::get(context);
}

Type valueType(const std::optional<onnx::Type> &type, MLIRContext *context) {
  return type ? valueType(*type, context) : Type(graph::UnknownType::get(context));
}

/// A constant that is written out.
static ElementsAttr smallElements(RankedTensorType type, const onnx::Tensor &tensor, StringRef bytes) {
  if (tensor.type == onnx::ElementType::String) {
    std::vector<StringRef> texts;
    for (std::string_view text : tensorStrings(tensor))
      texts.emplace_back(text.data(), text.size());
    return DenseStringElementsAttr::get(type, texts);
  }
  if (tensor.type == onnx::ElementType::Bool) {
    SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, ArrayRef<char>(bytes.data(), bytes.size()));
}

std::string Constants::hashOf(const onnx::TensorBytes &bytes) {
  auto compute = [&] { return sha256(bytes.get()).substr(0, 16); };
  if (!hashes || !bytes.isMapped())
    return compute();
  auto [hash, isNew] = hashes->try_emplace({bytes.get().data(), bytes.get().size()});
  if (isNew)
    hash->second = compute();
  return hash->second;
}

ElementsAttr Constants::elements(const onnx::Tensor &tensor) {
  auto type = RankedTensorType::get(tensor.shape, elementType(tensor.type, context));
  int64_t count = tensor.elements();
  bool isString = tensor.type == onnx::ElementType::String;
  bool isWhole = onnx::elementBits(tensor.type) >= 8;
  onnx::TensorBytes bytes = tensorBytes(model, tensor);
  StringRef view(bytes.get().data(), bytes.get().size());
  // Strings have no bytes for a resource.
  if (isString || (count > 0 && count <= kMostInline && isWhole))
    return smallElements(type, tensor, view);
  const std::string hash = hashOf(bytes);
  auto known = resources.find(hash);
  if (known == resources.end()) {
    ArrayRef<char> data(view.data(), view.size());
    AsmResourceBlob blob = bytes.isMapped() ? UnmanagedAsmResourceBlob::allocateWithAlign(data, /*align=*/1)
                                            : HeapAsmResourceBlob::allocateAndCopyWithAlign(data, /*align=*/1);
    DenseResourceElementsAttr made = DenseResourceElementsAttr::get(type, "w" + hash, std::move(blob));
    resources.try_emplace(hash, made.getRawHandle());
    return made;
  }
  return DenseResourceElementsAttr::get(type, known->second);
}

Attribute Constants::sparse(const onnx::SparseTensor &tensor) {
  return graph::SparseAttr::get(context, elements(tensor.values), elements(tensor.indices),
                                RankedTensorType::get(tensor.shape, elementType(tensor.values.type, context)));
}

} // namespace opc
