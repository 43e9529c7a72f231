// Which shape keys a contract has: what kernels there are and what each tensor looks like in them.

#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/domain/Reductions.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace opc;

static ContractDim dimension(const std::string &text) {
  ContractDim dim;
  if (text.find('+') != std::string::npos) {
    dim.name = text;
    for (size_t begin = 0; begin <= text.size();) {
      size_t end = std::min(text.find('+', begin), text.size());
      dim.terms.push_back(dimension(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  } else if (size_t star = text.find('*'); star != std::string::npos) {
    dim.name = text;
    for (size_t begin = 0; begin <= text.size();) {
      size_t end = std::min(text.find('*', begin), text.size());
      dim.factors.push_back(dimension(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  } else if (text.rfind("...", 0) == 0) {
    dim.kind = ContractDim::Pack;
    dim.name = text.substr(3);
  } else if (text.front() >= '0' && text.front() <= '9') {
    dim.kind = ContractDim::Fixed;
    dim.size = std::stoll(text);
  } else {
    dim.name = text;
  }
  return dim;
}

static ContractTensor tensor(const std::string &name, const std::vector<std::string> &shape,
                             Broadcast broadcast = Broadcast::None) {
  ContractTensor made;
  made.name = name;
  made.types = {ElementType::Float32};
  made.broadcast = broadcast;
  for (const std::string &dim : shape)
    made.shape.push_back(dimension(dim));
  return made;
}

static Contract contract(std::vector<ContractTensor> inputs, std::vector<ContractTensor> outputs) {
  Contract made;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  return made;
}

static ContractTensor reduced(const std::string &name, const std::string &input, const std::string &axes = "axes") {
  ContractTensor made = tensor(name, {});
  made.reduces = ContractReduction{input, axes, "keepdims"};
  return made;
}

/// "flat_x2_scalar: x1[0] x2[.] y[0]", a key a line; '.' is static 1.
static std::string printed(const Contract &contract) {
  std::string text;
  for (const ShapeKey &key : shapeKeys(contract)) {
    text += key.name + ":";
    for (const ShapeKey::Operand &operand : key.operands) {
      text += " " + operand.name + "[";
      for (int dim : operand.dims)
        text += dim < 0 ? "." : std::to_string(dim);
      text += "]";
    }
    text += "\n";
  }
  return text;
}

static std::string reasonOf(const Contract &contract) {
  std::string reason;
  EXPECT_FALSE(contractKind(contract, reason).has_value());
  EXPECT_TRUE(shapeKeys(contract).empty());
  return reason;
}

// Without it a unary operator would have kernels that no shape picks.
TEST(ShapeKeys, OneInput) {
  EXPECT_EQ(printed(contract({tensor("x", {"...S"})}, {tensor("y", {"...S"})})), "flat: x[0] y[0]\n");
}

// Inputs that may not broadcast are full in every key.
TEST(ShapeKeys, InputsOfOneShape) {
  EXPECT_EQ(printed(contract({tensor("x1", {"...S"}), tensor("x2", {"...S"})}, {tensor("y", {"...S"})})),
            "flat: x1[0] x2[0] y[0]\n");
}

// An input of one element and a row have keys; columns, and two inputs that stretch each other, do not.
TEST(ShapeKeys, TwoInputsThatBroadcast) {
  EXPECT_EQ(printed(contract({tensor("x1", {"...S"}, Broadcast::Numpy), tensor("x2", {"...S"}, Broadcast::Numpy)},
                             {tensor("y", {"...S"})})),
            "flat: x1[0] x2[0] y[0]\n"
            "flat_x1_scalar: x1[.] x2[0] y[0]\n"
            "flat_x2_scalar: x1[0] x2[.] y[0]\n"
            "rows_x1_row: x1[.1] x2[01] y[01]\n"
            "rows_x2_row: x1[01] x2[.1] y[01]\n"
            "any: x1[01] x2[01] y[01]\n");
}

// An input that does not broadcast is full beside one that does.
TEST(ShapeKeys, OneOfTwoInputsBroadcasts) {
  EXPECT_EQ(
      printed(contract({tensor("x", {"...S"}), tensor("b", {"...S"}, Broadcast::Numpy)}, {tensor("y", {"...S"})})),
      "flat: x[0] b[0] y[0]\n"
      "flat_b_scalar: x[0] b[.] y[0]\n"
      "rows_b_row: x[01] b[.1] y[01]\n"
      "any: x[01] b[01] y[01]\n");
}

// A tensor of one element stays one element in every key.
TEST(ShapeKeys, ScalarInputs) {
  EXPECT_EQ(printed(contract({tensor("x", {"...S"}, Broadcast::Numpy), tensor("z", {"...S"}, Broadcast::Numpy),
                              tensor("a", {}, Broadcast::Scalar)},
                             {tensor("y", {"...S"})})),
            "flat_a_scalar: x[0] z[0] a[.] y[0]\n"
            "flat_x_scalar_a_scalar: x[.] z[0] a[.] y[0]\n"
            "flat_z_scalar_a_scalar: x[0] z[.] a[.] y[0]\n"
            "rows_x_row_a_scalar: x[.1] z[01] a[..] y[01]\n"
            "rows_z_row_a_scalar: x[01] z[.1] a[..] y[01]\n"
            "any: x[01] z[01] a[..] y[01]\n");
}

// Three inputs: 7 flat keys, the last two as rows, each and both, any; each name once, each number its place.
TEST(ShapeKeys, ThreeInputs) {
  std::vector<ContractTensor> inputs;
  for (const char *name : {"a", "b", "c"})
    inputs.push_back(tensor(name, {"...S"}, Broadcast::Numpy));
  std::vector<ShapeKey> keys = shapeKeys(contract(inputs, {tensor("y", {"...S"})}));
  ASSERT_EQ(keys.size(), 11u);
  std::set<std::string> names;
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i].number, i);
    EXPECT_EQ(keys[i].tilingKey(2), 512 + i);
    EXPECT_EQ(keys[i].loops, i < 7 ? 1u : 2u);
    EXPECT_TRUE(names.insert(keys[i].name).second) << keys[i].name;
  }
  for (const char *name : {"rows_b_row", "rows_c_row", "rows_b_row_c_row"})
    EXPECT_TRUE(names.count(name)) << name;
}

// From four inputs on, the number of keys does not grow with them: the last one serves what the others do not.
TEST(ShapeKeys, ManyInputs) {
  std::vector<ContractTensor> inputs;
  for (unsigned i = 0; i < 24; ++i) {
    inputs.push_back(tensor("x" + std::to_string(i), {"...S"}, Broadcast::Numpy));
    std::vector<ShapeKey> keys = shapeKeys(contract(inputs, {tensor("y", {"...S"})}));
    EXPECT_LE(keys.size(), i == 2 ? 11u : 10u);
    EXPECT_EQ(keys.back().kind, ShapeKey::Any);
    for (unsigned input = 0; input <= i; ++input)
      EXPECT_TRUE(keys.back().operands[input].isOfLaunch);
    EXPECT_FALSE(keys.back().operands[i + 1].isOfLaunch);
  }
  inputs.push_back(tensor("x24", {"...S"}, Broadcast::Numpy));
  EXPECT_EQ(reasonOf(contract(inputs, {tensor("y", {"...S"})})), "25 inputs broadcast, at most 24 are served");
}

// Rows, parameters of rows, and results of one element a row.
TEST(ShapeKeys, Rows) {
  Contract c = contract({tensor("x", {"...S", "N"}), tensor("g", {"N"})},
                        {tensor("y", {"...S", "N"}), tensor("m", {"...S"}), tensor("k", {"...S", "1"})});
  EXPECT_EQ(printed(c), "rows_short: x[01] g[.1] y[01] m[0] k[0.]\n"
                        "rows_long: x[01] g[.1] y[01] m[0] k[0.]\n");
  EXPECT_FALSE(shapeKeys(c)[0].isLong);
  EXPECT_TRUE(shapeKeys(c)[1].isLong);
  EXPECT_EQ(printed(contract({tensor("x", {"N"})}, {tensor("y", {"N"})})),
            "rows_short: x[01] y[01]\nrows_long: x[01] y[01]\n");
}

// An element of each row meets the rows, unless a result has that shape too, which reductions without 'keep' have.
TEST(ShapeKeys, ElementsOfRows) {
  EXPECT_EQ(printed(contract({tensor("x", {"M", "N"}), tensor("b", {"M"})}, {tensor("y", {"M", "N"})})),
            "flat: x[0] b[0] y[0]\nflat_b_scalar: x[0] b[.] y[0]\nrows_b_column: x[01] b[0.] y[01]\n");
  EXPECT_EQ(printed(contract({tensor("x", {"M", "N"}), tensor("b", {"M"})}, {tensor("y", {"M"})})),
            "rows_short: x[01] b[0] y[0]\nrows_long: x[01] b[0] y[0]\n");
}

// A fixed 1 stands for a dimension of a shape of the same length, whichever of the two comes first.
TEST(ShapeKeys, WholeShapes) {
  EXPECT_EQ(
      printed(contract({tensor("g", {"1", "M", "N"}), tensor("x", {"L", "M", "N"})}, {tensor("y", {"L", "M", "N"})})),
      "flat: g[0] x[0] y[0]\nflat_g_scalar: g[.] x[0] y[0]\nrows_g_row: g[.1] x[01] y[01]\n");
}

// Without it a kernel loaded the first element of b for all trips of its batch loop.
TEST(ShapeKeys, ElementsThatMoveInBatchLoops) {
  Contract c = contract({tensor("a", {"L", "M"}), tensor("b", {"L"}), tensor("x", {"L", "M", "N"})},
                        {tensor("y", {"L", "M", "N"})});
  EXPECT_THAT(printed(c), testing::HasSubstr("rows_a_column_b_column:"));
  EXPECT_THAT(printed(c), testing::HasSubstr("rows_b_column:"));
  EXPECT_THAT(printed(c), testing::Not(testing::HasSubstr("rows_a_column_b_scalar:")));
}

// A dimension along which a body counts is a loop of its own, one of the two innermost ones.
TEST(ShapeKeys, Positions) {
  Contract c = contract({tensor("x", {"...S", "N", "M"})}, {tensor("y", {"...S", "N", "M"})});
  c.bodies.resize(1);
  c.bodies[0].counts = {"N", "M"};
  EXPECT_EQ(printed(c), "counted: x[01] y[01]\n");
  c.bodies[0].counts = {"M"};
  EXPECT_EQ(printed(c), "counted: x[01] y[01]\n");
  // Neither a pack nor a name that nothing has is one.
  c.bodies[0].counts = {"S", "K"};
  EXPECT_EQ(printed(c), "flat: x[0] y[0]\n");
  // A loop around two others, and one around what is reduced.
  c = contract({tensor("x", {"N", "K", "M"}), tensor("z", {"K"})}, {tensor("y", {"N", "K", "M"})});
  c.bodies.resize(1);
  c.bodies[0].counts = {"N"};
  std::string reason;
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("count along 'N', which is none of the two innermost loops"));
  c.bodies[0].axes = {"N", "M"};
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("count along 'N', which is none of the two innermost loops of a kernel that"));
  // Beside a reduction, along what is reduced and along what stays.
  for (const char *counted : {"K", "M"}) {
    c.bodies[0].counts = {counted};
    c.bodies[0].axes = {"K"};
    EXPECT_EQ(printed(c), "columns: x[012] z[01.] y[012]\n");
  }
}

// Likewise of a scan, which is along one dimension.
TEST(ShapeKeys, Scans) {
  Contract c = contract({tensor("x", {"...A", "N", "...B"})}, {tensor("y", {"...A", "N", "...B"})});
  c.bodies.resize(1);
  c.bodies[0].scans = {"N"};
  EXPECT_EQ(printed(c), "scanned: x[01] y[01]\n");
  EXPECT_EQ(shapeKeys(c).front().scanned, 0u);
  c = contract({tensor("x", {"...S", "N", "M"}), tensor("z", {"M"})}, {tensor("y", {"...S", "N", "M"})});
  c.bodies.resize(1);
  c.bodies[0].scans = {"M"};
  EXPECT_EQ(printed(c), "scanned: x[01] z[.1] y[01]\n");
  EXPECT_EQ(shapeKeys(c).front().scanned, 1u);
  std::string reason;
  c.bodies[0].scans = {"N", "M"};
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("scan along two dimensions"));
  c.bodies[0].scans = {"N"};
  c.bodies[0].counts = {"M"};
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("scan along a dimension, and reduce others"));
  c = contract({tensor("x", {"N", "K", "M"}), tensor("z", {"K"})}, {tensor("y", {"N", "K", "M"})});
  c.bodies.resize(1);
  c.bodies[0].scans = {"N"};
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("scan along 'N', which is none of the two innermost loops"));
}

