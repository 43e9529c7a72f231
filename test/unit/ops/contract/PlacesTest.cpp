// Rules 47 and 48, and what values of attributes make of shapes (ops/contract/Places.h).

#include "ops/contract/Places.h"
#include "ops/contract/AttributeText.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/write/Canonical.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

/// A contract with these inputs and outputs, attributes and dimensions.
static std::string contractOf(const std::string &inputs, const std::string &outputs, const std::string &attributes,
                              const std::string &dimensions = {}) {
  return "schema: 1\nop_type: Moves\nversion: 1.0.0\nsummary: moves\ninputs:\n" + inputs + "outputs:\n" + outputs +
         "attributes:\n" + attributes + (dimensions.empty() ? "" : "dimensions:\n" + dimensions) +
         "precision:\n  compute: storage\n  tolerance:\n    - {type: float32, max_ulp: 0}\n"
         "bodies:\n  - {level: te, file: moves.mlir}\nreference: reference.py\n";
}

static const std::string kX = "  - {name: x, types: [float32], shape: [...S]}\n";
static const std::string kPerm = "  - {name: perm, type: list_int, bind: compile, default: [2, 0, 1]}\n";

static std::string yOf(const std::string &shape) {
  return "  - {name: y, types: [float32], shape: " + shape + "}\n";
}

// Data and places along its dimension `axis`.
static std::string gatherOf(const std::string &indices, const std::string &axis,
                            const std::string &dimensions = "  - {name: V, axis: axis}\n") {
  return contractOf("  - {name: x, types: [float32], shape: [...A, V, ...R]}\n" + indices, yOf("[...A, ...I, ...R]"),
                    axis, dimensions);
}
static const std::string kPlaces = "  - {name: p, types: [int32], shape: [...I], values: {along: V}}\n";
static const std::string kAxis = "  - {name: axis, type: int, bind: compile, default: 1}\n";

/// The text with a mark before its op_type, where errors of values are.
static std::string marked(std::string text) {
  return text.replace(text.find("Moves"), 0, "@");
}

static std::optional<Contract> good(const std::string &text) {
  Diagnostics diagnostics;
  std::optional<Contract> contract = read(text, diagnostics);
  EXPECT_TRUE(contract.has_value());
  for (const Diagnostic &each : diagnostics.all())
    ADD_FAILURE() << each.message;
  return contract;
}

// Without it an order would name dimensions twice or not at all, and a result would have no shape.
TEST(Places, C47Orders) {
  expectError(contractOf(kX, yOf("[@'...S[prm]']"), kPerm), "contract_c47",
              "expects the order of '...S' in a list_int attribute that binds at compile time and has a default, found "
              "'prm'",
              "did you mean 'perm'?");
  expectError(contractOf(kX, yOf("[@'...S[perm]']"), "  - {name: perm, type: list_int, bind: compile}\n"),
              "contract_c47", "has a default, found 'perm'", "did you mean 'perm'?");
  expectError(contractOf("  - {name: x, types: [float32], shape: [@'...S[perm]']}\n", yOf("[...S]"), kPerm),
              "contract_c47", "expects the order of a pack in outputs only, found '...S[perm]' in an input",
              "write '...S'");
  for (const char *order : {"[0, 2, 2]", "[1, 2, 3]", "[-1, 0, 1]"})
    expectError(
        marked(contractOf(kX, yOf("['...S[perm]']"),
                          "  - {name: perm, type: list_int, bind: compile, default: " + std::string(order) + "}\n")),
        "contract_c47", "'perm' is no order of 3 dimensions: each number from 0 to 2 stands in it once");
  expectError(contractOf(kX, yOf("[@'...S[perm']"), kPerm), "contract_c23",
              "expects the order of a pack between brackets, found '...S[perm'", "as in ...S[perm]");
}

// Without it a dimension would be looked for where the tensors have another one.
TEST(Places, C47Axes) {
  expectError(gatherOf(kPlaces, kAxis, "  - {name: @V, axis: axs}\n"), "contract_c47",
              "expects the axis of 'V' in an int attribute that binds at compile time and has a default, found 'axs'",
              "did you mean 'axis'?");
  expectError(marked(gatherOf(kPlaces, "  - {name: axis, type: int, bind: compile, default: 9}\n")), "contract_c47",
              "'axis' is 9, beyond the 8 dimensions of a tensor");
  expectError(marked(gatherOf(kPlaces, kAxis, "  - {name: V, axis: axis}\n  - {name: ...A, minimum_rank: 2}\n")),
              "contract_c47", "'...A' has to have 2 to 8 dimensions, it has 1");
  expectError(
      marked(contractOf("  - {name: x, types: [float32], shape: [N, V, ...R]}\n", yOf("[N, V, ...R]"),
                        "  - {name: axis, type: int, bind: compile, default: 2}\n", "  - {name: V, axis: axis}\n")),
      "contract_c47", "'axis' is 2, and 'V' is another dimension in [N, V, ...R] of 'x'");
  expectError(gatherOf(kPlaces, kAxis, "  - {name: ...R, @axis: axis}\n  - {name: V, axis: axis}\n"), "contract_c31",
              "expects 'axis' on symbols only, found it elsewhere", "remove it");
}

