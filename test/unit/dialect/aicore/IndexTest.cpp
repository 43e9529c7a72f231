// Index arithmetic and views against MLIR's own folders and types: what a pass evaluates, builds or follows has the
// numbers that MLIR gives.

#include "dialect/aicore/AICoreOps.h"
#include "dialect/aicore/index/Evaluate.h"
#include "dialect/aicore/index/IndexBuilder.h"
#include "dialect/aicore/index/NonNegative.h"
#include "dialect/aicore/index/ViewShape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace opc;

namespace {

class Index : public testing::Test {
protected:
  Index() : builder(&context) {
    context.loadDialect<aicore::AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    function = func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                                    builder.getFunctionType({builder.getIndexType()}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    argument = function.getArgument(0);
  }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, builder.getUnknownLoc(), value); }
  /// The number that arith's folder gives an op; none where it does not fold.
  static std::optional<int64_t> folded(Operation *op) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(cast<arith::ConstantOp>(operand.getDefiningOp()).getValue());
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return std::nullopt;
    auto number = dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(results.front()));
    if (auto value = dyn_cast<Value>(results.front()))
      number = dyn_cast<IntegerAttr>(cast<arith::ConstantOp>(value.getDefiningOp()).getValue());
    if (!number)
      return std::nullopt;
    return number.getType().isInteger(1) ? int64_t(number.getValue().getZExtValue()) : number.getValue().getSExtValue();
  }
  template <typename Op> void compare() {
    for (int64_t a : numbers)
      for (int64_t b : numbers) {
        auto op = Op::create(builder, builder.getUnknownLoc(), constant(a), constant(b));
        const std::optional<EvaluatedOp> evaluated = evaluatedOp(op);
        std::optional<int64_t> ours = evaluated ? evaluated->evaluate(a, b) : std::nullopt;
        // Divisors are at least 1 (tiling_c6); for others arith says nothing, or something that no pass may rely on.
        if (b >= 1)
          EXPECT_EQ(ours, folded(op)) << Op::getOperationName().str() << " " << a << " " << b;
        else if (ours && folded(op))
          EXPECT_EQ(ours, folded(op)) << Op::getOperationName().str() << " " << a << " " << b;
      }
  }

  static constexpr int64_t numbers[] = {-4097, -64, -7, -1, 0, 1, 2, 7, 64, 4097};
  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Value argument;
};

TEST_F(Index, SignedArithmeticIsArithsOwn) {
  compare<arith::AddIOp>();
  compare<arith::SubIOp>();
  compare<arith::MulIOp>();
  compare<arith::FloorDivSIOp>();
  compare<arith::CeilDivSIOp>();
  compare<arith::RemSIOp>();
  compare<arith::MinSIOp>();
  compare<arith::MaxSIOp>();
}

// On numbers that are not negative an unsigned op is the signed one; on others there is no number rather than a wrong
// one.
TEST_F(Index, UnsignedArithmeticHasItsNumberOrNone) {
  auto check = [&](auto create) {
    for (int64_t a : numbers)
      for (int64_t b : numbers) {
        Operation *op = create(constant(a), constant(b));
        const std::optional<EvaluatedOp> evaluated = evaluatedOp(op);
        std::optional<int64_t> ours = evaluated ? evaluated->evaluate(a, b) : std::nullopt;
        if (a < 0 || b < 0)
          EXPECT_EQ(ours, std::nullopt) << op->getName().getStringRef().str() << " " << a << " " << b;
        else if (b >= 1)
          EXPECT_EQ(ours, folded(op)) << op->getName().getStringRef().str() << " " << a << " " << b;
      }
  };
  Location loc = builder.getUnknownLoc();
  check([&](Value a, Value b) -> Operation * { return arith::DivUIOp::create(builder, loc, a, b); });
  check([&](Value a, Value b) -> Operation * { return arith::CeilDivUIOp::create(builder, loc, a, b); });
  check([&](Value a, Value b) -> Operation * { return arith::RemUIOp::create(builder, loc, a, b); });
  check([&](Value a, Value b) -> Operation * { return arith::MinUIOp::create(builder, loc, a, b); });
  check([&](Value a, Value b) -> Operation * { return arith::MaxUIOp::create(builder, loc, a, b); });
}