// A sorted input has the loop of the results in the place of its own dimension.
TEST(ShapeKeys, Sorts) {
  Contract c = contract({tensor("x", {"...A", "N", "...B"})}, {tensor("y", {"...A", "K", "...B"})});
  c.bodies.resize(1);
  c.bodies[0].scans = {"N to K"};
  EXPECT_EQ(printed(c), "sorted: x[01] y[01]\n");
  EXPECT_EQ(shapeKeys(c).front().scanned, 0u);
  EXPECT_TRUE(shapeKeys(c).front().operands.front().isSorted);
  c = contract({tensor("x", {"...S", "N"}), tensor("z", {"K"})}, {tensor("y", {"...S", "K"})});
  c.bodies.resize(1);
  c.bodies[0].scans = {"N to K"};
  EXPECT_EQ(printed(c), "sorted: x[01] z[.1] y[01]\n");
  EXPECT_EQ(shapeKeys(c).front().scanned, 1u);
  std::string reason;
  c.bodies[0].scans = {"N to K", "K"};
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("sort along a dimension, and gather, scatter, count or scan"));
}

// What is scattered has the loops of the updates, and so have the data and the result.
TEST(ShapeKeys, Scatters) {
  ContractTensor indices = tensor("p", {"I"});
  indices.values.emplace();
  indices.values->along = "V";
  Contract c = contract({tensor("x", {"V", "N"}), indices, tensor("u", {"I", "N"})}, {tensor("y", {"V", "N"})});
  c.bodies.resize(1);
  EXPECT_EQ(printed(c), "scattered: x[01] p[0.] u[01] y[01]\n");
  EXPECT_EQ(shapeKeys(c).front().operands.back().indices, std::optional<size_t>(1));
  c.outputs.push_back(tensor("z", {"I", "N"}));
  std::string reason;
  EXPECT_EQ(contractKind(c, reason), std::nullopt);
  EXPECT_THAT(reason, testing::HasSubstr("a scatter is the one"));
}

