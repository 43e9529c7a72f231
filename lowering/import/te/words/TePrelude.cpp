#include "lowering/import/te/words/TePrelude.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>

using namespace mlir;

namespace opc {

std::string tensorTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t number) {
  const ContractTensor &tensor = contract.tensorAt(number);
  // A body with several nests is parsed as a whole for each nest, which then takes its part.
  std::vector<int> whole(2, tensor.broadcast == Broadcast::Scalar ? -1 : 0);
  if (key.nest && reducesApart(contract))
    whole = dimsInDomain(contract, number);
  // Of ranges: what is kept, what is reduced, and 1 for each reduced dimension (te::AxisFrame).
  if (key.nest && splitsSums(contract))
    if (const std::vector<std::string> reduced = reducedInRanges(contract); !reduced.empty()) {
      const bool hasReduced = llvm::any_of(tensor.shape, [&](const ContractDim &dim) {
        return llvm::any_of(leavesOf(dim), [&](auto &leaf) { return llvm::is_contained(reduced, printDim(leaf)); });
      });
      whole[1] = hasReduced && whole[0] == 0 ? 0 : -1;
      whole.resize(2 + reduced.size(), -1);
    }
  std::string text = "tensor<";
  for (int loop : key.nest ? whole : key.operandOf(number).dims)
    text += loop < 0 ? "1x" : "?x";
  return text + std::string(mlirTypeName(tensor.types[typeRow])) + ">";
}

std::string eachTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t first) {
  // A result of all tensors does not broadcast along a dimension that one of them has.
  std::string text = tensorTypeText(contract, typeRow, key, first);
  for (size_t number = first + 1; number < contract.inputs.size(); ++number) {
    const std::string other = tensorTypeText(contract, typeRow, key, number);
    for (size_t i = 0; i < std::min(text.size(), other.size()); ++i)
      text[i] = other[i] == '?' ? '?' : text[i];
  }
  return text.insert(text.size() - 1, ",#te.each");
}

std::string absentTypeText(const ContractTensor &input, unsigned typeRow) {
  // As for launch attributes, a float is f32 regardless of the tensors' types.
  const ElementType type = input.types[typeRow];
  const bool isFloat = type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float32;
  return std::string(mlirTypeName(isFloat ? ElementType::Float32 : type));
}

//===----------------------------------------------------------------------===//
// Values of attributes
//===----------------------------------------------------------------------===//

static std::string valueText(double value) {
  if (std::isnan(value) || std::isinf(value))
    return std::isnan(value) ? "0x7FF8000000000000 : f64"
           : value < 0       ? "0xFFF0000000000000 : f64"
                             : "0x7FF0000000000000 : f64";
  char text[40];
  std::snprintf(text, sizeof text, "%.17e : f64", value);
  return text;
}

static std::string valueText(int64_t value) {
  return std::to_string(value) + " : i64";
}

static std::string valueText(bool value) {
  return value ? "true" : "false";
}

static std::string valueText(const std::string &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"';
  llvm::printEscapedString(value, os);
  os << '"';
  return text;
}

template <typename T> static std::string valueText(const std::vector<T> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + valueText(T(values[i]));
  return text + "]";
}

/// Empty if there is no value.
static std::string attributeText(const AttributeValue &value) {
  return std::visit(
      [](const auto &held) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return {};
        else
          return valueText(held);
      },
      value);
}

//===----------------------------------------------------------------------===//
// The line of aliases
//===----------------------------------------------------------------------===//

/// Whether an attribute holds the axes of a reduction. Those refer to actual shapes, while a body refers to loops.
static bool isOfShapes(const Contract &contract, const std::string &attribute) {
  for (const ContractTensor &output : contract.outputs)
    if (output.reduces && (output.reduces->axes == attribute || output.reduces->keepDims == attribute))
      return true;
  return false;
}

