// Finds activations that an exporter wrote in pieces: an operand times a gate. Products are read as a number and a list
// of factors, so that x * 0.5 * (1 + erf(x / 1.4142)), 0.5 * (x * (..)) and (x * (..)) / 2 are one pattern.
//
//   Gelu        x * (Erf(x * 0.7071) + 1) * 0.5
//   GeluTanh    x * (Tanh((x + x^3 * 0.044715) * 0.79788) + 1) * 0.5, or Tanh(x * (x^2 * 0.044715 + 1) * 0.79788)
//   Swish       x * Sigmoid(x * beta); x / (Exp(-x) + 1)
//   HardSwish   x * HardSigmoid(x) with 1/6 and 0.5; x * Clip(x + 3, 0, 6) / 6
//   Mish        x * Tanh(Softplus(x))

#include "lowering/graph/fold/Patterns.h"

#include <cmath>

using namespace mlir;
using namespace opc::graph;

namespace {

struct Product {
  double number = 1;
  SmallVector<Value> factors;
};

/// Reads products, quotients and powers.
class Reader {
public:
  explicit Reader(Folder &folder) : folder(folder) {}

  /// The factors of a value; `stop` counts as one factor.
  Product productOf(Value value, Value stop = {}) const {
    Product product;
    read(value, stop, product, 0);
    return product;
  }
  std::pair<Value, double> scaled(Value value) const { return opc::graph::scaled(folder, value); }
  /// The other operand of a sum with 1; null for other values.
  Value besideOne(Value value) const;
  Folder &folder;

private:
  void read(Value value, Value stop, Product &product, unsigned depth) const;
};

} // namespace

void Reader::read(Value value, Value stop, Product &product, unsigned depth) const {
  constexpr unsigned kMostDepth = 6;
  constexpr size_t kMostFactors = 8;
  auto leaf = [&] { product.factors.push_back(value); };
  if (std::optional<double> number = numberOf(value)) {
    product.number *= *number;
    return;
  }
  if (value == stop || depth == kMostDepth || product.factors.size() >= kMostFactors)
    return leaf();
  if (InstanceOp mul = folder.producer(value, "Mul")) {
    read(mul.getOperand(0), stop, product, depth + 1);
    read(mul.getOperand(1), stop, product, depth + 1);
  } else if (InstanceOp div = folder.producer(value, "Div")) {
    std::optional<double> number = numberOf(div.getOperand(1));
    if (!number || *number == 0)
      return leaf();
    product.number /= *number;
    read(div.getOperand(0), stop, product, depth + 1);
  } else if (InstanceOp power = folder.producer(value, "Pow")) {
    std::optional<double> number = numberOf(power.getOperand(1));
    if (number != 2.0 && number != 3.0)
      return leaf();
    for (int i = 0; i < *number; ++i)
      read(power.getOperand(0), stop, product, depth + 1);
  } else {
    leaf();
  }
}

std::pair<Value, double> opc::graph::scaled(Folder &folder, Value value, bool isAlone) {
  double number = 1;
  for (unsigned depth = 0; depth < 4 && (!isAlone || value.hasOneUse()); ++depth) {
    InstanceOp mul = folder.producer(value, "Mul"), div = folder.producer(value, "Div");
    std::optional<double> left = mul ? numberOf(mul.getOperand(0)) : std::nullopt;
    std::optional<double> right = mul || div ? numberOf((mul ? mul : div).getOperand(1)) : std::nullopt;
    if (div && right && *right != 0) {
      number /= *right;
      value = div.getOperand(0);
    } else if (mul && right) {
      number *= *right;
      value = mul.getOperand(0);
    } else if (mul && left) {
      number *= *left;
      value = mul.getOperand(1);
    } else {
      break;
    }
  }
  return {value, number};
}

Value Reader::besideOne(Value value) const {
  InstanceOp sum = folder.producer(value, "Add");
  if (!sum)
    return {};
  return numberOf(sum.getOperand(0)) == 1.0   ? sum.getOperand(1)
         : numberOf(sum.getOperand(1)) == 1.0 ? sum.getOperand(0)
                                              : Value();
}