// Inputs whose dimensions are in another order have one key, whose rows may lie anywhere.
TEST(ShapeKeys, OtherOrders) {
  Contract c = contract({tensor("x", {"N", "C", "...S"}), tensor("b", {"C"})}, {tensor("y", {"N", "...S", "C"})});
  EXPECT_EQ(printed(c), "any: x[01] b[01] y[01]\n");
  EXPECT_TRUE(shapeKeys(c)[0].operands[0].isAcross);
  EXPECT_FALSE(shapeKeys(c)[0].operands[1].isAcross);
  // Rows stay whole.
  c = contract({tensor("x", {"B", "A", "N"})}, {tensor("y", {"A", "B", "N"})});
  EXPECT_EQ(printed(c), "strided: x[01] y[01]\nany: x[01] y[01]\n");
  EXPECT_FALSE(shapeKeys(c)[1].operands[0].isAcross);
  // One element in the inner loops and others outside, and five loops, are of no grid.
  c = contract({tensor("x", {"B", "A", "M", "N"}), tensor("z", {"A"})}, {tensor("y", {"A", "B", "M", "N"})});
  EXPECT_EQ(printed(c), "any: x[01] z[01] y[01]\n");
  c = contract({tensor("x", {"D", "C", "B", "A", "N"})}, {tensor("y", {"A", "B", "C", "D", "N"})});
  EXPECT_EQ(printed(c), "any: x[01] y[01]\n");
  EXPECT_EQ(
      reasonOf(contract({tensor("x", {"C", "B", "A"}), tensor("z", {"A", "C", "B"})}, {tensor("y", {"A", "B", "C"})})),
      "inputs 'x' and 'z' end with different dimensions, neither of which is the last of 'y'");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"A", "B"})}, {tensor("y", {"B", "A"}), tensor("z", {"A", "B"})})),
            "output 'z' has its dimensions in another order than output 'y'");
  c = contract({tensor("x", {"A", "B"})}, {tensor("y", {"B", "A"})});
  c.bodies.emplace_back();
  c.bodies.back().axes = {"A"};
  EXPECT_EQ(reasonOf(c), "input 'x' has its dimensions in another order than [B, A], of which a body reduces some, and "
                         "ends with another one than 'A'");
  // What is around rows may be in any order.
  c = contract({tensor("x", {"A", "B", "N"}), tensor("z", {"N"})}, {tensor("y", {"B", "A", "N"})});
  c.bodies.emplace_back();
  c.bodies.back().axes = {"N"};
  EXPECT_EQ(printed(c), "split_rows: x[012] z[0.2] y[012]\nrows_strided: x[01] z[.1] y[01]\n");
  EXPECT_TRUE(shapeKeys(c)[1].isOfAicore());
  EXPECT_FALSE(shapeKeys(c)[0].isOfAicore());
  // B is a loop around the rows.
  EXPECT_TRUE(shapeKeys(c)[1].isBatched);
}

// Ranges of different lengths are nests; each has the tensors, or ranges of them, that have its dimensions.
TEST(ShapeKeys, Ranges) {
  Contract c = contract({tensor("a", {"N", "A", "...S"}), tensor("b", {"B", "...S"}), tensor("g", {"N"})},
                        {tensor("y", {"N", "A+B", "...S"})});
  c.bodies.resize(1);
  c.bodies[0].level = BodyLevel::Te;
  // A sum that no body takes apart is a dimension like others, and a and b are of another.
  EXPECT_EQ(reasonOf(c), "the shape [B, ...S] of 'b' does not consist of dimensions of [N, A, ...S], the shape of 'a', "
                         "each of them once");
  c.bodies[0].parts = {"A+B"};
  EXPECT_EQ(printed(c), "strided_n0: a__n0[01] g__n0[0.] y__n0[01]\n"
                        "strided_n1: b__n1[.1] g__n1[0.] y__n1[01]\n");
  EXPECT_EQ(shapeKeys(c)[1].operands[0].tensor, 1u);
  EXPECT_EQ(shapeKeys(c)[1].tilingKey(2), shapeKeys(c)[0].tilingKey(2));
  EXPECT_EQ(shapeKeys(c)[1].findOperand(0), nullptr);
  // A term in the text is enough. What no input has is not split further: five nests, not nine.
  c = contract({tensor("x", {"N", "H", "W"})}, {tensor("y", {"N", "2+H+B", "L+W+R"})});
  c.bodies.resize(1);
  c.bodies[0].level = BodyLevel::Te;
  c.bodies[0].parts = {"H", "L+W+R"};
  EXPECT_EQ(printed(c), "strided_n0: y__n0[01]\n"
                        "strided_n1: y__n1[01]\n"
                        "strided_n2: x__n2[01] y__n2[01]\n"
                        "strided_n3: y__n3[01]\n"
                        "strided_n4: y__n4[01]\n");
  // Every T-th row of a range; results of equal dimensions share a nest.
  c = contract({tensor("x", {"A+L*T+B", "D"}), tensor("z", {"L", "D"})},
               {tensor("y", {"L", "D"}), tensor("w", {"L", "D"})});
  ContractDimension t;
  t.name = "T";
  t.equals.emplace().value = 2;
  c.dimensions = {t};
  c.bodies.resize(1);
  c.bodies[0].level = BodyLevel::Te;
  c.bodies[0].parts = {"L*T", "T"};
  EXPECT_EQ(printed(c), "strided_n0: x__n0_0[01] x__n0_1[01] z__n0[01] y__n0[01] w__n0[01]\n");
  c.inputs.push_back(tensor("q", {"Q"}));
  EXPECT_EQ(reasonOf(c), "input 'q' of [Q] has no range that consists of dimensions of a result, or of a range of one");
  c.inputs.pop_back();
  // A result that reduces two sets of dimensions.
  c.bodies[0].axes = {"D"};
  c.bodies[0].results = {{{{"D"}, {"N"}}, {0}, false}};
  EXPECT_EQ(reasonOf(c), "output 'y' depends on reductions over different dimensions, and bodies take ranges of "
                         "dimensions");
  c.bodies[0].results.clear();
  std::string many = "N";
  for (int i = 0; i < 16; ++i)
    many += "+1";
  c = contract({tensor("x", {"N"})}, {tensor("y", {many})});
  c.bodies.resize(1);
  c.bodies[0].parts = {many};
  EXPECT_EQ(reasonOf(c), "results fall into more than the 16 ranges that a kernel writes");
}

