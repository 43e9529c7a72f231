#include "lowering/aicore/verify/order/program/Repetition.h"

#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace opc::aicore::proof {

static constexpr int64_t kNever = INT64_MAX / 4;

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

/// The loop of which a value is the counter.
static scf::ForOp loopOf(Value counter) {
  auto argument = dyn_cast<BlockArgument>(counter);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && counter == loop.getInductionVar() ? loop : scf::ForOp();
}

// A negative bound is walked as 0. Inside the loops with that bound this makes no difference, since they do not run.
Repetition::Course Repetition::atBound(Value bound) const {
  bool inside = llvm::all_of(bound.getUsers(), [&](Operation *user) {
    if (auto loop = dyn_cast<scf::ForOp>(user); loop && loop.getUpperBound() == bound)
      return true;
    for (auto loop = user->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
      if (loop.getUpperBound() == bound)
        return true;
    return false;
  });
  return {Course::Counts, bound, 0, !inside && facts.of(bound).min < 0, {}};
}

Repetition::Repetition(func::FuncOp kernel) : kernel(kernel), facts(kernel) {
  kernel.walk([&](scf::ForOp loop) {
    if (!isConstant(loop.getUpperBound()))
      bounds.insert(loop.getUpperBound());
  });
  kernel.walk([&](TilingDataOp read) {
    if (read.getCases())
      casesOf.try_emplace(read.getName(), llvm::SmallVector<int64_t>(*read.getCases()));
  });
  // Operands are visited before their users.
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      courses[loop.getInductionVar()] = {Course::Counts, loop.getInductionVar(), 0, false, {}};
      return;
    }
    llvm::APInt divisor;
    if (auto buffer = dyn_cast<BufferOp>(op))
      divideBy(buffer.getSlots());
    else if (isa<arith::RemSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
      divideBy(divisor.getSExtValue());
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex())
      return;
    Value result = op->getResult(0);
    Course course = derive(op);
    if (bounds.contains(result))
      course = atBound(result);
    else if (course.kind == Course::Free && !course.cause)
      course.cause = result;
    courses[result] = course;
  });
}

Repetition::Course Repetition::courseOf(Value value) const {
  auto course = courses.find(value);
  if (course != courses.end())
    return course->second;
  return {Course::Free, {}, 0, false, value};
}

void Repetition::divideBy(int64_t divisor) {
  if (divisor > 1)
    divisors.push_back(divisor);
}

int64_t Repetition::period(int64_t limit) const {
  int64_t period = 1;
  for (int64_t divisor : divisors) {
    if (divisor > limit)
      return limit + 1;
    period = std::lcm(period, divisor);
    if (period > limit)
      return limit + 1;
  }
  return period;
}

void Repetition::settle(Value counted, int64_t trips) {
  scf::ForOp loop = loopOf(counted);
  int64_t &known = settledAt[loop ? loop.getUpperBound() : counted];
  known = std::max(known, std::clamp<int64_t>(trips, 0, kNever));
}

/// Whether the results of the op repeat if its operands do.
static bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp,
             arith::MinSIOp, arith::MaxSIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpIOp, arith::SelectOp,
             arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp>(op);
}

// The remainder of a polynomial of counters repeats while the polynomial is not negative; the remainder of a negative
// number would take its sign.
Repetition::Course Repetition::remainder(Operation *op, const Course &number, const Course &divisor) {
  const Course free = {Course::Free, {}, 0, false, op->getResult(0)};
  Operation *by = op->getOperand(1).getDefiningOp();
  llvm::APInt constant;
  if (auto field = dyn_cast_or_null<TilingDataOp>(by); field && divisor.kind == Course::Fixed) {
    for (int64_t value : casesOf.lookup(field.getName()))
      divideBy(value);
  } else if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
    return free;
  }
  if (number.negative) {
    if (number.kind != Course::Counts || !loopOf(number.of))
      return free;
    settle(number.of, -number.offset);
  }
  return {Course::Repeats, {}, 0, false, {}};
}

// Comparing i + a with a number k: the result is final after iteration k - a. Comparing i + a with the bound n + b of
// i's own loop: the result depends on the distance to the end, and is the same for all iterations more than a - b
// before it.
Repetition::Course Repetition::compare(Operation *op, const Course &lhs, const Course &rhs) {
  const Course free = {Course::Free, {}, 0, false, op->getResult(0)}, repeats = {Course::Repeats, {}, 0, false, {}};
  auto fixedOf = [&](unsigned operand, const Course &course) -> std::optional<Fact> {
    Fact fact = facts.of(op->getOperand(operand));
    if (course.kind != Course::Fixed || !fact.hasMin() || !fact.hasMax())
      return std::nullopt;
    return fact;
  };
  if (lhs.kind == Course::Counts && rhs.kind == Course::Counts) {
    scf::ForOp left = loopOf(lhs.of), right = loopOf(rhs.of);
    const Course &counter = left ? lhs : rhs, &bound = left ? rhs : lhs;
    scf::ForOp loop = left ? left : right;
    if (lhs.of == rhs.of)
      return repeats; // The difference of the two is a constant.
    if (!loop || (left && right) || loop.getUpperBound() != bound.of)
      return free;
    // Each trip count shows the iteration just before the end.
    int64_t &end = nearEnd[bound.of];
    end = std::max(end, counter.offset - bound.offset - 1);
    return repeats;
  }
  const Course &counted = lhs.kind == Course::Counts ? lhs : rhs;
  std::optional<Fact> number = lhs.kind == Course::Counts ? fixedOf(1, rhs) : fixedOf(0, lhs);
  if (counted.kind != Course::Counts || !number)
    return free;
  __int128 last = __int128(number->max) - counted.offset + 1;
  settle(counted.of, last > kNever ? kNever : last < 0 ? 0 : int64_t(last));
  return repeats;
}

