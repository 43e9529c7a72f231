// Symbols and packs bound to the shapes of a launch.

#include "ops/contract/Shapes.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

using Inputs = std::vector<std::optional<Shape>>;

static Contract good() {
  return expectGood("schema: 1", "schema: 1");
}

/// The shape of output y, or the reason of the refusal.
static std::string shapeOfY(const Contract &contract, const Inputs &inputs) {
  ShapeBinding binding;
  std::string reason = bindShapes(contract, inputs, binding);
  if (!reason.empty())
    return reason;
  std::optional<Shape> shape = outputShape(contract.outputs[0], binding, reason);
  return shape ? printShape(*shape) : reason;
}

// Without it outputs would be allocated too small.
TEST(Shapes, SymbolsPacksAndEquations) {
  Contract c = good();
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, std::nullopt}), "[17]");
  EXPECT_EQ(shapeOfY(c, {Shape{2, 3, 8}, Shape{2, 3, 8}, Shape{4}}), "[2, 3, 17]");
  EXPECT_EQ(shapeOfY(c, {Shape{0, 8}, Shape{1}, std::nullopt}), "[0, 17]");
}

// NumPy's rule, to shapes that another input fixes: 1 and missing stretch, nothing else does.
TEST(Shapes, BroadcastToAFixedShape) {
  Contract c = good();
  EXPECT_EQ(shapeOfY(c, {Shape{2, 3, 8}, Shape{8}, std::nullopt}), "[2, 3, 17]");
  EXPECT_EQ(shapeOfY(c, {Shape{2, 3, 8}, Shape{3, 1}, std::nullopt}), "[2, 3, 17]");
  EXPECT_EQ(shapeOfY(c, {Shape{2, 3, 8}, Shape{}, std::nullopt}), "[2, 3, 17]");
  EXPECT_THAT(shapeOfY(c, {Shape{2, 3, 8}, Shape{2, 1, 1, 8}, std::nullopt}), testing::HasSubstr("does not broadcast"));
  EXPECT_THAT(shapeOfY(c, {Shape{2, 3, 8}, Shape{2, 8}, std::nullopt}), testing::HasSubstr("does not broadcast"));
  EXPECT_THAT(shapeOfY(c, {Shape{2, 3, 1}, Shape{8}, std::nullopt}), testing::HasSubstr("'N' has another size"));
}

// With only broadcast inputs the result is the join of all of them.
TEST(Shapes, BroadcastOfAll) {
  Contract c = expectGood("      - ...B\n      - N\n  - name: scale",
                          "      - ...B\n      - N\n    broadcast: numpy\n  - name: scale");
  EXPECT_EQ(shapeOfY(c, {Shape{2, 1, 8}, Shape{3, 1}, std::nullopt}), "[2, 3, 17]");
  EXPECT_EQ(shapeOfY(c, {Shape{3, 1}, Shape{2, 1, 8}, std::nullopt}), "[2, 3, 17]");
  EXPECT_EQ(shapeOfY(c, {Shape{}, Shape{}, std::nullopt}), "[3]");
  EXPECT_EQ(shapeOfY(c, {Shape{1, 8}, Shape{0, 8}, std::nullopt}), "[0, 17]");
  EXPECT_THAT(shapeOfY(c, {Shape{2, 8}, Shape{3, 8}, std::nullopt}), testing::HasSubstr("does not broadcast"));
  EXPECT_THAT(shapeOfY(c, {Shape{0, 8}, Shape{3, 8}, std::nullopt}), testing::HasSubstr("does not broadcast"));
}

// One element, whatever its rank.
TEST(Shapes, OneElement) {
  Contract c = expectGood("    shape:\n      - 4\n", "    shape:\n      - 4\n    broadcast: scalar\n");
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, Shape{}}), "[17]");
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, Shape{1, 1}}), "[17]");
  EXPECT_THAT(shapeOfY(c, {Shape{8}, Shape{8}, Shape{2}}), testing::HasSubstr("has not one element"));
  EXPECT_THAT(shapeOfY(c, {Shape{8}, Shape{8}, Shape{0}}), testing::HasSubstr("has not one element"));
}

