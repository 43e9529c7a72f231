// Joins operations after a product, a convolution or a sum into the library's fused operators.
//
//   product     MatMul, Linear: of the last the matrix is a constant, which is transposed here
//   bias        Add with a row, constant or not; a missing one is zeros
//   then        Gelu, Relu, Swish (beta 1), or Add with a value of the result's shape; after MatMul and Add nothing
//
//   convolution Conv2d or Conv3d with or without a bias
//   then        Relu, or Add with a value of the result's shape and perhaps Relu; after Conv2d also LeakyRelu and Swish
//               (beta 1)
//
//   product     MatMulInteger of int8 by a constant matrix of int8, as float32
//   scale       Mul with a row, or with a constant of one number
//   bias        Add with a row; a missing one is zeros
//
//   sum         Add of two values of one shape, then LayerNorm or Relu; Add with a row, then Gelu

#include "lowering/graph/fold/Patterns.h"

using namespace mlir;
using namespace opc::graph;

static Value zeros(Folder &folder, int64_t n, Type element, Value before) {
  return folder.makeFloats(RankedTensorType::get(n, element), "zeros", SmallVector<double>(static_cast<size_t>(n), 0.0),
                           before);
}

/// A constant matrix with rows and columns exchanged; null for other values.
static Value transposed(Folder &folder, Value matrix, Value before) {
  ElementsAttr elements = constantOf(matrix);
  auto type = cast<RankedTensorType>(matrix.getType());
  if (!elements || type.getRank() != 2)
    return {};
  ConstantBytes bytes(elements);
  const auto rows = static_cast<size_t>(type.getDimSize(0)), columns = static_cast<size_t>(type.getDimSize(1));
  const size_t size = type.getElementType().getIntOrFloatBitWidth() / 8;
  std::string to(bytes.get().size(), '\0');
  // Squares of 32 elements, so that whole cache lines are used.
  constexpr size_t kSquare = 32;
  for (size_t r0 = 0; r0 < rows; r0 += kSquare)
    for (size_t c0 = 0; c0 < columns; c0 += kSquare)
      for (size_t r = r0; r < std::min(rows, r0 + kSquare); ++r)
        for (size_t c = c0; c < std::min(columns, c0 + kSquare); ++c)
          std::copy_n(bytes.get().data() + (r * columns + c) * size, size, to.data() + (c * rows + r) * size);
  auto turned = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
  return folder.makeConstant(turned, matrix.getDefiningOp<ConstantOp>().getName().str() + ".transposed", to, before);
}

/// The only reader of a value, if it is a Swish whose beta is 1; another Swish is nearly `what`.
static InstanceOp onlySwish(Folder &folder, Value value, StringRef what) {
  InstanceOp swish = folder.onlyReader(value, "Swish");
  if (!swish)
    return {};
  auto beta = swish.getParametersAttr() ? swish.getParametersAttr().getAs<FloatAttr>("beta") : FloatAttr();
  if (beta && beta.getValueAsDouble() == 1.0)
    return swish;
  folder.nearly(what, swish, "its beta is not 1");
  return {};
}

/// The only reader of a value, if it adds another value of its shape.
static InstanceOp onlyResidual(Folder &folder, Value value) {
  InstanceOp add = folder.onlyReader(value, "Add");
  Value residual = add && add.getResult(0).getType() == value.getType() ? other(add, value) : Value();
  return residual && residual.getType() == value.getType() ? add : InstanceOp();
}