Repetition::Course Repetition::derive(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return {Course::Fixed, {}, 0, false, {}};
  if (auto read = dyn_cast<TilingDataOp>(op); read && casesOf.contains(read.getName()))
    return {Course::Fixed, {}, 0, false, {}};
  if (!isArithmetic(op))
    return {};
  SmallVector<Course, 3> from;
  for (Value operand : op->getOperands())
    from.push_back(courseOf(operand));
  for (const Course &course : from)
    if (course.kind == Course::Free)
      return course;
  auto all = [&](auto holds) { return llvm::all_of(from, holds); };
  if (all([](const Course &course) { return course.kind == Course::Fixed; }) && !isa<arith::RemSIOp>(op))
    return {Course::Fixed, {}, 0, false, {}};
  if (all([](const Course &course) { return course.kind <= Course::Repeats; }))
    return {all([](const Course &course) { return course.kind == Course::Fixed; }) ? Course::Fixed : Course::Repeats,
            {},
            0,
            false,
            {}};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
    return from.front();
  if (isa<arith::RemSIOp>(op))
    return remainder(op, from[0], from[1]);
  if (isa<arith::CmpIOp>(op))
    return compare(op, from[0], from[1]);
  // A counter plus or minus a constant.
  llvm::APInt number;
  const bool isSum = isa<arith::AddIOp>(op), isDifference = isa<arith::SubIOp>(op);
  for (unsigned counted : {0u, 1u}) {
    if (!(isSum || (isDifference && counted == 0)) || from[counted].kind != Course::Counts ||
        !matchPattern(op->getOperand(1 - counted), m_ConstantInt(&number)) || number.getSignificantBits() > 32)
      continue;
    Course sum = from[counted];
    sum.offset += isSum ? number.getSExtValue() : -number.getSExtValue();
    if (sum.offset < -kNever || sum.offset > kNever)
      return {};
    sum.negative |= sum.offset < 0;
    return sum;
  }
  // max(x, 0): a loop with a negative bound runs zero times, so the clamp does not change how it runs.
  if (isa<arith::MaxSIOp>(op))
    for (unsigned counted : {0u, 1u})
      if (from[counted].kind >= Course::Counts && !from[counted].negative &&
          facts.of(op->getOperand(1 - counted)).max <= 0)
        return from[counted];
  if (isSum || isDifference || isa<arith::MulIOp>(op)) {
    bool negative = isDifference;
    for (auto [index, course] : llvm::enumerate(from))
      negative |= course.kind <= Course::Repeats ? facts.of(op->getOperand(unsigned(index))).min < 0 : course.negative;
    return {Course::Runs, {}, 0, negative, {}};
  }
  return {};
}

Repetition::Stray Repetition::stray() const {
  Stray found;
  auto check = [&](Operation *op, OpFoldResult number) {
    auto value = dyn_cast<Value>(number);
    if (!value)
      return WalkResult::advance();
    Course course = courseOf(value);
    if (course.kind <= Course::Repeats)
      return WalkResult::advance();
    found = {op, course.kind == Course::Free ? course.cause : value};
    return WalkResult::interrupt();
  };
  func::FuncOp(kernel).walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return check(op, branch.getCondition());
    if (auto set = dyn_cast<SetFlagOp>(op))
      return check(op, OpFoldResult(set.getId()));
    if (auto wait = dyn_cast<WaitFlagOp>(op))
      return check(op, OpFoldResult(wait.getId()));
    auto view = dyn_cast<memref::SubViewOp>(op);
    if (!view || view.getSourceType().getRank() != 2)
      return WalkResult::advance();
    BufferOp buffer = bufferOfView(view.getSource());
    return buffer && buffer.getSlots() > 1 ? check(op, view.getMixedOffsets().front()) : WalkResult::advance();
  });
  return found;
}

bool Repetition::isWalked(OpFoldResult value) const {
  auto number = dyn_cast<Value>(value);
  return !number || courseOf(number).kind != Course::Free;
}

bool Repetition::isTripDependent(OpFoldResult value) const {
  auto number = dyn_cast<Value>(value);
  const Course::Kind kind = number ? courseOf(number).kind : Course::Fixed;
  return kind == Course::Counts || kind == Course::Runs;
}

} // namespace opc::aicore::proof