// Without it a kernel would run on shapes that its contract does not admit.
TEST(Shapes, Refusals) {
  Contract c = good();
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}}), "3 inputs are expected, 2 are given");
  EXPECT_EQ(shapeOfY(c, {std::nullopt, Shape{8}, std::nullopt}), "input 'x' is required, none is given");
  EXPECT_EQ(shapeOfY(c, {Shape{}, Shape{8}, std::nullopt}), "'x' of shape [] does not fit [...B, N]");
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, Shape{5}}),
            "'bias' of shape [5] does not fit [4]: '4' has another size already");
  EXPECT_EQ(shapeOfY(c, {Shape{0}, Shape{1}, std::nullopt}), "'N' has to be 1 to 65536, it is 0");
  EXPECT_EQ(shapeOfY(c, {Shape{-1}, Shape{1}, std::nullopt}), "'x' has the negative size -1");
  EXPECT_EQ(shapeOfY(c, {Shape{1, 1, 1, 1, 1, 1, 1, 8}, Shape{8}, std::nullopt}),
            "'...B' has to have 0 to 6 dimensions, it has 7");
  EXPECT_EQ(shapeOfY(c, {Shape(9, 1), Shape{8}, std::nullopt}), "'x' has 9 dimensions, at most 8 are admitted");
  EXPECT_THAT(shapeOfY(c, {Shape{100000, 100000, 100000, 100000, 8}, Shape{8}, std::nullopt}),
              testing::HasSubstr("more bytes than 64 bits count"));
  Contract refuses = expectGood("  empty: allowed", "  empty: refused");
  EXPECT_EQ(shapeOfY(refuses, {Shape{0, 8}, Shape{8}, std::nullopt}),
            "'x' has no elements, and the contract refuses empty tensors");
}

// An equation on a symbol that inputs bind is a condition.
TEST(Shapes, EquationsCheck) {
  Contract c = expectGood("      - 4\n", "      - M\n");
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, Shape{17}}), "[17]");
  EXPECT_EQ(shapeOfY(c, {Shape{8}, Shape{8}, Shape{16}}), "'M' is 16, its equation gives 17");
  Contract negative = expectGood("            - 2\n        - 1\n", "            - 2\n        - -16\n");
  EXPECT_EQ(shapeOfY(negative, {Shape{8}, Shape{8}, std::nullopt}), "[0]");
  EXPECT_EQ(shapeOfY(negative, {Shape{7}, Shape{7}, std::nullopt}), "'M' is negative: -2");
}

// Without it an output of a reduction would have the wrong rank.
TEST(Shapes, Reductions) {
  std::string reason;
  EXPECT_EQ(reducedShape({2, 3, 4}, {-1}, false, reason), (Shape{2, 3}));
  EXPECT_EQ(reducedShape({2, 3, 4}, {0, 2}, true, reason), (Shape{1, 3, 1}));
  EXPECT_EQ(reducedShape({2, 3, 4}, {}, false, reason), Shape{});
  EXPECT_EQ(reducedShape({2, 3}, {2}, false, reason), std::nullopt);
  EXPECT_EQ(reason, "axis 2 is outside of rank 2");
  EXPECT_EQ(reducedShape({2, 3}, {1, -1}, false, reason), std::nullopt);
  EXPECT_EQ(reason, "axis -1 is given twice");
  EXPECT_EQ(reducedShape({2, 3}, {INT64_MIN}, false, reason), std::nullopt);
}

// Without it manifests would compute other sizes than the contract.
TEST(Shapes, CodeOfAnEquation) {
  Contract c = good();
  SizeCode code = compileSize(*c.findDimension("M")->equals);
  EXPECT_EQ(code.inputs, std::vector<std::string>{"N"});
  std::vector<int64_t> registers(code.numRegisters);
  registers[0] = 8;
  for (const ScalarInstruction &instruction : code.code) {
    bool isConst = instruction.op == ScalarOp::Const;
    if (isConst)
      registers[instruction.dst] = instruction.imm;
    else
      ASSERT_EQ(evalInteger(instruction.op, registers[instruction.a], registers[instruction.b], 0,
                            registers[instruction.dst]),
                EvalStatus::Ok);
  }
  EXPECT_EQ(registers[code.code.back().dst], 17);
  // A lone symbol or number has code too.
  SizeExpression symbol;
  symbol.op = SizeExpression::Symbol;
  symbol.symbol = "N";
  EXPECT_FALSE(compileSize(symbol).code.empty());
  EXPECT_EQ(compileSize(SizeExpression()).code.size(), 1u);
}