// Without it an index could be read as an address of anything.
TEST(Places, C48Values) {
  auto places = [](const std::string &text) { return "  - {name: p, types: [int32], shape: [...I], " + text + "}\n"; };
  expectError(gatherOf(places("values: {along: @W}"), kAxis), "contract_c48",
              "expects a dimension of another input, along which the values are places, found 'W'", "one of: V");
  expectError(gatherOf("  - {name: p, types: [int16], shape: [...I], values: {along: @V}}\n", kAxis), "contract_c48",
              "expects values of int32 or int64 as places, found 'p' of int16");
  expectError(gatherOf(places("broadcast: numpy, values: {along: @V}"), kAxis), "contract_c48",
              "expects places in a required input that does not broadcast, found 'p'");
  expectError(gatherOf(places("values: {along: V, negative: @end}"), kAxis), "contract_c12", "found 'end'",
              "one of: outside, from_end");
  expectError(contractOf(kX, "  - {name: y, types: [float32], shape: ['...S[perm]'], @values: {along: S}}\n", kPerm),
              "contract_c25", "expects 'values' on inputs only, found it on an output", "remove it");
}

// The symbols that take the place of packs are those of all tensors, and change with the value.
TEST(Places, Orders) {
  std::optional<Contract> contract = good(contractOf(kX, yOf("['...S[perm]']"), kPerm));
  ASSERT_TRUE(contract);
  EXPECT_TRUE(isOrder(*contract, "perm"));
  EXPECT_EQ(printShape(contract->inputs[0].shape), "[S_0, S_1, S_2]");
  EXPECT_EQ(printShape(contract->outputs[0].shape), "[S_2, S_0, S_1]");
  const std::string canonical = canonicalText(*contract);
  EXPECT_NE(canonical.find("- ...S[perm]\n"), std::string::npos) << canonical;
  Diagnostics diagnostics;
  ASSERT_TRUE(bindAttributes(*contract, {{"perm", "[1, 0]"}}, diagnostics));
  EXPECT_EQ(printShape(contract->outputs[0].shape), "[S_1, S_0]");
  std::string reason;
  std::optional<StaticShapes> shapes = completeShapes(*contract, {{"x", {3, 5}}}, reason);
  ASSERT_TRUE(shapes) << reason;
  EXPECT_EQ(shapes->at("y"), (Shape{5, 3}));
  // What is written stays; the value alone is another one.
  EXPECT_NE(canonicalText(*contract).find("- ...S[perm]\n"), std::string::npos);
  // A value that is no order changes nothing.
  EXPECT_FALSE(bindAttributes(*contract, {{"perm", "[1, 1]"}}, diagnostics));
  EXPECT_EQ(diagnostics.all().back().code, Code::E0526);
  EXPECT_EQ(printShape(contract->outputs[0].shape), "[S_1, S_0]");
}

TEST(Places, Axes) {
  std::optional<Contract> contract = good(gatherOf(kPlaces, kAxis));
  ASSERT_TRUE(contract);
  EXPECT_EQ(printShape(contract->inputs[0].shape), "[A_0, V, ...R]");
  EXPECT_EQ(printShape(contract->outputs[0].shape), "[A_0, ...I, ...R]");
  Diagnostics diagnostics;
  ASSERT_TRUE(bindAttributes(*contract, {{"axis", "-2"}}, diagnostics));
  EXPECT_EQ(printShape(contract->inputs[0].shape), "[...A, V, R_0]");
  std::string reason;
  std::optional<StaticShapes> shapes = completeShapes(*contract, {{"x", {2, 3, 4, 5}}, {"p", {7}}}, reason);
  ASSERT_TRUE(shapes) << reason;
  EXPECT_EQ(shapes->at("y"), (Shape{2, 3, 7, 5}));
  ASSERT_TRUE(bindAttributes(*contract, {{"axis", "0"}}, diagnostics));
  shapes = completeShapes(*contract, {{"x", {4, 5}}, {"p", {}}}, reason);
  ASSERT_TRUE(shapes) << reason;
  EXPECT_EQ(shapes->at("y"), (Shape{5}));
}
