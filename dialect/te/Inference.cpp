#include "dialect/te/Inference.h"

#include "dialect/te/Axes.h"
#include "dialect/te/TeOps.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace opc::te {

bool isNumberType(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return (width == 1 && integer.isSignless()) || width == 8 || width == 16 || width == 32 || width == 64;
}

bool isValueType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return (!tensor.getEncoding() || isOfEach(type)) && isNumberType(tensor.getElementType());
  return isNumberType(type);
}

bool isOfEach(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<EachAttr>(tensor.getEncoding());
}

Type elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

/// Reports in the form of emitOpError: "'te.add' op [value_c1] expects ...".
template <typename... Args>
static LogicalResult report(std::optional<Location> location, StringRef op, StringRef label, Args &&...args) {
  return emitOptionalError(location, "'", op, "' op [", label, "] ", std::forward<Args>(args)...);
}

static std::string kindName(Type element) {
  if (element.isInteger(1))
    return "truth values";
  return isa<FloatType>(element) ? "floats" : "integers";
}

static LogicalResult checkKinds(std::optional<Location> location, StringRef op, Type element, Kinds kinds) {
  if (kinds == Kinds::kFloats && !isa<FloatType>(element))
    return report(location, op, "value_c4", "is defined for floats, found ", element);
  if (kinds == Kinds::kTruths && !element.isInteger(1))
    return report(location, op, "value_c4", "is defined for truth values (i1), found ", element);
  if (kinds == Kinds::kNumbers && element.isInteger(1))
    return report(location, op, "value_c4", "is defined for numbers, found truth values (i1)");
  if (kinds == Kinds::kTruths && !element.isInteger(1))
    return report(location, op, "value_c4", "is defined for truth values (i1), found ", element);
  return success();
}

/// Checks value_c1, and fold_c2 if `takesEach` is false.
static LogicalResult checkValues(std::optional<Location> location, StringRef op, ValueRange operands,
                                 bool takesEach = false) {
  for (auto [index, operand] : llvm::enumerate(operands))
    if (!isValueType(operand.getType()))
      return report(location, op, "value_c1", "expects ranked tensors and scalars of numbers; operand ", index, " is ",
                    operand.getType());
    else if (!takesEach && isOfEach(operand.getType()))
      return report(location, op, "fold_c2", "expects one tensor; operand ", index,
                    " stands for each of an input that has a count");
  return success();
}

/// The type of one of the tensors that a value represents.
static Type oneOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(RankedTensorType::get(tensor.getShape(), tensor.getElementType())) : type;
}

/// The encoding of results: that of an operand that represents several tensors.
static Attribute encodingOf(ValueRange operands) {
  for (Value operand : operands)
    if (isOfEach(operand.getType()))
      return cast<RankedTensorType>(operand.getType()).getEncoding();
  return {};
}

/// Checks value_c2, and constant_c1 for integer constants among tensors.
static LogicalResult checkElements(std::optional<Location> location, StringRef op, ValueRange operands) {
  Type ofTensors, first;
  for (Value operand : operands) {
    Type element = elementOf(operand.getType());
    if (first && kindName(first) != kindName(element))
      return report(location, op, "value_c2", "expects operands of one kind, found ", kindName(first), " (", first,
                    ") and ", kindName(element), " (", element, ")");
    first = first ? first : element;
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (ofTensors && ofTensors != element)
      return report(location, op, "value_c2", "expects tensors of one element type, found ", ofTensors, " and ",
                    element);
    ofTensors = element;
  }
  // An integer constant takes the element type of the tensors; one that does not fit would wrap.
  for (Value operand : operands)
    if (auto constant = operand.getDefiningOp<ConstantOp>(); constant && isa_and_nonnull<IntegerType>(ofTensors))
      if (std::string wrong = wrongConstant(constant.getValue(), ofTensors); !wrong.empty())
        return report(location, op, "constant_c1", wrong, ", the type of the tensor beside it");
  return success();
}

Type commonElement(ValueRange operands) {
  Type ofScalars;
  for (Value operand : operands) {
    if (auto tensor = dyn_cast<RankedTensorType>(operand.getType()))
      return tensor.getElementType();
    Type type = operand.getType();
    if (!ofScalars || ofScalars == type)
      ofScalars = type;
    else
      ofScalars = isa<FloatType>(type) ? Type(Float32Type::get(type.getContext()))
                                       : Type(IntegerType::get(type.getContext(), 64));
  }
  return ofScalars;
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [index, size] : llvm::enumerate(shape))
    text += (index ? ", " : "") + (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return text + "]";
}