void opc::graph::foldProduct(Folder &folder, InstanceOp instance) {
  const bool isPlain = folder.isA(instance, "MatMul"), hasBias = folder.isA(instance, "Linear");
  if (!isPlain && !hasBias)
    return;
  Value top = instance.getResult(0);
  auto type = cast<RankedTensorType>(top.getType());
  const int64_t n = type.getShape().back();
  Value row = hasBias ? instance.getOperand(2) : Value();
  if (InstanceOp add = hasBias ? InstanceOp() : folder.onlyReader(top, "Add");
      add && add.getResult(0).getType() == type)
    if (Value operand = other(add, top))
      if (auto shape = cast<RankedTensorType>(operand.getType()); shape != type || type.getNumElements() == n)
        if ((row = asRow(folder, operand, n, add.getResult(0))))
          top = add.getResult(0);

  StringRef what;
  Value last, residual;
  if (InstanceOp gelu = folder.onlyReader(top, "Gelu"))
    what = "MatMulGelu", last = gelu.getResult(0);
  else if (InstanceOp relu = folder.onlyReader(top, "Relu"))
    what = "MatMulRelu", last = relu.getResult(0);
  else if (InstanceOp swish = onlySwish(folder, top, "MatMulSwish"))
    what = "MatMulSwish", last = swish.getResult(0);
  else if (InstanceOp add = onlyResidual(folder, top))
    what = "MatMulAdd", last = add.getResult(0), residual = other(add, top);
  if (what.empty()) {
    // The residual is often computed after the product, so sums are not reported as near misses.
    for (StringRef opType : {"GeluTanh", "HardSwish", "Clip", "Sigmoid", "Tanh", "LeakyRelu"})
      if (InstanceOp reader = folder.onlyReader(top, opType))
        folder.nearly("a product with " + opType.str(), reader, "no contract has this function after a product");
    if (!isPlain || !row)
      return;
    what = "MatMulBias", last = top;
  }
  Value matrix = isPlain ? instance.getOperand(1) : transposed(folder, instance.getOperand(1), last);
  if (!matrix)
    return folder.nearly(what, instance, "its transposed matrix is no constant");
  SmallVector<Value> operands = {instance.getOperand(0), matrix,
                                 row ? row : zeros(folder, n, type.getElementType(), last)};
  if (residual)
    operands.push_back(residual);
  std::string reason;
  if (Value made = folder.make(what, operands, {}, last, reason))
    folder.replace(what, last, made);
  else
    folder.nearly(what, instance, reason);
}

/// A row of n numbers for a row, or for a constant of one number; null for others.
static Value asScale(Folder &folder, Value value, int64_t n, Value before) {
  if (Value row = asRow(folder, value, n, before))
    return row;
  std::optional<double> number = numberOf(value);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return number ? folder.makeFloats(RankedTensorType::get(n, element), "scale",
                                    SmallVector<double>(static_cast<size_t>(n), *number), before)
                : Value();
}

void opc::graph::foldDequantised(Folder &folder, InstanceOp instance) {
  if (!folder.isA(instance, "MatMulInteger") || !llvm::all_of(instance.getOperands(), [](Value operand) {
        return cast<RankedTensorType>(operand.getType()).getElementType().isSignlessInteger(8);
      }))
    return;
  InstanceOp real = folder.onlyReader(instance.getResult(0), "Cast");
  InstanceOp scaled = real ? folder.onlyReader(real.getResult(0), "Mul") : InstanceOp();
  auto type = scaled ? cast<RankedTensorType>(scaled.getResult(0).getType()) : RankedTensorType();
  if (!scaled || !type.getElementType().isF32() || real.getResult(0).getType() != type)
    return;
  const int64_t n = type.getShape().back();
  Value last = scaled.getResult(0), factor = other(scaled, real.getResult(0)), bias;
  if (!factor)
    return;
  if (InstanceOp add = folder.onlyReader(last, "Add"); add && add.getResult(0).getType() == type)
    if (Value operand = other(add, last); operand && operand.getType() != type)
      if ((bias = asRow(folder, operand, n, add.getResult(0))))
        last = add.getResult(0);
  Value scale = asScale(folder, factor, n, last);
  if (!scale)
    return folder.nearly("MatMulDequant", instance, "its scale is no row and no constant number");
  Value matrix = transposed(folder, instance.getOperand(1), last);
  if (!matrix)
    return folder.nearly("MatMulDequant", instance, "its matrix is no constant");
  std::string reason;
  Value made =
      folder.make("MatMulDequant",
                  {instance.getOperand(0), matrix, scale, bias ? bias : zeros(folder, n, type.getElementType(), last)},
                  {}, last, reason);
  if (made)
    folder.replace("MatMulDequant", last, made);
  else
    folder.nearly("MatMulDequant", instance, reason);
}

