#include "lowering/graph/legalize/parts/Decompose.h"

#include "lowering/graph/legalize/parts/Decomposer.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

std::optional<int64_t> opc::graph::elementsOf(ArrayRef<int64_t> shape, int64_t most) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size < 0 || (size != 0 && elements > most / size))
      return std::nullopt;
    elements *= size;
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Reading the node
//===----------------------------------------------------------------------===//

bool Decomposer::isDefault(StringRef name, ArrayRef<int64_t> value) {
  auto found = dyn_cast_or_null<DenseI64ArrayAttr>(parameter(name));
  return !parameter(name) || (found && llvm::equal(found.asArrayRef(), value));
}

StringRef Decomposer::word(StringRef name, StringRef otherwise) {
  auto found = dyn_cast_or_null<StringAttr>(parameter(name));
  return found ? found.getValue() : otherwise;
}

double Decomposer::real(StringRef name, double otherwise) {
  auto found = dyn_cast_or_null<FloatAttr>(parameter(name));
  return found ? found.getValueAsDouble() : otherwise;
}

std::optional<NodeReader::Shape> Decomposer::numbers(StringRef name, size_t count, int64_t otherwise, int64_t least) {
  if (!parameter(name))
    return Shape(count, otherwise);
  auto found = dyn_cast<DenseI64ArrayAttr>(parameter(name));
  if (!found || static_cast<size_t>(found.size()) != count ||
      llvm::any_of(found.asArrayRef(), [&](int64_t each) { return each < least || each > kMostWritten; }))
    return std::nullopt;
  return Shape(found.asArrayRef());
}

//===----------------------------------------------------------------------===//
// Writing nodes
//===----------------------------------------------------------------------===//

std::string Decomposer::nextName() {
  std::string own = node.getName().value_or("").empty() ? node.getOp().str() : node.getName()->str();
  return own + "/" + std::to_string(emitted++);
}

NodeOp Decomposer::emit(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters, StringRef domain,
                        unsigned results) {
  StringAttr name = builder.getStringAttr(nextName());
  SmallVector<Attribute> names = {name};
  while (names.size() < results)
    names.push_back(builder.getStringAttr(nextName()));
  const SmallVector<Type> types(results, UnknownType::get(builder.getContext()));
  return NodeOp::create(builder, node.getLoc(), types, builder.getStringAttr(op),
                        domain.empty() ? StringAttr() : builder.getStringAttr(domain), operands,
                        builder.getArrayAttr(names), name,
                        parameters.empty() ? DictionaryAttr() : builder.getDictionaryAttr(parameters), ArrayAttr(), 0);
}

Value Decomposer::value(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters) {
  return emit(op, operands, parameters).getResult(0);
}

NamedAttribute Decomposer::named(StringRef name, int64_t number) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
}

NamedAttribute Decomposer::named(StringRef name, ArrayRef<int64_t> numbers) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(numbers));
}

NamedAttribute Decomposer::named(StringRef name, StringRef text) {
  return builder.getNamedAttr(name, builder.getStringAttr(text));
}

Value Decomposer::constant(ElementsAttr elements) {
  return ConstantOp::create(builder, node.getLoc(), elements.getShapedType(), builder.getStringAttr(nextName()),
                            elements, /*overridable=*/false, PlaceAttr());
}

Value Decomposer::wholes(ArrayRef<int64_t> numbers, ArrayRef<int64_t> shape, unsigned width) {
  SmallVector<APInt> values;
  for (int64_t number : numbers)
    values.emplace_back(width, static_cast<uint64_t>(number), /*isSigned=*/true);
  return constant(DenseElementsAttr::get(RankedTensorType::get(shape, builder.getIntegerType(width)), values));
}

Value Decomposer::reals(ArrayRef<float> numbers, ArrayRef<int64_t> shape) {
  return constant(DenseElementsAttr::get(RankedTensorType::get(shape, builder.getF32Type()), numbers));
}

Value Decomposer::splat(ArrayRef<int64_t> shape, Type element, double number) {
  auto type = RankedTensorType::get(shape, element);
  if (type.getNumElements() == 0)
    return constant(DenseElementsAttr::get(type, ArrayRef<Attribute>()));
  if (auto real = dyn_cast<FloatType>(element))
    return constant(DenseElementsAttr::get(type, FloatAttr::get(real, number).getValue()));
  auto whole = llvm::cast<IntegerType>(element);
  return constant(DenseElementsAttr::get(
      type, APInt(whole.getWidth(), static_cast<uint64_t>(static_cast<int64_t>(number)), false, true)));
}

Value Decomposer::sliced(Value from, int64_t start, int64_t end, size_t axis) {
  return value("Slice", {from, wholes(start), wholes(end), wholes(static_cast<int64_t>(axis))});
}