/// The broadcast shape by value_c3; nullopt where all operands are scalars.
static FailureOr<std::optional<SmallVector<int64_t>>> commonShape(std::optional<Location> location, StringRef op,
                                                                  TypeRange operands) {
  std::optional<SmallVector<int64_t>> common;
  for (Type operand : operands) {
    auto tensor = dyn_cast<RankedTensorType>(operand);
    if (!tensor)
      continue;
    ArrayRef<int64_t> shape = tensor.getShape();
    if (!common) {
      common = SmallVector<int64_t>(shape);
      continue;
    }
    SmallVector<int64_t> before = *common;
    if (shape.size() > common->size())
      common->insert(common->begin(), shape.size() - common->size(), 1);
    for (size_t back = 1; back <= shape.size(); ++back) {
      int64_t &size = (*common)[common->size() - back];
      int64_t other = shape[shape.size() - back];
      // A dynamic size broadcast with a static size other than 1 becomes the static one.
      if (size == other || other == 1)
        continue;
      if (size == 1 || ShapedType::isDynamic(size)) {
        size = other;
      } else if (!ShapedType::isDynamic(other)) {
        (void)report(location, op, "value_c3", "expects shapes that broadcast, found ", shapeText(before), " and ",
                     shapeText(shape));
        return failure();
      }
    }
  }
  return common;
}

static Type valueType(const std::optional<SmallVector<int64_t>> &shape, Type element, ValueRange operands) {
  return shape ? RankedTensorType::get(*shape, element, encodingOf(operands)) : element;
}

LogicalResult inferElementwise(std::optional<Location> location, StringRef op, ValueRange operands, Kinds kinds,
                               SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, op, operands, /*takesEach=*/true)))
    return failure();
  if (failed(checkElements(location, op, operands)))
    return failure();
  Type element = commonElement(operands);
  if (failed(checkKinds(location, op, element, kinds)))
    return failure();
  auto shape = commonShape(location, op, TypeRange(operands));
  if (failed(shape))
    return failure();
  types.push_back(valueType(*shape, element, operands));
  return success();
}

LogicalResult inferTruth(std::optional<Location> location, StringRef op, ValueRange operands, Kinds kinds,
                         SmallVectorImpl<Type> &types) {
  SmallVector<Type> common;
  if (failed(inferElementwise(location, op, operands, kinds, common)))
    return failure();
  Type truth = IntegerType::get(common.front().getContext(), 1);
  auto tensor = dyn_cast<RankedTensorType>(common.front());
  types.push_back(tensor ? Type(tensor.clone(truth)) : truth);
  return success();
}

LogicalResult inferReduction(std::optional<Location> location, StringRef op, Value operand, ArrayRef<int64_t> axes,
                             bool keep, Kinds kinds, SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, op, operand)))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(operand.getType());
  if (!tensor)
    return report(location, op, "axes_c1", "expects a tensor to reduce, found the scalar ", operand.getType());
  if (failed(checkKinds(location, op, tensor.getElementType(), kinds)))
    return failure();
  if (axes.empty())
    return report(location, op, "axes_c2", "expects at least one axis, found none");
  int64_t rank = tensor.getRank();
  SmallVector<bool> reduced(size_t(rank), false);
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      return report(location, op, "axes_c2", "expects axes from ", -rank, " to ", rank - 1, " in ", tensor, ", found ",
                    axis);
    size_t place = size_t(axis < 0 ? axis + rank : axis);
    if (reduced[place])
      return report(location, op, "axes_c2", "expects each axis once, found ", axis, " again");
    reduced[place] = true;
  }
  const AxisFrame *frame = operand.getContext()->getLoadedDialect<TeDialect>()->axisFrame;
  const bool leavesOnes = keep || (frame && frame->reduces == AxisFrame::Domain);
  SmallVector<int64_t> shape;
  for (auto [index, size] : llvm::enumerate(tensor.getShape()))
    if (!reduced[index] || leavesOnes)
      shape.push_back(reduced[index] ? 1 : size);
  types.push_back(RankedTensorType::get(shape, tensor.getElementType()));
  return success();
}