/// A contract whose body has these results, each of the arguments from which and the axes over which it is reduced.
static Contract reducing(std::vector<ContractTensor> inputs, std::vector<ContractTensor> outputs,
                         std::vector<ContractBodyResult> results) {
  Contract c = contract(std::move(inputs), std::move(outputs));
  c.bodies.resize(1);
  c.bodies[0].level = BodyLevel::Te;
  for (const ContractBodyResult &result : results)
    for (const std::vector<std::string> &axes : result.axes)
      c.bodies[0].axes.insert(c.bodies[0].axes.end(), axes.begin(), axes.end());
  c.bodies[0].results = std::move(results);
  return c;
}

// Results that reduce different dimensions are nests, of the inputs that they need; rows have two forms.
TEST(ShapeKeys, DifferentReductions) {
  const ContractTensor x = tensor("x", {"N", "C", "S"}), g = tensor("g", {"C"});
  Contract c = reducing({x, g}, {tensor("a", {"N", "C"}), tensor("b", {"N", "S"}), tensor("y", {"N", "C", "S"})},
                        {{{{"S"}}, {0}}, {{{"C"}}, {0, 1}}, {{}, {0}}});
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] a__n0[0.] y__n0[01]\n"
                        "columns_n1: x__n1[012] g__n1[01.] b__n1[..2]\n"
                        "rows_long_n2: x__n2[01] a__n2[0.] y__n2[01]\n");
  EXPECT_EQ(shapeKeys(c)[1].operands[1].tensor, 1u);
  EXPECT_EQ(shapeKeys(c)[2].tilingKey(1), shapeKeys(c)[0].tilingKey(1));
  EXPECT_FALSE(shapeKeys(c)[0].isOfAicore() || shapeKeys(c)[1].isOfAicore());
  EXPECT_TRUE(shapeKeys(c)[2].isOfAicore());
  // Lists that name the same dimensions are one set, and one set is one nest.
  c = reducing({x}, {tensor("a", {"N"}), tensor("b", {"N"})}, {{{{"C", "S"}}, {0}}, {{{"-1", "C"}}, {0}}});
  EXPECT_EQ(printed(c), "rows_short: x[01] a[0.] b[0.]\nrows_long: x[01] a[0.] b[0.]\n");
  // Whole results are two nests as well: two softmaxes.
  c = reducing({x}, {tensor("a", {"N", "C", "S"}), tensor("b", {"N", "C", "S"})}, {{{{"S"}}, {0}}, {{{"N"}}, {0}}});
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] a__n0[01]\n"
                        "columns_n1: x__n1[012] b__n1[012]\n"
                        "rows_long_n2: x__n2[01] a__n2[01]\n");
  // What no nest of a reduction takes has one of its own.
  c = reducing({x, g}, {tensor("a", {"N", "C"}), tensor("b", {"N", "S"}), tensor("y", {"C"})},
               {{{{"S"}}, {0}}, {{{"C"}}, {0}}, {{}, {1}}});
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] a__n0[0.]\n"
                        "columns_n1: x__n1[012] b__n1[..2]\n"
                        "strided_n2: g__n2[01] y__n2[01]\n"
                        "rows_long_n3: x__n3[01] a__n3[0.]\n");
  // A fixed size counts in the domain of its nest.
  c = reducing({tensor("x", {"...S", "N", "8"}), tensor("g", {"N", "8"})},
               {tensor("a", {"N"}), tensor("b", {"...S", "8"})}, {{{{"-1"}}, {1}}, {{{"N"}}, {0}}});
  EXPECT_EQ(printed(c), "rows_short_n0: g__n0[01] a__n0[0.]\n"
                        "columns_n1: x__n1[012] b__n1[..2]\n"
                        "rows_long_n2: g__n2[01] a__n2[0.]\n");

  c = reducing({x}, {tensor("a", {"N", "C"}), tensor("b", {"N"})}, {{{{"S"}}, {0}}, {{{"S"}, {"C"}}, {0}}});
  EXPECT_EQ(reasonOf(c), "output 'b' depends on reductions over [S] and reductions over [C], where a result has one of "
                         "both, or they are results themselves");
  c.bodies[0].results[1].axes = {{"S"}, {std::string(kScans) + "C"}};
  EXPECT_EQ(reasonOf(c), "output 'b' depends on te.scan along 'C' and reductions over [S], where a result has one of "
                         "both, or they are results themselves");
  c = reducing({x, g}, {tensor("a", {"N", "C"}), tensor("b", {"N", "S"})}, {{{{"S"}}, {0}}, {{{"C"}}, {0}}});
  EXPECT_EQ(reasonOf(c), "no result is computed from input 'g'");
  // What has loops of its own is a nest beside them.
  c = reducing({x}, {tensor("a", {"N", "C"}), tensor("y", {"N", "C", "S"})},
               {{{{"S"}}, {0}}, {{{std::string(kScans) + "C"}}, {0}}});
  c.bodies[0].scans = {"C"};
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] a__n0[0.]\n"
                        "scanned_n1: x__n1[01] y__n1[01]\n"
                        "rows_long_n2: x__n2[01] a__n2[0.]\n");
  // A sort is one too, whose second dimension another nest may have beside the first.
  c = reducing({x}, {tensor("a", {"N", "K"}), tensor("b", {"N", "S"})},
               {{{{"S"}, {std::string(kSorts) + "C to K of x"}}, {0}}, {{{"C"}}, {0}}});
  c.bodies[0].scans = {"C to K"};
  EXPECT_EQ(reasonOf(c), "output 'a' depends on te.sort along 'C' and reductions over [S], where a result has one of "
                         "both, or they are results themselves");
  c = reducing({x}, {tensor("a", {"N", "C"}), tensor("y", {"N", "C", "K"}), tensor("z", {"N", "C", "K"})},
               {{{{"S"}}, {0}},
                {{{std::string(kSorts) + "S to K of x"}}, {0}},
                {{{std::string(kSorts) + "S to K of x descending"}}, {0}}});
  c.bodies[0].scans = {"S to K"};
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] a__n0[0.]\n"
                        "sorted_n1: x__n1[01] y__n1[01]\n"
                        "sorted_n2: x__n2[01] z__n2[01]\n"
                        "rows_long_n3: x__n3[01] a__n3[0.]\n");
}

// A nest may read results of nests before it, which may be outputs behind its own.
TEST(ShapeKeys, ReductionsOfResults) {
  const unsigned first = kFirstReturned;
  const ContractTensor x = tensor("x", {"N", "M"}), g = tensor("g", {"M"});
  // The result of columns reads that of rows, and another one of rows reads both.
  Contract c = reducing({x, g}, {tensor("y", {"N", "M"}), tensor("c", {"M"}), tensor("r", {"N"}), tensor("z", {"N"})},
                        {{{{"N"}}, {0, first + 2}}, {{{"N"}}, {0}}, {{{"M"}}, {0}}, {{{"M"}}, {1, first, first + 2}}});
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] r__n0[0.]\n"
                        "columns_n1: x__n1[012] r__n1[01.] y__n1[012] c__n1[..2]\n"
                        "rows_short_n2: g__n2[.1] y__n2[01] r__n2[0.] z__n2[0.]\n"
                        "rows_long_n3: x__n3[01] r__n3[0.]\n"
                        "rows_long_n4: g__n4[.1] y__n4[01] r__n4[0.] z__n4[0.]\n");
  EXPECT_TRUE(readsResults(c));
  // Without a reduction a result is in the nest of the last one that it reads, or in one of its own.
  c = reducing({x}, {tensor("r", {"N"}), tensor("c", {"M"}), tensor("y", {"N", "M"}), tensor("w", {"N"})},
               {{{{"M"}}, {0}}, {{{"N"}}, {0}}, {{}, {0, first, first + 1}}, {{}, {first}}});
  EXPECT_EQ(printed(c), "rows_short_n0: x__n0[01] r__n0[0.] w__n0[0.]\n"
                        "columns_n1: x__n1[012] r__n1[01.] c__n1[..2] y__n1[012]\n"
                        "rows_long_n2: x__n2[01] r__n2[0.] w__n2[0.]\n");
  // Results that read nothing keep their nests.
  c = reducing({x}, {tensor("r", {"N"}), tensor("c", {"M"})}, {{{{"M"}}, {0}}, {{{"N"}}, {0}}});
  EXPECT_FALSE(readsResults(c));
  c = reducing({x}, {tensor("r", {"N"}), tensor("c", {"M"})}, {{{{"M"}}, {0, first + 1}}, {{{"N"}}, {0, first}}});
  EXPECT_EQ(reasonOf(c), "output 'r' is computed from itself");
}