TEST_F(Index, ComparisonsAreArithsOwn) {
  for (unsigned i = 0; i <= arith::getMaxEnumValForCmpIPredicate(); ++i)
    for (int64_t a : numbers)
      for (int64_t b : numbers) {
        auto predicate = *arith::symbolizeCmpIPredicate(i);
        auto op = arith::CmpIOp::create(builder, builder.getUnknownLoc(), predicate, constant(a), constant(b));
        const std::optional<EvaluatedOp> evaluated = evaluatedOp(op);
        std::optional<int64_t> ours = evaluated ? evaluated->evaluate(a, b) : std::nullopt;
        bool isUnsigned = arith::stringifyCmpIPredicate(predicate).starts_with("u");
        if (isUnsigned && (a < 0 || b < 0))
          EXPECT_EQ(ours, std::nullopt);
        else
          EXPECT_EQ(ours, folded(op)) << arith::stringifyCmpIPredicate(predicate).str() << " " << a << " " << b;
      }
}

// With a sign `true` is -1, and the minimum that `and` is would take it for less than false.
TEST_F(Index, TruthValues) {
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      Value lhs = arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), a, 1);
      Value rhs = arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), b, 1);
      auto none = [](Value) { return std::optional<int64_t>(); };
      EXPECT_EQ(evaluate(arith::AndIOp::create(builder, builder.getUnknownLoc(), lhs, rhs), none, 4), int64_t(a && b));
      EXPECT_EQ(evaluate(arith::OrIOp::create(builder, builder.getUnknownLoc(), lhs, rhs), none, 4), int64_t(a || b));
    }
}