/// Whether a word is the name of an element type in MLIR.
static bool isElementType(llvm::StringRef word) {
  for (unsigned type = 0; type < kNumElementTypes; ++type)
    if (word == llvm::StringRef(mlirTypeName(ElementType(type))))
      return true;
  return false;
}

/// Where a line has something else than definitions "!NAME = TYPE" of element types; npos if it does not.
static size_t otherText(llvm::StringRef line) {
  llvm::StringRef rest = line.ltrim();
  auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; };
  while (!rest.empty()) {
    llvm::StringRef after = rest;
    if (!after.consume_front("!"))
      break;
    llvm::StringRef name = after.take_while(isOfName);
    after = after.drop_front(name.size()).ltrim();
    if (name.empty() || !after.consume_front("="))
      break;
    after = after.ltrim();
    llvm::StringRef type = after.take_while(isOfName);
    if (!isElementType(type))
      break;
    after = after.drop_front(type.size());
    if (!after.empty() && !llvm::isSpace(after.front()))
      break;
    rest = after.ltrim();
  }
  return rest.empty() ? llvm::StringRef::npos : size_t(rest.data() - line.data());
}

bool checkAliases(const std::string &text, const Contract &contract, const std::string &path,
                  Diagnostics &diagnostics) {
  if (text.empty() || text.front() != '!') {
    diagnostics.error(Code::E0310, {path, 1, 1},
                      "expects the first line of a body to be the line of aliases, which is replaced "
                      "for each type row and shape",
                      "bind_c12",
                      "write '!T = " + std::string(mlirTypeName(contract.inputs.front().types.front())) +
                          "' in the first line");
    return false;
  }
  llvm::StringRef written = llvm::StringRef(text).take_until([](char c) { return c == '\n'; });
  if (size_t behind = written.find("func.func"); behind < written.find("//")) {
    diagnostics.error(Code::E0310, {path, 1, unsigned(behind) + 1},
                      "expects nothing but aliases in the first line of a body, which is replaced "
                      "for each type row and shape: found 'func.func'",
                      "bind_c12", "begin the function in a line of its own");
    return false;
  }
  // The types are replaced, so any will do.
  written = written.take_front(std::min(written.find("//"), written.size()));
  if (size_t other = otherText(written); other != llvm::StringRef::npos) {
    diagnostics.error(Code::E0310, {path, 1, unsigned(other) + 1},
                      "expects nothing but aliases of element types in the first line of a body, found '" +
                          printable(written.drop_front(other).rtrim().str()) + "'",
                      "bind_c12",
                      "write '!T = " + std::string(mlirTypeName(contract.inputs.front().types.front())) +
                          "' in the first line");
    return false;
  }
  return true;
}

std::optional<std::string> instantiateTe(const std::string &text, const Contract &contract, unsigned typeRow,
                                         const ShapeKey &key, const std::string &path, Diagnostics &diagnostics) {
  if (!checkAliases(text, contract, path, diagnostics))
    return std::nullopt;
  std::string line;
  auto define = [&](const std::string &name, const std::string &value) {
    // A tensor may be named T; both aliases then have the same name.
    if (!llvm::StringRef(line).contains(name + " = "))
      line += (line.empty() ? "" : " ") + name + " = " + value;
  };
  size_t index = 0;
  for (const ContractTensor &tensor : writtenInputs(contract)) {
    const bool isThere = !isAbsent(contract, tensor);
    define("!" + tensor.name, !tensor.count.empty() ? eachTypeText(contract, typeRow, key, index)
                              : isThere             ? tensorTypeText(contract, typeRow, key, index++)
                                                    : absentTypeText(tensor, typeRow));
  }
  index = contract.inputs.size();
  for (const ContractTensor &tensor : contract.outputs)
    define("!" + tensor.name, tensorTypeText(contract, typeRow, key, index++));
  define("!T", std::string(mlirTypeName(contract.inputs.front().types[typeRow])));
  for (const ContractAttribute &attribute : contract.attributes) {
    if (attribute.binding != Binding::Compile || isOfShapes(contract, attribute.name))
      continue;
    std::string value = attributeText(attribute.defaultValue);
    if (value.empty()) {
      diagnostics.error(Code::E0310, attribute.location,
                        "expects attribute '" + attribute.name + "', which is bound at compile time, to have a value",
                        "bind_c13", "add 'default:', or bind it at launch");
      return std::nullopt;
    }
    define("#" + attribute.name, value);
  }
  std::vector<int64_t> axes;
  const bool isGiven =
      llvm::any_of(contract.outputs, [](const ContractTensor &output) { return bool(output.reduces); });
  for (size_t loop = 0; loop < key.reduced.size() && isGiven; ++loop)
    if (key.reduced[loop])
      axes.push_back(int64_t(loop));
  if (!axes.empty())
    define("#axes", valueText(axes));
  return line + text.substr(std::min(text.find('\n'), text.size()));
}