// Parts are operands of their own, in the order of memory; what stands still along them is one.
TEST(ShapeKeys, Parts) {
  Contract c =
      contract({tensor("x", {"N", "P*Q*D"}), tensor("w", {"P*D"}), tensor("b", {"N"})}, {tensor("y", {"N", "Q*D"})});
  ContractDimension p, q;
  p.name = "P", q.name = "Q";
  p.equals.emplace().value = 2;
  q.equals.emplace().value = 3;
  c.dimensions = {p, q};
  c.bodies.resize(1);
  c.bodies[0].level = BodyLevel::Te;
  c.bodies[0].parts = {"P", "Q"};
  EXPECT_EQ(printed(c), "strided: x__0_0[01] x__0_1[01] x__0_2[01] x__1_0[01] x__1_1[01] x__1_2[01] w__0[.1] w__1[.1] "
                        "b[0.] y__0[01] y__1[01] y__2[01]\n");
  EXPECT_EQ(shapeKeys(c)[0].operandOf(3).name, "y__0");
  EXPECT_EQ(shapeKeys(c)[0].operands[7].tensor, 1u);
  // Q alone: P is a loop that y does not have.
  c.bodies[0].parts = {"Q"};
  EXPECT_EQ(reasonOf(c), "output 'y' has no 'P', which no body reduces");
  c.bodies[0].parts = {"P", "D"};
  EXPECT_EQ(reasonOf(c), "'D', along which a body takes parts, has no size from 1 to 32 that is known when compiling");
  c.bodies[0].parts = {"P", "Q"};
  c.bodies[0].axes = {"D"};
  EXPECT_EQ(printed(c), "split_rows: x__0_0[012] x__0_1[012] x__0_2[012] x__1_0[012] x__1_1[012] x__1_2[012] "
                        "w__0[0.2] w__1[0.2] b[.1.] y__0[012] y__1[012] y__2[012]\n"
                        "rows_strided: x__0_0[01] x__0_1[01] x__0_2[01] x__1_0[01] x__1_1[01] x__1_2[01] "
                        "w__0[.1] w__1[.1] b[0.] y__0[01] y__1[01] y__2[01]\n");
  EXPECT_FALSE(shapeKeys(c)[1].isBatched);
  c.bodies[0].axes = {"Q"};
  EXPECT_EQ(reasonOf(c), "bodies reduce 'Q' and take parts along it");
  c.bodies[0].axes = {};
  c.dimensions[1].equals->value = 0;
  EXPECT_EQ(reasonOf(c), "'Q', along which a body takes parts, has no size from 1 to 32 that is known when compiling");
  c.dimensions[1].equals->value = 15;
  EXPECT_EQ(reasonOf(c), "tensors and their parts are 48, more than the 32 that a kernel has");
  c = contract({tensor("x", {"N", "D*P"})}, {tensor("y", {"N", "D"})});
  c.dimensions = {p};
  c.bodies.resize(1);
  c.bodies[0].parts = {"P"};
  EXPECT_EQ(reasonOf(c),
            "'P', along which a body takes parts, is the last dimension of 'x': the elements of a part are neighbours");
}

// A loop without dimensions does not make a parameter of columns one of all rows.
TEST(ShapeKeys, ParametersOfColumns) {
  Contract c = contract({tensor("x", {"M", "N"}), tensor("g", {"N"}), tensor("w", {"M"})}, {tensor("y", {"M", "N"})});
  c.bodies.emplace_back();
  c.bodies.back().axes = {"M"};
  EXPECT_EQ(printed(c), "columns: x[012] g[..2] w[01.] y[012]\n");
}

// Reduced loops stand where the shapes of x and y differ.
TEST(ShapeKeys, Reductions) {
  Contract c = contract({tensor("x", {"...S"})}, {reduced("y", "x")});
  EXPECT_EQ(printed(c), "reduce_rows_short: x[012] y[1]\n"
                        "reduce_rows_long: x[012] y[1]\n"
                        "reduce_columns: x[012] y[2]\n");
  std::vector<ShapeKey> keys = shapeKeys(c);
  EXPECT_EQ(keys[0].reduced, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(keys[2].reduced, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(keys[2].kind, ShapeKey::ReduceColumns);
}

// One pass cannot compute a reduction that depends on another one: the kernels are those of a nest.
TEST(ShapeKeys, DependentReductions) {
  Contract c = contract({tensor("x", {"...S"})}, {reduced("y", "x"), reduced("z", "x")});
  c.bodies.emplace_back();
  c.bodies.back().results.resize(2);
  EXPECT_EQ(shapeKeys(c).size(), 3u);
  c.bodies.back().results[1].reducesAgain = true;
  EXPECT_EQ(printed(c), "split_rows: x[012] y[1] z[1]\n"
                        "columns: x[012] y[2] z[2]\n"
                        "rows_short: x[01] y[0] z[0]\n");
  std::vector<ShapeKey> keys = shapeKeys(c);
  EXPECT_EQ(keys[0].reduced, (std::vector<bool>{true, false, true}));
  EXPECT_TRUE(keys[0].isLong && keys[0].isBatched);
  EXPECT_EQ(keys[1].reduced, (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(keys[1].isBatched);
}

// An output with the reduced dimensions is indexed as the inputs are.
TEST(ShapeKeys, ReductionsThatKeepAllDimensions) {
  ContractTensor whole = reduced("y", "x");
  whole.shape = tensor("x", {"...S"}).shape;
  EXPECT_EQ(printed(contract({tensor("x", {"...S"})}, {whole, reduced("z", "x")})), "split_rows: x[012] y[012] z[1]\n"
                                                                                    "columns: x[012] y[012] z[2]\n"
                                                                                    "rows_short: x[01] y[01] z[0]\n");
}

// Contracts that no key serves say why; the compiler tells it to whoever wrote a te body.
TEST(ShapeKeys, ContractsWithoutKeys) {
  Contract optional = contract({tensor("x", {"...S"})}, {tensor("y", {"...S"})});
  optional.inputs[0].required = false;
  EXPECT_EQ(reasonOf(optional), "input 'x' is optional");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S", "N"}), tensor("w", {"M"})}, {tensor("y", {"...S", "N"})})),
            "the shape [M] of 'w' does not consist of dimensions of [...S, N], the shape of 'x', each of them once");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S", "N"}, Broadcast::Numpy), tensor("w", {"N"})},
                              {tensor("y", {"...S", "N"})})),
            "input 'x' broadcasts, which is for shapes [...S] alone: dimensions with names meet by name");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S"})}, {reduced("y", "x"), tensor("z", {"...S"})})),
            "output 'z' does not reduce, another output does");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S"})}, {reduced("y", "x"), reduced("z", "x", "others")})),
            "outputs 'y' and 'z' reduce different inputs or axes");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S"}), tensor("w", {"...S"}, Broadcast::Numpy)}, {reduced("y", "x")})),
            "input 'w' of a reduction broadcasts");
  EXPECT_EQ(reasonOf(contract({tensor("x", {"...S"}), tensor("w", {"...T"})}, {reduced("y", "x")})),
            "input 'w' has not the shape of 'x'");
}