namespace {

/// The conditions of a gate for the product around it.
struct Gate {
  StringRef opType;
  Value x;           ///< the other factor
  double number = 1; ///< the factor that is a number
  double beta = 1;   ///< of Swish
};

} // namespace

/// Whether a value is x^n times a number, n times x as factors.
static bool isPower(const Reader &reader, Value value, Value x, size_t n, double number) {
  Product product = reader.productOf(value, x);
  return product.factors.size() == n && llvm::all_of(product.factors, [&](Value each) { return each == x; }) &&
         isNear(product.number, number, cast<RankedTensorType>(x.getType()).getElementType());
}

/// The operand of the approximation of Gelu whose tanh has this argument.
static Value geluTanhOperand(const Reader &reader, Value argument) {
  constexpr double kScale = 0.7978845608028654, kCubic = 0.044715;
  Type element = cast<RankedTensorType>(argument.getType()).getElementType();
  auto [sum, number] = reader.scaled(argument);
  if (InstanceOp add = reader.folder.producer(sum, "Add"); add && isNear(number, kScale, element)) {
    for (unsigned i = 0; i < 2; ++i)
      if (isPower(reader, add.getOperand(i), add.getOperand(1 - i), 3, kCubic))
        return add.getOperand(1 - i);
    return {};
  }
  // x * (1 + 0.044715 x^2)
  Product product = reader.productOf(argument);
  if (product.factors.size() != 2 || !isNear(product.number, kScale, element))
    return {};
  for (unsigned i = 0; i < 2; ++i)
    if (Value square = reader.besideOne(product.factors[i]))
      if (isPower(reader, square, product.factors[1 - i], 2, kCubic))
        return product.factors[1 - i];
  return {};
}

/// The gate of a factor; nullopt for others, with a reason for a near miss.
static std::optional<Gate> gateOf(const Reader &reader, Value factor, InstanceOp &nearly, std::string &reason) {
  Folder &folder = reader.folder;
  Type element = cast<RankedTensorType>(factor.getType()).getElementType();
  if (Value inner = reader.besideOne(factor)) {
    if (InstanceOp erf = folder.producer(inner, "Erf")) {
      auto [x, number] = reader.scaled(erf.getOperand(0));
      if (isNear(number, std::sqrt(0.5), element))
        return Gate{"Gelu", x, 0.5};
      nearly = erf;
      reason = "the operand of its Erf is not divided by the square root of 2";
    } else if (InstanceOp tanh = folder.producer(inner, "Tanh")) {
      if (Value x = geluTanhOperand(reader, tanh.getOperand(0)))
        return Gate{"GeluTanh", x, 0.5};
    }
    return std::nullopt;
  }
  if (InstanceOp sigmoid = folder.producer(factor, "Sigmoid")) {
    auto [x, number] = reader.scaled(sigmoid.getOperand(0));
    return Gate{"Swish", x, 1, number};
  }
  if (InstanceOp tanh = folder.producer(factor, "Tanh"))
    if (InstanceOp plus = folder.producer(tanh.getOperand(0), "Softplus"))
      return Gate{"Mish", plus.getOperand(0)};
  auto parameter = [](InstanceOp instance, StringRef name) {
    auto value = instance.getParametersAttr() ? instance.getParametersAttr().getAs<FloatAttr>(name) : FloatAttr();
    return value ? std::optional(value.getValueAsDouble()) : std::nullopt;
  };
  if (InstanceOp line = folder.producer(factor, "HardSigmoid")) {
    std::optional<double> alpha = parameter(line, "alpha"), beta = parameter(line, "beta");
    if (alpha && beta && isNear(*alpha, 1.0 / 6, element) && *beta == 0.5)
      return Gate{"HardSwish", line.getOperand(0)};
    nearly = line;
    reason = "its slope is not 1/6, or its value at zero is not 0.5";
  }
  if (InstanceOp clip = folder.producer(factor, "Clip"))
    if (InstanceOp sum = folder.producer(clip.getOperand(0), "Add");
        sum && parameter(clip, "minimum") == 0.0 && parameter(clip, "maximum") == 6.0)
      for (unsigned i = 0; i < 2; ++i)
        if (numberOf(sum.getOperand(i)) == 3.0)
          return Gate{"HardSwish", sum.getOperand(1 - i), 1.0 / 6};
  return std::nullopt;
}