//===----------------------------------------------------------------------===//
// Absent inputs
//===----------------------------------------------------------------------===//

/// The other operand of an operation to which a number on one side of it is neutral; null for others.
static Value otherOfNeutral(Operation *op, Value constant, double number) {
  const bool isRight = op->getNumOperands() == 2 && op->getOperand(1) == constant;
  const bool isLeft = op->getNumOperands() == 2 && op->getOperand(0) == constant;
  bool isNeutral = false;
  if (isa<te::AddOp>(op))
    isNeutral = number == 0;
  else if (isa<te::MulOp>(op))
    isNeutral = number == 1;
  else if (isa<te::SubOp>(op))
    isNeutral = isRight && number == 0;
  else if (isa<te::DivOp>(op))
    isNeutral = isRight && number == 1;
  else if (isa<te::AndOp>(op))
    isNeutral = number == 1;
  else if (isa<te::OrOp, te::XorOp>(op))
    isNeutral = number == 0;
  if (!isNeutral || isLeft == isRight)
    return {};
  Value other = op->getOperand(isLeft ? 1 : 0);
  return other.getType() == op->getResult(0).getType() ? other : Value();
}

static double numberOf(const AttributeValue &value) {
  const auto *whole = std::get_if<int64_t>(&value);
  return whole ? double(*whole) : std::get<double>(value);
}

static TypedAttr valueOf(const AttributeValue &value, Type type) {
  Builder builder(type.getContext());
  if (isa<FloatType>(type))
    return builder.getF64FloatAttr(numberOf(value));
  if (const bool *truth = std::get_if<bool>(&value))
    return builder.getI64IntegerAttr(*truth);
  return builder.getI64IntegerAttr(std::get<int64_t>(value));
}