// The factors of a product are dimensions of the domain: heads that move before tokens, and pixels that are repeated.
// Elements of lines have a second kernel on the AI Core, for lines that do not fit UB; rows of a table have none.
TEST(ShapeKeys, Lines) {
  auto keysOf = [](const std::vector<std::string> &table, const std::vector<std::string> &y) {
    ContractTensor indices = tensor("i", {"I"});
    indices.types = {ElementType::Int32};
    indices.values = ContractValues{"V", false, false, {}};
    std::string names;
    for (const ShapeKey &key : shapeKeys(contract({tensor("x", table), indices}, {tensor("y", y)})))
      names += key.name + (key.isOfAicore() ? "!" : "") + (key.operandOf(0).isLine ? " of lines, " : ", ");
    return names;
  };
  EXPECT_EQ(keysOf({"A", "V"}, {"A", "I"}), "gather of lines, gather_elements! of lines, ");
  EXPECT_EQ(keysOf({"V"}, {"I"}), "gather of lines, gather_elements! of lines, ");
  EXPECT_EQ(keysOf({"V", "R"}, {"I", "R"}), "gather, ");
  EXPECT_EQ(keysOf({"V", "I"}, {"I"}), "gather, ");
}

// No tensor has all dimensions: they are those of all, in the order in which shapes have them.
TEST(ShapeKeys, DimensionsOfAllTensors) {
  auto made = [](const std::vector<std::string> &a, const std::vector<std::string> &b,
                 const std::vector<std::string> &y, const std::vector<std::string> &axes) {
    Contract outer = contract({tensor("a", a), tensor("b", b)}, {tensor("y", y)});
    outer.bodies.resize(1);
    outer.bodies[0].level = BodyLevel::Te;
    outer.bodies[0].axes = axes;
    return outer;
  };
  auto printedIfOuter = [](const Contract &outer) {
    return shapeKeys(outer).front().isOuter ? printed(outer) : "a tensor has all";
  };
  EXPECT_EQ(printedIfOuter(made({"N"}, {"M"}, {"N"}, {"M"})),
            "rows_short: a[0.] b[.1] y[0.]\nrows_long: a[0.] b[.1] y[0.]\n");
  EXPECT_EQ(printedIfOuter(made({"N"}, {"M"}, {"M"}, {"N"})),
            "rows_short: a[.1] b[0.] y[0.]\nrows_long: a[.1] b[0.] y[0.]\n");
  EXPECT_EQ(printedIfOuter(made({"N"}, {"M", "K"}, {"K"}, {"N", "M"})), "columns: a[01.] b[012] y[..2]\n");
  EXPECT_EQ(printedIfOuter(made({"N", "M"}, {"M", "K"}, {"N", "K"}, {"M"})), "columns: a[01.] b[012] y[..2]\n");
  EXPECT_EQ(printedIfOuter(made({"N", "M"}, {"K", "M"}, {"N", "K"}, {"M"})),
            "rows_short: a[.1] b[01] y[0.]\nrows_long: a[.1] b[01] y[0.]\n");
  EXPECT_EQ(printedIfOuter(made({"N", "M"}, {"M"}, {"N"}, {"M"})), "a tensor has all");
  // Shapes that disagree, and a dimension that nothing reduces.
  EXPECT_TRUE(shapeKeys(made({"N", "M"}, {"M", "K"}, {"K", "N"}, {"M"})).empty());
  EXPECT_TRUE(shapeKeys(made({"N"}, {"M", "K"}, {"N"}, {"M"})).empty());
}

// Reduced dimensions beyond the innermost run are one loop of several runs, and so are kept ones beyond two batch
// loops. An input may have some of the runs.
TEST(ShapeKeys, ScatteredAxes) {
  auto made = [](const std::vector<std::string> &x, const std::vector<std::string> &w,
                 const std::vector<std::string> &y, const std::vector<std::string> &axes) {
    Contract scattered = contract({tensor("x", x), tensor("w", w)}, {tensor("y", y)});
    scattered.bodies.resize(1);
    scattered.bodies[0].level = BodyLevel::Te;
    scattered.bodies[0].axes = axes;
    return scattered;
  };
  const Contract rows = made({"A", "B", "C", "D", "E"}, {"A", "C"}, {"B", "D"}, {"A", "C", "E"});
  EXPECT_EQ(printed(rows), "split_rows: x[012] w[0..] y[.1.]\n");
  EXPECT_EQ(shapeKeys(rows).front().outerRuns, 2u);
  const Contract columns = made({"A", "B", "C", "D", "E", "F"}, {"A", "C", "E", "F"}, {"B", "D", "F"}, {"A", "C", "E"});
  EXPECT_EQ(printed(columns), "columns: x[012] w[012] y[..2]\n");
  EXPECT_EQ(shapeKeys(columns).front().outerRuns, 2u);
  const Contract most = made({"A", "B", "C", "D", "E", "F", "G"}, {"B"}, {"B", "D", "F"}, {"A", "C", "E", "G"});
  EXPECT_EQ(shapeKeys(most).front().outerRuns, 3u);
  EXPECT_EQ(shapeKeys(made({"A", "B", "C"}, {"B"}, {"B"}, {"A", "C"})).front().outerRuns, 1u);
  const Contract some = made({"A", "B", "C", "D", "E"}, {"A", "E"}, {"B", "D"}, {"A", "C", "E"});
  EXPECT_EQ(printed(some), "split_rows: x[012] w[0.2] y[.1.]\n");
  EXPECT_EQ(shapeKeys(some).front().outerRuns, 2u);
  // The rows of a tile are along a loop that each input has which has any.
  const Contract first = made({"A", "B", "C"}, {"A"}, {"C"}, {"A", "B"});
  EXPECT_EQ(printed(first), "columns: x[012] w[.1.] y[..2]\n");
  EXPECT_EQ(shapeKeys(first).front().outerRuns, 1u);
  Contract apart = made({"A", "B", "C"}, {"A"}, {"C"}, {"A", "B"});
  apart.inputs.push_back(tensor("v", {"B"}));
  EXPECT_EQ(printed(apart), "columns: x[012] w[01.] v[01.] y[..2]\n");
  EXPECT_EQ(shapeKeys(apart).front().outerRuns, 2u);
  const Contract batches =
      made({"A", "B", "C", "D", "E", "F", "G", "H"}, {"A"}, {"B", "D", "F", "H"}, {"A", "C", "E", "G"});
  EXPECT_EQ(printed(batches), "columns: x[012] w[.1.] y[..2]\n");
  EXPECT_EQ(shapeKeys(batches).front().outerRuns, 3u);
  EXPECT_EQ(shapeKeys(batches).front().batchRuns, 2u);
  const Contract between = made({"A", "B", "C", "D", "E"}, {"A", "C"}, {"A", "B", "C", "D"}, {"E"});
  EXPECT_EQ(shapeKeys(between).front().batchRuns, 2u);
  // Factors of products can be more than a tensor has dimensions.
  std::vector<std::string> all, every, kept;
  for (char name = 'A'; name <= 'T'; ++name)
    (name % 2 ? every : kept).push_back(std::string(1, name)), all.push_back(std::string(1, name));
  EXPECT_EQ(reasonOf(made(all, {"A"}, kept, every)),
            "the reduced dimensions form more loops than the 9 that a kernel has beside 'T': 'A' is one too many");
}