void opc::graph::foldConvolution(Folder &folder, InstanceOp instance) {
  const bool hasDepth = folder.isA(instance, "Conv3d");
  if (!hasDepth && !folder.isA(instance, "Conv2d"))
    return;
  Value top = instance.getResult(0), last, residual;
  StringRef what;
  SmallVector<NamedAttribute> parameters;
  if (DictionaryAttr own = instance.getParametersAttr())
    llvm::append_range(parameters, own);
  if (InstanceOp relu = folder.onlyReader(top, "Relu")) {
    what = hasDepth ? "Conv3dBiasRelu" : "Conv2dBiasRelu";
    last = relu.getResult(0);
  } else if (InstanceOp leaky = hasDepth ? InstanceOp() : folder.onlyReader(top, "LeakyRelu")) {
    what = "Conv2dBiasLeakyRelu", last = leaky.getResult(0);
    if (DictionaryAttr own = leaky.getParametersAttr())
      llvm::append_range(parameters, own);
  } else if (InstanceOp swish = hasDepth ? InstanceOp() : onlySwish(folder, top, "Conv2dBiasSwish")) {
    what = "Conv2dBiasSwish", last = swish.getResult(0);
  } else if (InstanceOp add = onlyResidual(folder, top)) {
    InstanceOp after = folder.onlyReader(add.getResult(0), "Relu");
    if (hasDepth)
      what = after ? "Conv3dBiasAddRelu" : "Conv3dBiasAdd";
    else
      what = after ? "Conv2dBiasAddRelu" : "Conv2dBiasAdd";
    last = after ? after.getResult(0) : add.getResult(0);
    residual = other(add, top);
  }
  if (what.empty()) {
    for (StringRef opType : {"HardSwish", "Clip", "Sigmoid", "HardSigmoid", "LeakyRelu"})
      if (InstanceOp reader = folder.onlyReader(top, opType))
        folder.nearly("a convolution with " + opType.str(), reader,
                      "no contract has this function after a convolution");
    return;
  }
  // A residual comes after the bias, also after one that is omitted.
  SmallVector<Value> operands(instance.getOperands().take_front(residual ? 3 : 2));
  if (Value bias = givenOperand(instance, 2); bias && !residual)
    operands.push_back(bias);
  if (residual)
    operands.push_back(residual);
  std::string reason;
  if (Value made = folder.make(what, operands, folder.builder.getDictionaryAttr(parameters), last, reason))
    folder.replace(what, last, made);
  else
    folder.nearly(what, instance, reason);
}

void opc::graph::foldSum(Folder &folder, InstanceOp instance) {
  // A Sum of two is an Add.
  if (!folder.isA(instance, "Add") && !(folder.isA(instance, "Sum") && instance->getNumOperands() == 2))
    return;
  Value sum = instance.getResult(0), a = instance.getOperand(0), b = instance.getOperand(1);
  const bool isSame = a.getType() == b.getType();
  std::string reason;
  if (InstanceOp norm = folder.onlyReader(sum, "LayerNorm"); norm && isSame && norm.getOperand(0) == sum) {
    Value last = norm.getResult(0);
    SmallVector<Value> operands = {a, b, norm.getOperand(1)};
    if (Value beta = givenOperand(norm, 2))
      operands.push_back(beta);
    if (Value made = folder.make("AddLayerNorm", operands, norm.getParametersAttr(), last, reason))
      folder.replace("AddLayerNorm", last, made);
  } else if (InstanceOp relu = folder.onlyReader(sum, "Relu"); relu && isSame) {
    Value last = relu.getResult(0);
    if (Value made = folder.make("AddRelu", {a, b}, {}, last, reason))
      folder.replace("AddRelu", last, made);
  } else if (InstanceOp gelu = folder.onlyReader(sum, "Gelu"); gelu && !isSame) {
    Value last = gelu.getResult(0);
    for (auto [x, bias] : {std::pair(a, b), std::pair(b, a)})
      if (x.getType() == sum.getType())
        if (Value row = asRow(folder, bias, cast<RankedTensorType>(sum.getType()).getShape().back(), last)) {
          if (Value made = folder.make("BiasGelu", {x, row}, {}, last, reason))
            folder.replace("BiasGelu", last, made);
          return;
        }
  }
}