static void finish(Folder &folder, InstanceOp instance, const Gate &gate, InstanceOp nearly) {
  Builder &builder = folder.builder;
  DictionaryAttr parameters;
  if (gate.opType == "Swish")
    parameters = builder.getDictionaryAttr(builder.getNamedAttr("beta", builder.getF64FloatAttr(gate.beta)));
  std::string reason;
  if (Value made = folder.make(gate.opType, gate.x, parameters, instance.getResult(0), reason))
    folder.replace(gate.opType, instance.getResult(0), made);
  else
    folder.nearly(gate.opType, nearly, reason);
}

void opc::graph::foldGate(Folder &folder, InstanceOp instance) {
  const Reader reader(folder);
  if (folder.isA(instance, "Div")) {
    // x / (1 + e^-x); a quotient by a number is a product.
    Value below = reader.besideOne(instance.getOperand(1));
    InstanceOp power = below ? folder.producer(below, "Exp") : InstanceOp();
    InstanceOp minus = power ? folder.producer(power.getOperand(0), "Neg") : InstanceOp();
    if (minus && minus.getOperand(0) == instance.getOperand(0))
      return finish(folder, instance, {"Swish", minus.getOperand(0)}, instance);
  } else if (!folder.isA(instance, "Mul")) {
    return;
  }
  Type element = cast<RankedTensorType>(instance.getResult(0).getType()).getElementType();
  for (Value factor : reader.productOf(instance.getResult(0)).factors) {
    InstanceOp at;
    std::string reason;
    std::optional<Gate> gate = gateOf(reader, factor, at, reason);
    if (!gate) {
      if (at)
        folder.nearly("an activation", at, reason);
      continue;
    }
    // If the operand is a product itself, it counts as one factor.
    Product product = reader.productOf(instance.getResult(0), gate->x);
    at = instanceOf(factor);
    if (llvm::count(product.factors, factor) != 1 || llvm::count(product.factors, gate->x) != 1) {
      folder.nearly(gate->opType, at, "the operand of its gate is no factor beside it");
      continue;
    }
    if (product.factors.size() != 2) {
      folder.nearly(gate->opType, at, "it is part of a larger product");
      continue;
    }
    if (!isNear(product.number, gate->number, element)) {
      folder.nearly(gate->opType, at, "its product has another factor");
      continue;
    }
    return finish(folder, instance, *gate, at);
  }
}

void opc::graph::tellAttention(Folder &folder, InstanceOp instance) {
  if (!folder.isA(instance, "BatchMatMul"))
    return;
  InstanceOp softmax = folder.producer(instance.getOperand(0), "Softmax");
  if (!softmax)
    return;
  const Reader reader(folder);
  Value scores = softmax.getOperand(0);
  bool hasMask = false;
  auto productOf = [&](Value value) { return folder.producer(reader.scaled(value).first, "BatchMatMul"); };
  if (InstanceOp sum = folder.producer(scores, "Add"); sum && !productOf(scores)) {
    hasMask = true;
    scores = productOf(sum.getOperand(0)) ? sum.getOperand(0) : sum.getOperand(1);
  }
  if (!productOf(scores))
    return;
  char number[32];
  std::snprintf(number, sizeof number, "%.6g", reader.scaled(scores).second);
  folder.nearly("attention", instance,
                std::string("scaled by ") + number + (hasMask ? ", with a mask" : ", without a mask") +
                    "; no contract computes it as a whole, its parts run by themselves");
}