Value Decomposer::gathered(Value from, ArrayRef<int64_t> places, size_t axis, ArrayRef<int64_t> shape) {
  return value("Gather", {from, shape.empty() ? wholes(places) : wholes(places, shape)},
               named("axis", static_cast<int64_t>(axis)));
}

// A size of 0 means 0, and not the operand's size.
Value Decomposer::reshaped(Value from, ArrayRef<int64_t> shape) {
  return llvm::is_contained(shape, 0) ? value("Reshape", {from, wholes(shape)}, named("allowzero", 1))
                                      : value("Reshape", {from, wholes(shape)});
}

Value Decomposer::cast(Value from, Type element) {
  return value("Cast", from, named("to", static_cast<int64_t>(onnxElementType(element))));
}

Value Decomposer::converted(Value from, Type own, Type wanted) {
  return own == wanted ? from : cast(from, wanted);
}

Value Decomposer::joined(ArrayRef<Value> parts, size_t axis) {
  return parts.size() == 1 ? parts.front() : value("Concat", parts, named("axis", static_cast<int64_t>(axis)));
}

SmallVector<Value> Decomposer::inGroups(StringRef op, ArrayRef<NamedAttribute> parameters) {
  SmallVector<Value> groups;
  const SmallVector<Value> all(node.getOperands());
  for (size_t i = 0; i < all.size(); i += kMaxCount) {
    ArrayRef<Value> group = ArrayRef<Value>(all).drop_front(i).take_front(kMaxCount);
    groups.push_back(group.size() == 1 ? group.front() : value(op, group, parameters));
  }
  return groups;
}

void Decomposer::finish(unsigned result, Value made) {
  Value old = node.getResult(result);
  auto last = made.getDefiningOp<NodeOp>();
  const bool isOwn = last && last->getBlock() == node->getBlock() && last.getLoc() == node.getLoc() &&
                     !llvm::is_contained(node.getOperands(), made);
  if (isOwn) {
    SmallVector<Attribute> names(last.getResultNames().begin(), last.getResultNames().end());
    names[llvm::cast<OpResult>(made).getResultNumber()] = node.getResultNames()[result];
    last.setResultNamesAttr(builder.getArrayAttr(names));
    if (node.getNameAttr())
      last.setNameAttr(node.getNameAttr());
    made.setType(old.getType());
  }
  old.replaceAllUsesWith(made);
}

//===----------------------------------------------------------------------===//
// The forms
//===----------------------------------------------------------------------===//