TEST(Shapes, Evaluate) {
  auto leaf = [](int64_t value) {
    SizeExpression e;
    e.value = value;
    return e;
  };
  auto value = [&](SizeExpression::Op op, std::vector<int64_t> operands) {
    SizeExpression e;
    e.op = op;
    for (int64_t operand : operands)
      e.operands.push_back(leaf(operand));
    int64_t result = 0;
    EXPECT_EQ(evaluate(e, {}, result), EvalStatus::Ok);
    return result;
  };
  EXPECT_EQ(value(SizeExpression::Add, {7, 3}), 10);
  EXPECT_EQ(value(SizeExpression::Sub, {7, 3}), 4);
  EXPECT_EQ(value(SizeExpression::Mul, {7, 3}), 21);
  EXPECT_EQ(value(SizeExpression::FloorDiv, {-7, 3}), -3);
  EXPECT_EQ(value(SizeExpression::CeilDiv, {7, 3}), 3);
  EXPECT_EQ(value(SizeExpression::Rem, {7, 3}), 1);
  EXPECT_EQ(value(SizeExpression::Min, {7, 3}), 3);
  EXPECT_EQ(value(SizeExpression::Max, {7, 3}), 7);
  EXPECT_EQ(value(SizeExpression::Lt, {7, 3}), 0);
  EXPECT_EQ(value(SizeExpression::Eq, {7, 7}), 1);
  EXPECT_EQ(value(SizeExpression::Select, {1, 5, 6}), 5);
  EXPECT_EQ(value(SizeExpression::Select, {0, 5, 6}), 6);
}

static ContractTensor tensor(const std::string &name, const std::vector<ContractDim> &shape) {
  ContractTensor made;
  made.name = name;
  made.shape = shape;
  return made;
}

static ContractDim symbol(const std::string &name) {
  ContractDim dim;
  dim.name = name;
  return dim;
}

static ContractDim product(const std::vector<ContractDim> &factors) {
  ContractDim dim;
  dim.factors = factors;
  for (const ContractDim &factor : factors)
    dim.name += (dim.name.empty() ? "" : "*") + printDim(factor);
  return dim;
}

/// x [N, G*G2*C] and y [N*C, G]; G and G2 are the attribute `groups`.
static Contract groups(std::optional<int64_t> value) {
  Contract c;
  ContractDim g2 = symbol("G2");
  c.inputs = {tensor("x", {symbol("N"), product({symbol("G"), g2, symbol("C")})})};
  c.outputs = {tensor("y", {product({symbol("N"), symbol("C")}), symbol("G")})};
  ContractAttribute attribute;
  attribute.name = "groups";
  attribute.type = AttributeType::Int;
  if (value)
    attribute.defaultValue = *value;
  c.attributes = {attribute};
  for (const char *name : {"G", "G2"}) {
    ContractDimension dimension;
    dimension.name = name;
    dimension.equals.emplace();
    dimension.equals->op = SizeExpression::Symbol;
    dimension.equals->symbol = "groups";
    c.dimensions.push_back(dimension);
  }
  return c;
}

// What is left of a product for the factor that nothing gives; what does not divide is refused.
TEST(Shapes, Products) {
  EXPECT_EQ(shapeOfY(groups(2), {Shape{3, 20}}), "[15, 2]");
  EXPECT_EQ(shapeOfY(groups(2), {Shape{3, 0}}), "[0, 2]");
  EXPECT_EQ(shapeOfY(groups(1), {Shape{0, 5}}), "[0, 1]");
  EXPECT_EQ(shapeOfY(groups(2), {Shape{3, 21}}), "'G*G2*C' is 21, its factors give 20");
  EXPECT_EQ(shapeOfY(groups(2), {Shape{3, 3}}), "'G*G2*C' is 3, its factors give 0");
  // A factor of 0 leaves nothing to divide.
  EXPECT_EQ(shapeOfY(groups(0), {Shape{3, 0}}), "[0, 0]");
  EXPECT_EQ(shapeOfY(groups(0), {Shape{3, 4}}), "'G*G2*C' is 4, its factors give 0");
  EXPECT_EQ(shapeOfY(groups(-2), {Shape{3, 4}}), "'G' is negative: -2");
  EXPECT_EQ(shapeOfY(groups(INT64_MAX), {Shape{3, 4}}), "the equation of 'C' has no value: a number leaves its range");
  EXPECT_EQ(shapeOfY(groups(std::nullopt), {Shape{3, 4}}), "'N*C' of 'y' is not known");
}