SmallVector<int64_t> normalisedAxes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> result =
      llvm::map_to_vector(axes, [rank](int64_t axis) { return axis < 0 ? axis + rank : axis; });
  llvm::sort(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Ops with rules of their own
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferTruth(location, getOperationName(), adaptor.getOperands(), Kinds::kAll, types);
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  Value values[] = {adaptor.getLhs(), adaptor.getRhs()};
  if (failed(checkValues(location, op, adaptor.getOperands(), /*takesEach=*/true)))
    return failure();
  if (!elementOf(adaptor.getCondition().getType()).isInteger(1))
    return report(location, op, "select_c1", "expects a condition of truth values (i1), found ",
                  adaptor.getCondition().getType());
  if (failed(checkElements(location, op, values)))
    return failure();
  Type element = commonElement(values);
  auto shape = commonShape(location, op, TypeRange(adaptor.getOperands()));
  if (failed(shape))
    return failure();
  types.push_back(valueType(*shape, element, adaptor.getOperands()));
  return success();
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  if (failed(checkValues(location, op, adaptor.getOperand(), /*takesEach=*/true)))
    return failure();
  Type element = adaptor.getElement();
  if (adaptor.getIsUnsigned() && !(isa<IntegerType>(element) && element.isSignlessInteger() && !element.isInteger(1)))
    return report(location, op, "cast_c3", "expects 'unsigned' of an integer type, found ", element);
  if (!isNumberType(element))
    return report(location, op, "cast_c1", "expects a number type to cast to, found ", element);
  Type from = elementOf(adaptor.getOperand().getType());
  auto holdsLess = [](Type to, Type from) {
    return APFloat::semanticsPrecision(cast<FloatType>(to).getFloatSemantics()) <
               APFloat::semanticsPrecision(cast<FloatType>(from).getFloatSemantics()) ||
           APFloat::semanticsMaxExponent(cast<FloatType>(to).getFloatSemantics()) <
               APFloat::semanticsMaxExponent(cast<FloatType>(from).getFloatSemantics());
  };
  bool rounds = isa<FloatType>(from) && !element.isInteger(1) && (!isa<FloatType>(element) || holdsLess(element, from));
  if (!rounds && adaptor.getRounding() != Rounding::NearestEven)
    return report(location, op, "cast_c2", "expects 'round' where a cast can round; from ", from, " to ", element,
                  " every value stays as it is, or has its own rule");
  auto tensor = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  types.push_back(tensor ? Type(tensor.clone(element)) : element);
  return success();
}

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getElement());
  return success();
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  if (failed(checkValues(location, op, adaptor.getOperands())))
    return failure();
  Type target = adaptor.getLike() ? adaptor.getLike().getType() : adaptor.getShape().value_or(Type());
  auto like = dyn_cast_or_null<RankedTensorType>(target);
  if (!like)
    return target ? report(location, op, "broadcast_c1", "expects a tensor whose shape it takes, found ", target)
                  : report(location, op, "broadcast_c1", "expects a tensor whose shape it takes, found nothing");
  if (adaptor.getLike() && adaptor.getShape())
    return report(location, op, "broadcast_c2", "expects a value or a shape, found both");
  auto tensor = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  bool fits = !tensor || tensor.getRank() <= like.getRank();
  for (int64_t back = 1; fits && tensor && back <= tensor.getRank(); ++back) {
    int64_t from = tensor.getDimSize(tensor.getRank() - back);
    int64_t to = like.getDimSize(like.getRank() - back);
    fits = from == 1 || from == to;
  }
  if (!fits)
    return report(location, op, "broadcast_c1", "expects a shape that stretches to ", shapeText(like.getShape()),
                  ", found ", shapeText(tensor.getShape()));
  types.push_back(like.clone(elementOf(adaptor.getOperand().getType())));
  return success();
}