Decomposer::Form Decomposer::formOf(StringRef op) {
  return llvm::StringSwitch<Form>(op)
      .Case("Concat", &Decomposer::concat)
      .Case("Slice", &Decomposer::slice)
      .Case("Split", &Decomposer::split)
      .Case("Pad", &Decomposer::pad)
      .Case("Expand", &Decomposer::expand)
      .Case("Gather", &Decomposer::gather)
      .Case("Resize", &Decomposer::resize)
      .Case("Upsample", &Decomposer::upsample)
      .Case("Attention", &Decomposer::attention)
      .Case("RotaryEmbedding", &Decomposer::rotaryEmbedding)
      .Case("SwiGLU", &Decomposer::swiGlu)
      .Case("GridSample", &Decomposer::gridSample)
      .Case("AffineGrid", &Decomposer::affineGrid)
      .Case("DFT", &Decomposer::fourier)
      .Case("STFT", &Decomposer::shortFourier)
      .Case("CenterCropPad", &Decomposer::centerCropPad)
      .Case("Col2Im", &Decomposer::col2Im)
      .Case("ReverseSequence", &Decomposer::reverseSequence)
      .Case("Tan", &Decomposer::tangent)
      .Cases({"MaxPool", "AveragePool"}, &Decomposer::pool)
      .Case("LpPool", &Decomposer::lpPool)
      .Cases({"GlobalMaxPool", "GlobalAveragePool"}, &Decomposer::globalPool)
      .Case("Conv", &Decomposer::conv)
      .Case("ConvTranspose", &Decomposer::convTranspose)
      .Case("Cast", &Decomposer::castTo)
      .Case("CastLike", &Decomposer::castLike)
      .Case("Clip", &Decomposer::clip)
      .Case("Gemm", &Decomposer::gemm)
      .Case("MatMul", &Decomposer::matMul)
      .Case("Sum", &Decomposer::sum)
      .Case("Mean", &Decomposer::mean)
      .Case("Pow", &Decomposer::power)
      .Cases({"Max", "Min"}, &Decomposer::bounds)
      .Case("Div", &Decomposer::quotient)
      .Cases({"Softmax", "LogSoftmax"}, &Decomposer::softmax)
      .Case("Hardmax", &Decomposer::hardmax)
      .Case("MeanVarianceNormalization", &Decomposer::meanVarianceNormalization)
      .Case("LayerNormalization", &Decomposer::layerNormalization)
      .Cases({"ArgMax", "ArgMin"}, &Decomposer::position)
      .Case("TopK", &Decomposer::topK)
      .Case("Einsum", &Decomposer::einsum)
      .Case("LRN", &Decomposer::localNormalization)
      .Case("Tile", &Decomposer::tile)
      .Case("GatherND", &Decomposer::gatherNd)
      .Case("ScatterND", &Decomposer::scatterNd)
      .Case("NonZero", &Decomposer::nonZero)
      .Case("Compress", &Decomposer::compress)
      .Case("OneHot", &Decomposer::oneHot)
      .Case("EyeLike", &Decomposer::eyeLike)
      .Case("SpaceToDepth", &Decomposer::spaceToDepth)
      .Case("Dropout", &Decomposer::dropout)
      .Cases({"SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"}, &Decomposer::crossEntropy)
      .Case("RMSNormalization", &Decomposer::rmsNormalization)
      .Case("LpNormalization", &Decomposer::lpNormalization)
      .Case("IsInf", &Decomposer::isInfinite)
      .Cases({"Greater", "GreaterOrEqual", "LessOrEqual"}, &Decomposer::comparison)
      .Case("QuantizeLinear", &Decomposer::quantize)
      .Case("DequantizeLinear", &Decomposer::dequantize)
      .Case("MatMulInteger", &Decomposer::matMulInteger)
      .Case("ConvInteger", &Decomposer::convInteger)
      .Case("QLinearConv", &Decomposer::quantizedConv)
      .Case("QLinearMatMul", &Decomposer::quantizedMatMul)
      .Case("DynamicQuantizeLinear", &Decomposer::dynamicQuantize)
      .Case("BatchNormalization", &Decomposer::batchNormalization)
      .Cases({"LSTM", "GRU", "RNN"}, &Decomposer::recurrent)
      .StartsWith("Reduce", &Decomposer::reduce)
      .Default(nullptr);
}

bool Decomposer::run() {
  static constexpr StringLiteral kSeveralResults[] = {"Attention",
                                                      "BatchNormalization",
                                                      "Dropout",
                                                      "DynamicQuantizeLinear",
                                                      "GRU",
                                                      "LSTM",
                                                      "LayerNormalization",
                                                      "MaxPool",
                                                      "RNN",
                                                      "SoftmaxCrossEntropyLoss",
                                                      "Split",
                                                      "TopK"};
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx" || !node.getBodies().empty() || node.getNumResults() == 0 ||
      (node.getNumResults() != 1 && !llvm::is_contained(kSeveralResults, node.getOp())))
    return false;
  const Form function = formOf(node.getOp());
  // Every form reads the first operand, which a file may omit.
  if (!function || !has(0) || !(this->*function)())
    return false;
  node.erase();
  return true;
}

bool opc::graph::decompose(NodeOp node, OpBuilder &builder, int64_t opset) {
  return Decomposer(node, builder, opset).run();
}

bool opc::graph::isPartsFirst(NodeOp node) {
  static constexpr StringLiteral kOfAnyNumber[] = {"Concat", "Max", "Mean", "Min", "Sum"};
  const bool isOfOne = node.getNumOperands() == 1 && llvm::is_contained(kOfAnyNumber, node.getOp());
  return node.getDomain().value_or("ai.onnx") == "ai.onnx" &&
         (isOfOne || node.getOp() == "ArgMax" || node.getOp() == "ArgMin" || node.getOp() == "TopK");
}

bool opc::graph::mayDecompose(NodeOp node) {
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx" || !node.getBodies().empty())
    return false;
  DictionaryAttr parameters = node.getParametersAttr();
  StringRef op = node.getOp();
  auto isOneOf = [&](StringRef name, ArrayRef<StringRef> words) {
    auto word = parameters ? parameters.getAs<StringAttr>(name) : StringAttr();
    return !word || llvm::is_contained(words, word.getValue());
  };
  if (op == "Pad")
    return isOneOf("mode", {"constant", "edge", "reflect", "wrap"});
  if (op == "Resize")
    return isOneOf("mode", {"nearest", "linear", "cubic"});
  if (op == "Concat")
    return node.getNumOperands() != 2;
  if (op == "Clip")
    return !parameters || parameters.empty();
  if (op.starts_with("Reduce"))
    return op == "ReduceLogSumExp" || (parameters && parameters.contains("noop_with_empty_axes"));
  return Decomposer::hasForm(op);
}