TEST(ShapeKeys, Products) {
  Contract split = contract({tensor("x", {"N", "L", "H*D"})}, {tensor("y", {"N", "H", "L", "D"})});
  EXPECT_EQ(printed(split), "strided: x[01] y[01]\nany: x[01] y[01]\n");
  Contract repeat = contract({tensor("x", {"N"})}, {tensor("y", {"N*R"})});
  EXPECT_EQ(printed(repeat), "flat: x[0] y[0]\n"
                             "flat_x_scalar: x[.] y[0]\n"
                             "rows_x_column: x[0.] y[01]\n");
  // A group of channels: rows in pieces, whose parameter has both factors.
  Contract norm =
      contract({tensor("x", {"N", "G*C", "...S"}), tensor("gamma", {"G*C"})}, {tensor("y", {"N", "G*C", "...S"})});
  norm.bodies.resize(1);
  norm.bodies[0].level = BodyLevel::Te;
  norm.bodies[0].axes = {"C", "S"};
  EXPECT_EQ(printed(norm), "split_rows: x[012] gamma[01.] y[012]\n");
  // Numbers count neither the dimensions of the tensor nor those of the domain.
  norm.bodies[0].axes = {"-1"};
  EXPECT_EQ(shapeKeys(norm).front().kind, ShapeKey::Flat);
}

/// copies = size if the dimension is 1, else `otherwise`
static ContractDimension copiesOf(const std::string &copies, const std::string &dim, int64_t otherwise) {
  auto leaf = [](SizeExpression::Op op, int64_t value, const std::string &symbol) {
    SizeExpression made;
    made.op = op;
    made.value = value;
    made.symbol = symbol;
    return made;
  };
  SizeExpression isOne, equals;
  isOne.op = SizeExpression::Eq;
  isOne.operands = {leaf(SizeExpression::Symbol, 0, dim), leaf(SizeExpression::Const, 1, "")};
  equals.op = SizeExpression::Select;
  equals.operands = {isOne, leaf(SizeExpression::Symbol, 0, "size"), leaf(SizeExpression::Const, otherwise, "")};
  ContractDimension rule;
  rule.name = copies;
  rule.equals = equals;
  return rule;
}

// A dimension with copies has size 1, so three of them have three loops at most.
TEST(ShapeKeys, SizesThatExcludeEachOther) {
  Contract expand = contract({tensor("x", {"A", "B", "C"})}, {tensor("y", {"P*A", "Q*B", "R*C"})});
  const std::string three = "flat: x[0] y[0]\n"
                            "flat_x_scalar: x[.] y[0]\n"
                            "rows_x_row: x[.1] y[01]\n"
                            "rows_x_column: x[0.] y[01]\n";
  EXPECT_EQ(printed(expand), three + "any: x[01] y[01]\n");
  expand.dimensions = {copiesOf("P", "A", 1), copiesOf("Q", "B", 0), copiesOf("R", "C", 1)};
  EXPECT_EQ(printed(expand), three);
  // Two copies of a dimension of any size are another loop, and there are five.
  expand.dimensions[0] = copiesOf("P", "A", 2);
  expand.dimensions[1] = copiesOf("Q", "B", 2);
  EXPECT_EQ(printed(expand), three + "any: x[01] y[01]\n");
}

/// A contract whose body multiplies and sums over `axes`.
static Contract product(std::vector<ContractTensor> inputs, const std::vector<std::string> &result,
                        std::vector<std::string> axes = {"K"}, std::vector<std::string> summed = {"K"}) {
  Contract made = contract(std::move(inputs), {tensor("y", result)});
  ContractBody body;
  body.level = BodyLevel::Te;
  body.summed = std::move(summed);
  body.axes = std::move(axes);
  body.multiplies = true;
  made.bodies = {std::move(body)};
  return made;
}

/// The key of a product; those with a resident panel have the same loops.
static std::string bothOf(const std::string &printed) {
  const size_t end = printed.find('\n') + 1;
  const std::string first = printed.substr(0, end), name = "contraction";
  std::string panels;
  for (const char *key : {"resident", "resident_m256", "resident_m512", "resident_m16"})
    panels += key + first.substr(name.size());
  EXPECT_EQ(printed.substr(end), panels);
  return first;
}

// Dimensions meet by name: each order of an operand is an order of loops, and the last dimension of the result is n.
TEST(ShapeKeys, MatrixProducts) {
  auto keys = [](std::vector<std::string> a, std::vector<std::string> b, const std::vector<std::string> &y) {
    return bothOf(printed(product({tensor("a", a), tensor("b", b)}, y)));
  };
  EXPECT_EQ(keys({"M", "K"}, {"K", "N"}, {"M", "N"}), "contraction: a[02] b[21] y[01]\n");
  EXPECT_EQ(keys({"M", "K"}, {"N", "K"}, {"M", "N"}), "contraction: a[02] b[12] y[01]\n");
  EXPECT_EQ(keys({"K", "M"}, {"N", "K"}, {"M", "N"}), "contraction: a[20] b[12] y[01]\n");
  // The operand that the result ends with is the right one.
  EXPECT_EQ(keys({"M", "K"}, {"K", "N"}, {"N", "M"}), "contraction: a[12] b[20] y[01]\n");
  EXPECT_EQ(keys({"...S", "M", "K"}, {"K", "N"}, {"...S", "M", "N"}), "contraction: a[02] b[21] y[01]\n");
  EXPECT_EQ(keys({"B", "G*R", "M", "K"}, {"B", "G", "N", "K"}, {"B", "G*R", "M", "N"}),
            "contraction: a[02] b[12] y[01]\n");
  // A vector has no rows, which are one trip of a loop.
  EXPECT_EQ(keys({"K"}, {"K", "N"}, {"N"}), "contraction: a[02] b[21] y[01]\n");
  EXPECT_EQ(keys({"M", "K"}, {"K"}, {"M"}), "contraction: a[12] b[02] y[01]\n");
  EXPECT_EQ(
      bothOf(printed(product({tensor("a", {"M", "K"}), tensor("b", {"K", "N"}), tensor("row", {"N"}),
                              tensor("column", {"M"}), tensor("x", {"M", "N"}), tensor("s", {}, Broadcast::Scalar)},
                             {"M", "N"}))),
      "contraction: a[02] b[21] row[.1] column[0.] x[01] s[..] y[01]\n");
}