TEST_F(Index, OverflowAndUnknownValuesHaveNoNumber) {
  EXPECT_EQ(evaluateBinary(ScalarOp::Add, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(evaluateBinary(ScalarOp::Mul, INT64_MAX, 2), std::nullopt);
  EXPECT_EQ(evaluateBinary(ScalarOp::Rem, 7, 0), std::nullopt);
  auto sum = arith::AddIOp::create(builder, builder.getUnknownLoc(), argument, constant(3));
  auto none = [](Value) { return std::optional<int64_t>(); };
  EXPECT_EQ(evaluate(sum, none, 4), std::nullopt);
  auto five = [&](Value value) { return value == argument ? std::optional<int64_t>(5) : std::nullopt; };
  EXPECT_EQ(evaluate(sum, five, 4), 8);
  EXPECT_EQ(evaluate(sum, five, 0), std::nullopt) << "definitions are followed `depth` deep";
}

// Neutral operands and known numbers take no op; a value is computed by the op of its name.
TEST_F(Index, TheBuilderFoldsAndBuilds) {
  IndexBuilder index(builder, builder.getUnknownLoc(), function.getBody().front());
  EXPECT_EQ(index.add(argument, index.constant(0)), argument);
  EXPECT_EQ(index.add(index.constant(0), argument), argument);
  EXPECT_EQ(index.sub(argument, index.constant(0)), argument);
  EXPECT_EQ(index.mul(argument, index.constant(1)), argument);
  EXPECT_EQ(knownNumber(index.mul(argument, index.constant(0))), 0);
  EXPECT_EQ(index.floorDiv(argument, index.constant(1)), argument);
  EXPECT_EQ(index.ceilDiv(argument, index.constant(1)), argument);
  EXPECT_EQ(knownNumber(index.rem(argument, index.constant(1))), 0);
  EXPECT_EQ(index.min(argument, argument), argument);
  EXPECT_EQ(index.max(argument, argument), argument);
  EXPECT_EQ(knownNumber(index.floorDiv(index.constant(-7), index.constant(2))), -4);
  EXPECT_EQ(knownNumber(index.ceilDiv(index.constant(-7), index.constant(2))), -3);
  EXPECT_EQ(index.constant(9), index.constant(9));
  EXPECT_TRUE(index.sub(index.constant(0), argument).getDefiningOp<arith::SubIOp>());
  EXPECT_TRUE(index.add(argument, argument).getDefiningOp<arith::AddIOp>());
  EXPECT_TRUE(index.mul(argument, argument).getDefiningOp<arith::MulIOp>());
  EXPECT_TRUE(index.floorDiv(argument, index.constant(2)).getDefiningOp<arith::FloorDivSIOp>());
  EXPECT_TRUE(index.ceilDiv(argument, index.constant(2)).getDefiningOp<arith::CeilDivSIOp>());
  EXPECT_TRUE(index.rem(argument, index.constant(2)).getDefiningOp<arith::RemSIOp>());
  EXPECT_TRUE(index.min(argument, index.constant(2)).getDefiningOp<arith::MinSIOp>());
  EXPECT_TRUE(index.max(argument, index.constant(2)).getDefiningOp<arith::MaxSIOp>());
}

// The ranges that the dialect states, and what follows from them.
TEST_F(Index, SourcesOfIndicesAreNotNegative) {
  Location loc = builder.getUnknownLoc();
  Value field = aicore::TilingDataOp::create(builder, loc, builder.getIndexType(), "n", std::optional<int64_t>(2),
                                             std::optional<int64_t>(9), nullptr);
  Value block = aicore::BlockIdxOp::create(builder, loc, builder.getIndexType());
  auto rangeOf = [](Value value) {
    std::optional<ConstantIntRanges> found;
    cast<InferIntRangeInterface>(value.getDefiningOp())
        .inferResultRanges({}, [&](Value, const ConstantIntRanges &range) { found.emplace(range); });
    return std::pair(found->smin().getSExtValue(), found->smax().getSExtValue());
  };
  EXPECT_EQ(rangeOf(field), std::pair(int64_t(2), int64_t(9)));
  EXPECT_EQ(rangeOf(block), std::pair(int64_t(0), INT64_MAX));
  EXPECT_TRUE(isNonNegative(field));
  EXPECT_TRUE(isNonNegative(block));
  EXPECT_TRUE(isNonNegative(arith::MulIOp::create(builder, loc, field, block)));
  EXPECT_FALSE(isNonNegative(arith::SubIOp::create(builder, loc, field, block)));
  EXPECT_FALSE(isNonNegative(argument));
}

struct NumberMath {
  static int64_t of(OpFoldResult number) { return *getConstantIntValue(number); }
  static int64_t add(int64_t a, int64_t b) { return a + b; }
  static int64_t multiply(int64_t a, int64_t b) { return a * b; }
};

/// What the type of a view says, times the bytes of an element.
ViewShape<int64_t> shapeOf(MemRefType type, int64_t bytes) {
  auto [strides, offset] = type.getStridesAndOffset();
  ViewShape<int64_t> shape;
  shape.offset = offset * bytes;
  shape.sizes.assign(type.getShape().begin(), type.getShape().end());
  for (int64_t stride : strides)
    shape.strides.push_back(stride * bytes);
  return shape;
}

void expectEqual(const ViewShape<int64_t> &found, const ViewShape<int64_t> &expected) {
  EXPECT_EQ(found.offset, expected.offset);
  EXPECT_EQ(found.sizes, expected.sizes);
  EXPECT_EQ(found.strides, expected.strides);
}

// Views of views, with steps and dropped dimensions, have the layout that memref infers for their types.
TEST_F(Index, ViewsHaveTheLayoutsOfTheirTypes) {
  constexpr int64_t kBytes = 4;
  Location loc = builder.getUnknownLoc();
  auto index = [&](std::initializer_list<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t n) -> OpFoldResult { return builder.getIndexAttr(n); });
  };
  auto type = MemRefType::get({6, 10, 64}, builder.getF32Type());
  Value whole = memref::AllocOp::create(builder, loc, type);
  auto rows = memref::SubViewOp::create(builder, loc, whole, index({1, 2, 3}), index({2, 4, 16}), index({2, 2, 3}));
  ViewShape<int64_t> ofRows = subviewShape(rows, shapeOf(type, kBytes), NumberMath());
  expectEqual(ofRows, shapeOf(rows.getType(), kBytes));
  auto part = memref::SubViewOp::create(builder, loc, rows, index({1, 1, 5}), index({1, 2, 4}), index({1, 2, 2}));
  expectEqual(subviewShape(part, ofRows, NumberMath()), shapeOf(part.getType(), kBytes));
  auto inferred = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      {2, 4}, cast<MemRefType>(rows.getType()), index({1, 1, 5}), index({1, 2, 4}), index({1, 2, 2})));
  auto plane =
      memref::SubViewOp::create(builder, loc, inferred, rows, index({1, 1, 5}), index({1, 2, 4}), index({1, 2, 2}));
  expectEqual(subviewShape(plane, ofRows, NumberMath()), shapeOf(inferred, kBytes));
  // A cast counts from the start of its owner, here at byte 1000, whatever view it is of.
  auto layout = StridedLayoutAttr::get(&context, 7, {9, 2});
  auto cast = memref::ReinterpretCastOp::create(builder, loc, MemRefType::get({3, 4}, builder.getF32Type(), layout),
                                                whole, 7, {3, 4}, {9, 2});
  ViewShape<int64_t> expected = shapeOf(cast.getType(), kBytes);
  expected.offset += 1000;
  expectEqual(castShape<int64_t>(cast, int64_t(1000), kBytes, NumberMath()), expected);
}

} // namespace