/// The number of a constant of type f32; nullopt for other values.
static std::optional<double> floatOf(Value value) {
  auto constant = value.getDefiningOp<te::ConstantOp>();
  auto number = constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  return number && constant.getType().isF32() ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

/// Folds an operation on numbers; nullopt for operations that are not folded. `b` is `a` if there is one operand.
static std::optional<double> numberMade(Operation *op, double a, double b) {
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([&](te::AddOp) { return a + b; })
      .Case([&](te::SubOp) { return a - b; })
      .Case([&](te::MulOp) { return a * b; })
      .Case([&](te::DivOp) { return a / b; })
      .Case([&](te::MaximumOp) { return std::isnan(a) || a > b ? a : b; })
      .Case([&](te::MinimumOp) { return std::isnan(a) || a < b ? a : b; })
      .Case([&](te::NegOp) { return -a; })
      .Case([&](te::AbsOp) { return std::fabs(a); })
      .Case([&](te::ReluOp) { return std::isnan(a) || a > 0 ? a : 0.0; })
      .Case([&](te::FloorOp) { return std::floor(a); })
      .Case([&](te::CeilOp) { return std::ceil(a); })
      .Case([&](te::RoundOp) { return std::nearbyint(a); })
      .Case([&](te::TruncOp) { return std::trunc(a); })
      .Case([&](te::ExpOp) { return std::exp(a); })
      .Case([&](te::Expm1Op) { return std::expm1(a); })
      .Case([&](te::LogOp) { return std::log(a); })
      .Case([&](te::Log1pOp) { return std::log1p(a); })
      .Case([&](te::SqrtOp) { return std::sqrt(a); })
      .Case([&](te::RsqrtOp) { return 1 / std::sqrt(a); })
      .Case([&](te::ReciprocalOp) { return 1 / a; })
      .Case([&](te::SinOp) { return std::sin(a); })
      .Case([&](te::CosOp) { return std::cos(a); })
      .Case([&](te::SigmoidOp) { return 1 / (1 + std::exp(-a)); })
      .Case([&](te::TanhOp) { return std::tanh(a); })
      .Case([&](te::ErfOp) { return std::erf(a); })
      .Default([](Operation *) { return std::nullopt; });
}

/// The number of a constant of any type; nullopt for other values, and for integers that a double cannot represent.
static std::optional<double> anyNumberOf(Value value) {
  auto constant = value.getDefiningOp<te::ConstantOp>();
  if (!constant || isa<RankedTensorType>(constant.getType()))
    return std::nullopt;
  if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
    return real.getValueAsDouble();
  const int64_t whole = cast<IntegerAttr>(constant.getValue()).getInt();
  return std::abs(double(whole)) < 0x1p53 ? std::optional(double(whole)) : std::nullopt;
}

static double rounded(double number, te::Rounding rounding) {
  switch (rounding) {
  case te::Rounding::NearestEven:
    return std::nearbyint(number);
  case te::Rounding::NearestAway:
    return std::round(number);
  case te::Rounding::Floor:
    return std::floor(number);
  case te::Rounding::Ceil:
    return std::ceil(number);
  case te::Rounding::Trunc:
    return std::trunc(number);
  }
  return number;
}

/// The attribute of a number after a cast to a type; null if the type cannot represent it.
static TypedAttr castNumber(te::CastOp op, double number) {
  Builder builder(op.getContext());
  const Type to = op.getElement();
  if (auto real = dyn_cast<FloatType>(to)) {
    if (op.getRounding() != te::Rounding::NearestEven)
      return {};
    bool losesInfo = false;
    APFloat value(number);
    value.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return builder.getF64FloatAttr(value.convertToDouble());
  }
  if (to.isInteger(1))
    return builder.getI64IntegerAttr(number != 0);
  const double whole = rounded(number, op.getRounding());
  const unsigned width = to.getIntOrFloatBitWidth();
  const bool isUnsigned = to.isUnsignedInteger() || op.getIsUnsigned();
  const double least = isUnsigned ? 0.0 : -std::ldexp(1.0, int(width) - 1);
  const double beyond = std::ldexp(1.0, int(width) - (isUnsigned ? 0 : 1));
  if (isUnsigned || std::isnan(whole) || whole < least || whole >= beyond || std::fabs(whole) >= 0x1p53)
    return {};
  return builder.getI64IntegerAttr(int64_t(whole));
}

static bool compares(te::Predicate predicate, double a, double b) {
  switch (predicate) {
  case te::Predicate::Eq:
    return a == b;
  case te::Predicate::Ne:
    return a != b;
  case te::Predicate::Lt:
    return a < b;
  case te::Predicate::Le:
    return a <= b;
  case te::Predicate::Gt:
    return a > b;
  case te::Predicate::Ge:
    return a >= b;
  }
  return false;
}

/// The result of a cast, a negation, a comparison or a test of numbers, or of a select whose condition is a number;
/// null for others.
static Value selectionMade(Operation *op, const llvm::DenseSet<Value> &numbers) {
  OpBuilder builder(op);
  auto constantOf = [&](TypedAttr value) -> Value {
    return value ? te::ConstantOp::create(builder, op->getLoc(), value, TypeAttr::get(op->getResult(0).getType()))
                 : Value();
  };
  if (auto select = dyn_cast<te::SelectOp>(op)) {
    std::optional<double> truth = anyNumberOf(select.getCondition());
    if (!truth || !numbers.contains(select.getCondition()))
      return {};
    Value chosen = *truth != 0 ? select.getLhs() : select.getRhs();
    return chosen.getType() == select.getType() ? chosen : Value();
  }
  if (llvm::none_of(op->getOperands(), [&](Value operand) { return numbers.contains(operand); }) ||
      op->getNumResults() != 1 || isa<RankedTensorType>(op->getResult(0).getType()))
    return {};
  SmallVector<double> values;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = anyNumberOf(operand);
    if (!number)
      return {};
    values.push_back(*number);
  }
  if (auto cast = dyn_cast<te::CastOp>(op))
    return constantOf(castNumber(cast, values[0]));
  if (isa<te::IsNanOp>(op))
    return constantOf(builder.getI64IntegerAttr(std::isnan(values[0])));
  if (isa<te::IsInfOp>(op))
    return constantOf(builder.getI64IntegerAttr(std::isinf(values[0])));
  if (isa<te::NotOp>(op))
    return constantOf(builder.getI64IntegerAttr(values[0] == 0));
  if (auto compare = dyn_cast<te::CompareOp>(op))
    return constantOf(builder.getI64IntegerAttr(compares(compare.getPredicate(), values[0], values[1])));
  return {};
}

