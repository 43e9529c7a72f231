#include "lowering/aicore/verify/values/Facts.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace opc::aicore {

//===----------------------------------------------------------------------===//
// Saturating arithmetic
//===----------------------------------------------------------------------===//

static int64_t clamp(__int128 value) {
  return static_cast<int64_t>(std::max<__int128>(INT64_MIN, std::min<__int128>(INT64_MAX, value)));
}

static bool isLimit(int64_t value) {
  return value == INT64_MIN || value == INT64_MAX;
}

static int64_t add(int64_t a, int64_t b) {
  // Limits absorb what is added: "any" plus one is "any".
  if (isLimit(a))
    return a;
  return isLimit(b) ? b : clamp(__int128(a) + b);
}

static int64_t negate(int64_t a) {
  return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a;
}

static int64_t multiply(int64_t a, int64_t b) {
  return clamp(__int128(a) * b);
}

/// The divisor must be at least 1.
static int64_t floorDivide(int64_t a, int64_t b) {
  if (isLimit(a))
    return a;
  return a / b - (a % b < 0);
}

static int64_t gcd(int64_t a, int64_t b) {
  // INT64_MIN has no absolute value.
  if (a == INT64_MIN || b == INT64_MIN)
    return 1;
  return std::gcd(a, b);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static Fact constantFact(int64_t value) {
  return {value, value, value == INT64_MIN ? 1 : std::abs(value)};
}

Fact sum(Fact a, Fact b) {
  return {add(a.min, b.min), add(a.max, b.max), gcd(a.divisor, b.divisor)};
}

static Fact product(Fact a, Fact b) {
  int64_t corners[] = {multiply(a.min, b.min), multiply(a.min, b.max), multiply(a.max, b.min), multiply(a.max, b.max)};
  __int128 divisor = __int128(a.divisor) * b.divisor;
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4),
          divisor > INT64_MAX ? std::max(a.divisor, b.divisor) : static_cast<int64_t>(divisor)};
}

static Fact quotient(Fact a, Fact b, bool roundUp) {
  if (b.min < 1)
    return {};
  auto divide = [roundUp](int64_t x, int64_t y) {
    return roundUp ? negate(floorDivide(negate(x), y)) : floorDivide(x, y);
  };
  int64_t corners[] = {divide(a.min, b.min), divide(a.min, b.max), divide(a.max, b.min), divide(a.max, b.max)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4), 1};
}

static Fact remainder(Fact a, Fact b) {
  if (b.min < 1)
    return {};
  int64_t most = b.hasMax() ? b.max - 1 : INT64_MAX;
  int64_t divisor = gcd(a.divisor, b.divisor);
  if (a.min >= 0)
    return {0, std::min(a.max, most), divisor};
  return {negate(most), most, divisor};
}

static Fact either(Fact a, Fact b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max), gcd(a.divisor, b.divisor)};
}