// Rows that are reduced are whole in a tile, so there is no key with a panel for tiles beside each other, but one with
// the right matrix for tiles below each other.
TEST(ShapeKeys, RowsOfProducts) {
  const std::vector<ContractTensor> inputs = {tensor("a", {"M", "K"}), tensor("b", {"N", "K"})};
  const Contract rows = product(inputs, {"M", "N"}, {"K", "N"});
  EXPECT_EQ(printed(rows), "contraction: a[02] b[12] y[01]\ncontraction_resident: a[02] b[12] "
                           "y[01]\ncontraction_long_n1024: a[02] b[12] y[01]\n"
                           "contraction_long: a[02] b[12] y[01]\n");
  EXPECT_EQ(shapeKeys(rows).front().reduced, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(shapeKeys(product(inputs, {"M", "N"})).front().reduced, (std::vector<bool>{false, false, true}));
  std::string reason;
  EXPECT_FALSE(contractKind(product(inputs, {"M", "N"}, {"K", "M"}), reason).has_value());
  EXPECT_THAT(reason, testing::HasSubstr("bodies reduce 'M' of a product, whose rows are 'N'"));
  // An element for each row.
  const Contract elements = product(inputs, {"M"}, {"K", "N"});
  EXPECT_EQ(printed(elements), "contraction: a[02] b[12] y[0]\ncontraction_resident: a[02] b[12] "
                               "y[0]\ncontraction_long_n1024: a[02] b[12] y[0]\n"
                               "contraction_long: a[02] b[12] y[0]\n");
  EXPECT_EQ(shapeKeys(elements).front().reduced, (std::vector<bool>{false, true, true}));
}

// Batches that broadcast at launch have the keys of other products, and a pack of their own.
TEST(ShapeKeys, BatchesThatBroadcast) {
  auto batch = [](const char *name, const std::vector<std::string> &shape) {
    return tensor(name, shape, Broadcast::Batch);
  };
  const Contract both = product({batch("a", {"...S", "M", "K"}), batch("b", {"...S", "K", "N"})}, {"...S", "M", "N"});
  EXPECT_EQ(bothOf(printed(both)), "contraction: a[02] b[21] y[01]\n");
  for (const ShapeKey &key : shapeKeys(both))
    EXPECT_TRUE(key.isStretched);
  EXPECT_FALSE(shapeKeys(product({tensor("a", {"M", "K"}), tensor("b", {"K", "N"})}, {"M", "N"})).front().isStretched);
  // Rows are no part of the pack if the residual of one matrix serves all of them.
  EXPECT_EQ(
      bothOf(printed(product({tensor("a", {"...S", "M", "K"}), tensor("b", {"K", "N"}), batch("x", {"...S", "M", "N"})},
                             {"...S", "M", "N"}))),
      "contraction: a[02] b[21] x[01] y[01]\n");
  auto why = [](const Contract &contract) {
    std::string reason;
    EXPECT_FALSE(contractKind(contract, reason).has_value());
    return reason;
  };
  using testing::HasSubstr;
  EXPECT_THAT(why(contract({batch("x", {"...S"})}, {tensor("y", {"...S"})})),
              HasSubstr("the batch of input 'x' broadcasts ('broadcast: batch'), which is for matrices"));
  EXPECT_THAT(why(product({batch("a", {"...S", "K"}), tensor("b", {"K", "N"})}, {"...S", "N"})),
              HasSubstr("'...S', along which inputs broadcast at launch, is not the only batch"));
  EXPECT_THAT(
      why(product({batch("a", {"...S", "H", "M", "K"}), batch("b", {"...S", "H", "K", "N"})}, {"...S", "H", "M", "N"})),
      HasSubstr("is not the only batch"));
  EXPECT_THAT(why(product({batch("a", {"...S", "M", "K"}), tensor("b", {"K", "...S", "N"})}, {"...S", "M", "N"})),
              HasSubstr("is not the first dimension of [K, ...S, N], the shape of 'b'"));
}

// What is no matrix product is refused with what is wrong about it.
TEST(ShapeKeys, NoMatrixProducts) {
  auto why = [](const Contract &contract) {
    std::string reason;
    EXPECT_FALSE(contractKind(contract, reason).has_value());
    return reason;
  };
  auto plain = [&](std::vector<std::string> a, std::vector<std::string> b, const std::vector<std::string> &y) {
    return why(product({tensor("a", a), tensor("b", b)}, y));
  };
  using testing::HasSubstr;
  EXPECT_THAT(plain({"M", "K"}, {"L", "N"}, {"M", "N"}), HasSubstr("two operands with 'K', found 'a'"));
  EXPECT_THAT(plain({"M", "K"}, {"K", "N"}, {"M", "K", "N"}), HasSubstr("output 'y' has 'K'"));
  EXPECT_THAT(plain({"M", "K"}, {"K", "N"}, {"M"}), HasSubstr("output 'y' has no 'N'"));
  EXPECT_THAT(plain({"B", "K"}, {"B", "K"}, {"B"}), HasSubstr("which both operands have"));
  EXPECT_THAT(plain({"K"}, {"K"}, {}), HasSubstr("the result has no dimension"));
  EXPECT_THAT(plain({"M", "K"}, {"K", "N"}, {"M", "Q", "N"}), HasSubstr("'Q', which no operand of the product has"));
  EXPECT_THAT(plain({"K", "M", "B"}, {"B", "K", "N"}, {"B", "M", "N"}),
              HasSubstr("ends neither with 'K' nor with 'M'"));
  EXPECT_THAT(plain({"A", "B", "C", "D", "M", "K"}, {"B", "D", "K", "N"}, {"A", "B", "C", "D", "M", "N"}),
              HasSubstr("form more than two loops"));
  EXPECT_THAT(why(product({tensor("a", {"M", "K"}), tensor("b", {"K", "N"}), tensor("c", {"K"})}, {"M", "N"})),
              HasSubstr("found 'a', 'b', 'c'"));
  EXPECT_THAT(why(product({tensor("a", {"M", "K"}), tensor("b", {"K", "N"}), tensor("x", {"N", "M"})}, {"M", "N"})),
              HasSubstr("input 'x' [N, M] has 'N', the last dimension of the results, and ends with another one"));
  EXPECT_THAT(why(product({tensor("a", {"M", "K"}), tensor("b", {"K", "N"})}, {"M", "N"}, {"Z"})),
              HasSubstr("none of its axes is a dimension"));
  EXPECT_THAT(why(product({tensor("a", {"M", "...K"}), tensor("b", {"...K", "N"})}, {"M", "N"})),
              HasSubstr("which is no dimension with a name of its own"));
  EXPECT_THAT(
      why(product({tensor("a", {"K", "M", "L"}), tensor("b", {"K", "L", "N"})}, {"M", "N"}, {"K", "L"}, {"K", "L"})),
      HasSubstr("are several loops"));
}