LogicalResult IotaOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, getOperationName(), adaptor.getOperands())))
    return failure();
  Type target = adaptor.getLike() ? adaptor.getLike().getType() : adaptor.getShape().value_or(Type());
  auto like = dyn_cast_or_null<RankedTensorType>(target);
  if (!like || (adaptor.getLike() && adaptor.getShape()))
    return report(location, getOperationName(), "iota_c1", "expects a tensor whose shape it takes, found ",
                  like     ? "two"
                  : target ? "a number"
                           : "none");
  types.push_back(like.clone(IntegerType::get(context, 32)));
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type type = adaptor.getOperand().getType();
  if (failed(checkValues(location, getOperationName(), adaptor.getOperand())) ||
      failed(checkKinds(location, getOperationName(), elementOf(type), Kinds::kNumbers)))
    return failure();
  // In the payload of a generic, `loop` replaces the dimension.
  if (!isa<RankedTensorType>(type) && !adaptor.getLoop())
    return report(location, getOperationName(), "scan_c1", "expects a tensor, found a number");
  types.push_back(type);
  return success();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  Value operands[] = {adaptor.getLhs(), adaptor.getRhs()};
  if (failed(checkValues(location, op, operands)))
    return failure();
  // Products of signed and unsigned 8-bit numbers are exact in one type.
  const bool isOfBytes =
      llvm::all_of(operands, [](Value operand) { return elementOf(operand.getType()).isInteger(8); });
  if (!isOfBytes && failed(checkElements(location, op, operands)))
    return failure();
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> axes = adaptor.getAxes();
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    if (!tensor || tensor.getRank() != 2)
      return report(location, op, "matmul_c1", "expects tensors of two dimensions, found ", operand.getType());
    if (!isOfBytes && !isa<Float16Type, BFloat16Type, Float32Type>(tensor.getElementType()))
      return report(location, op, "matmul_c1", "expects elements of f16, bf16, f32, i8 or ui8, found ",
                    tensor.getElementType());
    if (axes.size() != 2 || axes[number] < 0 || axes[number] > 1)
      return report(location, op, "matmul_c1", "expects an axis, 0 or 1, of each operand");
    shape.push_back(tensor.getDimSize(1 - axes[number]));
  }
  int64_t left = cast<RankedTensorType>(operands[0].getType()).getDimSize(axes[0]);
  int64_t right = cast<RankedTensorType>(operands[1].getType()).getDimSize(axes[1]);
  if (left != right)
    return report(location, op, "matmul_c1", "expects axes of one size, found ", operands[0].getType(), " and ",
                  operands[1].getType());
  Type element = elementOf(operands[0].getType());
  types.push_back(RankedTensorType::get(shape, isOfBytes ? IntegerType::get(element.getContext(), 32) : element));
  return success();
}

/// Where tensors have each dimension of the contract (AxisFrame::isOfDims): the type with other sizes of some of them.
/// Elsewhere the importer gives operands that are taken apart the dimensions of the results.
static Type withDims(Type type, ArrayRef<std::pair<StringRef, int64_t>> sizes) {
  const AxisFrame *frame = type.getContext()->getLoadedDialect<TeDialect>()->axisFrame;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!frame || !frame->isOfDims || !tensor || size_t(tensor.getRank()) != frame->domain.size())
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [own, dim] : llvm::zip_equal(shape, frame->domain))
    for (auto [name, size] : sizes)
      if (name == dim.name)
        own = size;
  return tensor.clone(shape);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, getOperationName(), adaptor.getOperands())))
    return failure();
  Type type = adaptor.getOperand().getType();
  if (!isa<RankedTensorType>(type))
    return report(location, getOperationName(), "slice_c1", "expects an input with this dimension, found ", type);
  types.push_back(withDims(type, {{adaptor.getDim(), 1}}));
  return success();
}

LogicalResult WindowOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type type = adaptor.getOperand().getType();
  if (failed(checkValues(location, getOperationName(), adaptor.getOperand())))
    return failure();
  if (!isa<RankedTensorType>(type))
    return report(location, getOperationName(), "window_c1", "expects an input with these dimensions, found ", type);
  types.push_back(type);
  return success();
}

LogicalResult StackOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, getOperationName(), adaptor.getOperands(), /*takesEach=*/true)))
    return failure();
  for (Value part : adaptor.getParts())
    if (!isa<RankedTensorType>(part.getType()))
      return report(location, getOperationName(), "stack_c1", "expects tensors, found ", part.getType());
    else if (part.getType() != adaptor.getParts().front().getType())
      return report(location, getOperationName(), "stack_c1", "expects tensors of one type, found ",
                    adaptor.getParts().front().getType(), " and ", part.getType());
  if (adaptor.getParts().empty())
    return report(location, getOperationName(), "stack_c1", "expects a tensor for each part, found none");
  types.push_back(withDims(oneOf(adaptor.getParts().front().getType()), {{adaptor.getDim(), ShapedType::kDynamic}}));
  return success();
}

// In a body, the importer gives an operand that an input indexes the type of the gathered values. In a payload all
// operands are scalars: the element at index 0, and the indices.
LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, getOperationName(), adaptor.getOperands())))
    return failure();
  StringRef op = getOperationName();
  for (Value each : adaptor.getIndices()) {
    Type index = elementOf(each.getType());
    if (!index.isSignlessInteger(32) && !index.isSignlessInteger(64))
      return report(location, op, "gather_c1", "expects indices of i32 or i64, found ", index);
  }
  if (adaptor.getIndices().size() != adaptor.getDims().size())
    return report(location, op, "gather_c1", "expects an index for each dimension, found ", adaptor.getIndices().size(),
                  " for ", adaptor.getDims().size());
  Type element = elementOf(adaptor.getOperand().getType());
  SmallVector<Type> operands(adaptor.getOperands().getTypes());
  SmallVector<std::pair<StringRef, int64_t>> gathered;
  for (StringRef dim : adaptor.getDims().getAsValueRange<StringAttr>())
    gathered.push_back({dim, 1});
  operands.front() = withDims(operands.front(), gathered);
  FailureOr<std::optional<SmallVector<int64_t>>> shape = commonShape(location, op, TypeRange(operands));
  if (failed(shape))
    return failure();
  if (*shape && !isa<RankedTensorType>(adaptor.getOperand().getType()))
    return report(location, op, "gather_c1", "expects a tensor before the indices, found ",
                  adaptor.getOperand().getType());
  types.push_back(*shape ? Type(RankedTensorType::get(**shape, element)) : element);
  return success();
}