Fact Facts::derive(Operation *op) const {
  llvm::APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64 ? constantFact(constant.getSExtValue()) : Fact();
  if (auto source = dyn_cast<InferIntRangeInterface>(op); source && op->getNumOperands() == 0) {
    Fact known;
    source.inferResultRanges({}, [&](Value, const ConstantIntRanges &range) {
      known = {range.smin().getSExtValue(), range.smax().getSExtValue(), 1};
    });
    return known;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // If both operands of the comparison are known numbers, so is the branch of the select.
    if (auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>()) {
      Fact lhs = of(compare.getLhs()), rhs = of(compare.getRhs());
      bool known = lhs.hasMin() && rhs.hasMin() && lhs.min == lhs.max && rhs.min == rhs.max;
      if (known && compare.getPredicate() == arith::CmpIPredicate::eq)
        return of(lhs.min == rhs.min ? select.getTrueValue() : select.getFalseValue());
      if (known && compare.getPredicate() == arith::CmpIPredicate::slt)
        return of(lhs.min < rhs.min ? select.getTrueValue() : select.getFalseValue());
    }
    return either(of(select.getTrueValue()), of(select.getFalseValue()));
  }
  if (op->getNumOperands() != 2)
    return {};
  Fact a = of(op->getOperand(0)), b = of(op->getOperand(1));
  int64_t common = gcd(a.divisor, b.divisor);
  return llvm::TypeSwitch<Operation *, Fact>(op)
      .Case<arith::AddIOp>([&](Operation *) { return sum(a, b); })
      .Case<arith::SubIOp>([&](Operation *) { return sum(a, {negate(b.max), negate(b.min), b.divisor}); })
      .Case<arith::MulIOp>([&](Operation *) { return ofProduct(op->getOperand(0), op->getOperand(1)); })
      .Case<arith::FloorDivSIOp>([&](Operation *) { return quotient(a, b, /*roundUp=*/false); })
      .Case<arith::CeilDivSIOp>([&](Operation *) { return quotient(a, b, /*roundUp=*/true); })
      .Case<arith::RemSIOp>([&](Operation *) { return remainder(a, b); })
      .Case<arith::MinSIOp>([&](Operation *) { return Fact{std::min(a.min, b.min), std::min(a.max, b.max), common}; })
      .Case<arith::MaxSIOp>([&](Operation *) { return Fact{std::max(a.min, b.min), std::max(a.max, b.max), common}; })
      .Default([](Operation *) { return Fact(); });
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

// Recursion follows minima and maxima, which are a few ops deep. The limit bounds the time that shared operands could
// cost.
static int64_t quotientBound(const Facts &facts, Value a, Value b, unsigned depth) {
  int64_t bound = multiply(facts.of(a).max, facts.of(b).max);
  Operation *op = a.getDefiningOp();
  if (!op || depth > 8)
    return bound;
  if (auto quotient = dyn_cast<arith::FloorDivSIOp>(op); quotient && facts.of(quotient.getLhs()).min >= 0 &&
                                                         facts.of(b).min >= 0 && facts.of(quotient.getRhs()).min >= 1 &&
                                                         facts.atMost(b, quotient.getRhs()))
    return std::min(bound, facts.of(quotient.getLhs()).max);
  if (!isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return bound;
  int64_t lhs = quotientBound(facts, op->getOperand(0), b, depth + 1);
  int64_t rhs = quotientBound(facts, op->getOperand(1), b, depth + 1);
  return std::min(bound, isa<arith::MinSIOp>(op) ? std::min(lhs, rhs) : std::max(lhs, rhs));
}

int64_t Facts::productBound(Value a, Value b) const {
  return std::min(quotientBound(*this, a, b, 0), quotientBound(*this, b, a, 0));
}

Fact Facts::ofProduct(Value a, Value b) const {
  Fact fact = product(of(a), of(b));
  // The rule requires factors that are not negative.
  if (of(b).min >= 1 || of(a).min >= 1)
    fact.max = std::min(fact.max, std::max<int64_t>(0, productBound(a, b)));
  return fact;
}

bool Facts::atMost(OpFoldResult a, Value b, unsigned depth) const {
  auto value = dyn_cast<Value>(a);
  if (value == b || of(a).max <= of(b).min)
    return true;
  // The depth is limited, since each minimum or maximum doubles the search.
  constexpr unsigned kDeepest = 12;
  if (++depth > kDeepest)
    return false;
  if (auto minimum = b.getDefiningOp<arith::MinSIOp>())
    return atMost(a, minimum.getLhs(), depth) && atMost(a, minimum.getRhs(), depth);
  if (auto maximum = b.getDefiningOp<arith::MaxSIOp>())
    if (atMost(a, maximum.getLhs(), depth) || atMost(a, maximum.getRhs(), depth))
      return true;
  // Products with a common factor compare as their other factors.
  if (auto larger = b.getDefiningOp<arith::MulIOp>())
    if (auto smaller = value ? value.getDefiningOp<arith::MulIOp>() : arith::MulIOp())
      if (smaller.getRhs() == larger.getRhs() && of(larger.getRhs()).min >= 0 &&
          atMost(smaller.getLhs(), larger.getLhs(), depth))
        return true;
  // b = (x ceildiv c) * c is x rounded up to a multiple of c.
  if (auto product = b.getDefiningOp<arith::MulIOp>())
    if (auto quotient = product.getLhs().getDefiningOp<arith::CeilDivSIOp>())
      if (quotient.getRhs() == product.getRhs() && of(product.getRhs()).min >= 1 && atMost(a, quotient.getLhs(), depth))
        return true;
  if (!value)
    return false;
  if (auto minimum = value.getDefiningOp<arith::MinSIOp>())
    return atMost(minimum.getLhs(), b, depth) || atMost(minimum.getRhs(), b, depth);
  if (auto maximum = value.getDefiningOp<arith::MaxSIOp>())
    return atMost(maximum.getLhs(), b, depth) && atMost(maximum.getRhs(), b, depth);
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    return of(difference.getRhs()).min >= 0 && atMost(difference.getLhs(), b, depth);
  return false;
}

// A single walk in program order suffices: operands are visited before their users.
Facts::Facts(func::FuncOp function) {
  walk(function);
}

Facts::Facts(func::FuncOp function, Value assumed, int64_t number) : assumed(assumed), assumedNumber(number) {
  walk(function);
}

void Facts::walk(func::FuncOp function) {
  // Sizes in a launch are not negative.
  if (function->hasAttr(AICoreDialect::kTilingAttr))
    for (BlockArgument argument : function.getArguments())
      facts[argument] = {0, INT64_MAX, 1};
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      int64_t trips = of(loop.getUpperBound()).max;
      facts[loop.getInductionVar()] = {0, trips == INT64_MAX ? trips : std::max<int64_t>(trips, 1) - 1, 1};
      return;
    }
    if (op->getNumResults() == 1 && op->getResult(0).getType().isIntOrIndex())
      facts[op->getResult(0)] = op->getResult(0) == assumed ? constantFact(assumedNumber) : derive(op);
  });
}

Fact Facts::of(Value value) const {
  auto fact = facts.find(value);
  return fact == facts.end() ? Fact() : fact->second;
}

Fact Facts::of(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constantFact(*constant);
  return of(cast<Value>(value));
}

std::string toText(const Fact &fact) {
  auto end = [](bool known, int64_t value) { return known ? std::to_string(value) : "any"; };
  return "[" + end(fact.hasMin(), fact.min) + ", " + end(fact.hasMax(), fact.max) + "]";
}

} // namespace opc::aicore