/// The value that replaces an operation with the number of an absent input among its operands; null if it remains.
static Value valueMade(Operation *op, const llvm::DenseSet<Value> &numbers) {
  if (Value made = selectionMade(op, numbers))
    return made;
  if (op->getNumOperands() == 0 || op->getNumOperands() > 2 || op->getNumResults() != 1)
    return {};
  Value left = op->getOperand(0), right = op->getOperand(op->getNumOperands() - 1);
  if (!numbers.contains(left) && !numbers.contains(right))
    return {};
  std::optional<double> a = floatOf(left), b = floatOf(right);
  if (a && b && op->getResult(0).getType().isF32())
    if (std::optional<double> made = numberMade(op, *a, *b)) {
      OpBuilder builder(op);
      // Each operation rounds to f32, as it would in a kernel.
      return te::ConstantOp::create(builder, op->getLoc(), builder.getF64FloatAttr(double(float(*made))),
                                    TypeAttr::get(builder.getF32Type()));
    }
  for (Value number : {left, right})
    if (auto constant = numbers.contains(number) ? number.getDefiningOp<te::ConstantOp>() : te::ConstantOp()) {
      auto whole = dyn_cast<IntegerAttr>(constant.getValue());
      if (Value other = otherOfNeutral(op, number, whole ? double(whole.getInt()) : floatOf(number).value_or(NAN)))
        return other;
    }
  return {};
}

/// Erases unused constants.
static void eraseUnused(const llvm::DenseSet<Value> &numbers) {
  for (Value number : numbers)
    if (number.use_empty())
      number.getDefiningOp()->erase();
}

void takeAbsent(func::FuncOp function, const Contract &contract) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  llvm::BitVector gone(function.getNumArguments());
  llvm::DenseSet<Value> numbers; // numbers that are known because of absent inputs
  for (auto [i, input] : llvm::enumerate(writtenInputs(contract))) {
    if (!isAbsent(contract, input))
      continue;
    gone.set(unsigned(i));
    BlockArgument argument = function.getArgument(unsigned(i));
    Type type = argument.getType();
    Value constant =
        te::ConstantOp::create(builder, argument.getLoc(), valueOf(input.absent, type), TypeAttr::get(type));
    argument.replaceAllUsesWith(constant);
    numbers.insert(constant);
  }
  if (gone.none())
    return;
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (Value made = valueMade(&op, numbers)) {
      if (made.getDefiningOp<te::ConstantOp>())
        numbers.insert(made);
      op.getResult(0).replaceAllUsesWith(made);
      op.erase();
    }
  eraseUnused(numbers);
  (void)function.eraseArguments(gone);
}

} // namespace opc