// The same holds for the operand of a sort.
LogicalResult SortOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  Type type = adaptor.getOperand().getType(), element = elementOf(type);
  if (failed(checkValues(location, op, adaptor.getOperand())))
    return failure();
  if (!isa<RankedTensorType>(type) && !adaptor.getLoop())
    return report(location, op, "sort_c1", "expects a tensor, found a number");
  if (element.isInteger(1) || element.isF64())
    return report(location, op, "sort_c1", "expects floats of up to 32 bits or integers, found ", element);
  type = withDims(type, {{adaptor.getDim(), 1}, {adaptor.getTo(), ShapedType::kDynamic}});
  if (!adaptor.getPlaces()) {
    types.push_back(type);
    return success();
  }
  Type index = IntegerType::get(context, 32);
  auto tensor = dyn_cast<RankedTensorType>(type);
  types.push_back(tensor ? Type(tensor.clone(index)) : index);
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  if (failed(checkValues(location, op, adaptor.getOperands())))
    return failure();
  for (Value operand : adaptor.getOperands())
    if (!isa<RankedTensorType>(operand.getType()))
      return report(location, op, "scatter_c1", "expects tensors, found ", operand.getType());
  Type index = elementOf(adaptor.getIndices().getType()), element = elementOf(adaptor.getOperand().getType());
  if (!index.isSignlessInteger(32) && !index.isSignlessInteger(64))
    return report(location, op, "scatter_c1", "expects indices of i32 or i64, found ", index);
  if (elementOf(adaptor.getUpdates().getType()) != element)
    return report(location, op, "scatter_c1", "expects updates of ", element, ", found ",
                  elementOf(adaptor.getUpdates().getType()));
  if (element.isInteger(1) && adaptor.getForm() != ScatterForm::Set)
    return report(location, op, "scatter_c1", "expects numbers to combine, found truth values (i1)");
  types.push_back(adaptor.getOperand().getType());
  return success();
}

// The length along the sum is unknown, since no operand has the sum.
LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (failed(checkValues(location, getOperationName(), adaptor.getOperands(), /*takesEach=*/true)))
    return failure();
  RankedTensorType first;
  for (Value part : adaptor.getParts()) {
    auto type = dyn_cast<RankedTensorType>(part.getType());
    if (!type)
      continue;
    if (first && (type.getRank() != first.getRank() || type.getElementType() != first.getElementType()))
      return report(location, getOperationName(), "concat_c1", "expects tensors of one element type, found ", first,
                    " and ", type);
    first = first ? first : type;
  }
  if (!first)
    return report(location, getOperationName(), "concat_c1",
                  "expects at least one tensor beside the fill values, found none");
  SmallVector<int64_t> shape(size_t(first.getRank()), ShapedType::kDynamic);
  // Beside reductions (AxisFrame): a result has a dimension behind what is kept if one of its ranges has.
  for (size_t dim = 1; dim < shape.size() && shape.size() > 2; ++dim) {
    auto has = [&](Value part) {
      auto type = dyn_cast<RankedTensorType>(part.getType());
      return type && type.isDynamicDim(unsigned(dim));
    };
    shape[dim] = llvm::any_of(adaptor.getParts(), has) ? ShapedType::kDynamic : 1;
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult FoldOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  StringRef op = getOperationName();
  const Type type = adaptor.getOperand().getType();
  const bool isOfTruths = adaptor.getForm() == FoldForm::And || adaptor.getForm() == FoldForm::Or;
  if (failed(checkValues(location, op, adaptor.getOperand(), /*takesEach=*/true)) ||
      failed(checkKinds(location, op, elementOf(type), isOfTruths ? Kinds::kTruths : Kinds::kNumbers)))
    return failure();
  if (!isOfEach(type))
    return report(location, op, "fold_c1",
                  "expects an input that has a count, or what is computed of each of its "
                  "tensors, found one value");
  types.push_back(oneOf(type));
  return success();
}

} // namespace opc::te
