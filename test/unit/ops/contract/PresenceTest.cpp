// Rule 49, and what is left of a contract without an input that may be absent (ops/contract/Places.h).

#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/write/Canonical.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

static const std::string kX = "  - {name: x, types: [float16, int32], shape: [M, N]}\n";
static const std::string kBias =
    "  - {name: bias, types: [float16, int32], shape: [N], present: has_bias, absent: 0}\n";
static const std::string kGamma =
    "  - {name: gamma, types: [float16, int32], shape: [N], present: has_bias, absent: 1}\n";
static const std::string kHasBias = "  - {name: has_bias, type: bool, bind: compile, default: true}\n";

static std::string contractOf(const std::string &inputs, const std::string &attributes = kHasBias,
                              const std::string &bodies = "{level: te, file: shift.mlir}") {
  return "schema: 1\nop_type: Shift\nversion: 1.0.0\nsummary: shifts\ninputs:\n" + inputs +
         "outputs:\n  - {name: y, types: [float16, int32], shape: [M, N]}\nattributes:\n" + attributes +
         "precision:\n  compute: storage\n  tolerance:\n    - {type: float16, max_ulp: 0}\n"
         "    - {type: int32, max_ulp: 0}\n"
         "bodies:\n  - " +
         bodies + "\nreference: reference.py\ntest_shapes:\n  - {x: [2, 3], bias: [3]}\n";
}

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

static std::string messages(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &each : diagnostics.all())
    text += each.message + "\n";
  return text;
}

static std::string withBias(const std::string &from, const std::string &to) {
  return contractOf(kX + replaced(kBias, from, to));
}

// Without a number in its place a body would have nothing to compute with.
TEST(Presence, C49KeysTogether) {
  expectError(withBias("present: has_bias, absent: 0", "@present: has_bias"), "contract_c49",
              "expects 'present' and 'absent' together, found 'present' alone");
  expectError(withBias("present: has_bias, absent: 0", "@absent: 0"), "contract_c49", "found 'absent' alone");
  expectError(withBias("absent: 0", "absent: @none"), "contract_c11", "expects 'absent' to be a finite number");
  expectError(replaced(contractOf(kX + kBias), "name: y,", "name: y, @present: has_bias,"), "contract_c25",
              "expects 'present' on inputs only, found it on an output", "remove it");
}

// Every other rule reads a contract with all its inputs.
TEST(Presence, C49Attribute) {
  const std::string text = "to name a bool attribute that binds when compiling and is true by default, found ";
  const std::string bias = kX + replaced(kBias, "name: bias", "name: @bias");
  expectError(replaced(contractOf(bias), "present: has_bias", "present: has_bia"), "contract_c49", text + "'has_bia'",
              "did you mean 'has_bias'?");
  for (const char *attribute : {"type: bool, bind: compile, default: false", "type: bool, bind: launch, default: true",
                                "type: bool, bind: compile", "type: int, bind: compile, default: 1"})
    expectError(contractOf(bias, std::string("  - {name: has_bias, ") + attribute + "}\n"), "contract_c49",
                text + "'has_bias'");
}

// A number of one type row may be none of another.
TEST(Presence, C49Number) {
  expectError(contractOf(kX + replaced(replaced(kBias, "name: bias", "name: @bias"), "absent: 0", "absent: 0.5")),
              "contract_c49", "expects a whole number in 'absent' for 'bias' of int32, found one with a fraction");
  expectError(contractOf(kX + replaced(replaced(kBias, "name: bias", "name: @bias"), "int32", "bool")), "contract_c49",
              "expects true or false in 'absent' for 'bias' of bool, found a number", "absent: true");
  const std::string named = replaced(kBias, "name: bias", "name: @bias");
  expectError(contractOf(kX + replaced(named, "absent: 0", "absent: true")), "contract_c49",
              "expects a number in 'absent' for 'bias' of float16, found a truth value");
  expectError(contractOf(kX + replaced(named, "absent: 0", "absent: 2147483648")), "contract_c49",
              "expects a number in 'absent' for 'bias' that int32 has, found one beyond its range");
  expectError(contractOf(kX + replaced(replaced(named, "int32", "float32"), "absent: 0", "absent: 1e39")),
              "contract_c49", "expects a number in 'absent' for 'bias' that float16 has, found one beyond its range");
}

// Sizes, names of rows and rows themselves are those of an operator without the input too.
TEST(Presence, C49OtherInputs) {
  expectError(withBias("shape: [N]", "shape: [@K]"), "contract_c49",
              "expects dimensions of 'bias', which may be absent, that another input has too, found 'K'");
  expectError(contractOf(replaced(replaced(kBias, "name: bias", "name: @bias"), "shape: [N]", "shape: [M, N]") + kX),
              "contract_c49", "expects 'present' on an input after the first one", "write another input first");
  expectError(replaced(withBias("absent: 0", "absent: 0, required: false"), "name: bias", "name: @bias"),
              "contract_c49", "expects 'present' on an input without 'required: false', found both on 'bias'",
              "'present' alone says that it is optional");
  const std::string twice = "  - {name: x, @types: [int32, int32], shape: [M, N]}\n";
  const std::string alike = replaced(contractOf(twice + kBias), "y, types: [float16,", "y, types: [int32,");
  expectError(
      replaced(alike, "    - {type: float16, max_ulp: 0}\n", ""), "contract_c49",
      "expects type rows that differ without the inputs that may be absent, found row 1 equal to an earlier one");
  expectError(contractOf(kX + kBias, kHasBias, "{level: aicore, file: @shift.aicore.mlir}"), "contract_c49",
              "expects bodies at level te", "two operators, or a body at level te");
}

TEST(Presence, InputsFollowTheAttribute) {
  Diagnostics diagnostics;
  std::optional<Contract> contract =
      read(replaced(contractOf(kX + kBias + kGamma), "bias: [3]", "bias: [3], gamma: [3]"), diagnostics);
  ASSERT_TRUE(contract) << messages(diagnostics);
  ASSERT_EQ(contract->inputs.size(), 3u);
  const std::string hash = contractHash(*contract), text = canonicalText(*contract);
  EXPECT_NE(text.find("present: has_bias\n    absent: 1\n"), std::string::npos) << text;
  EXPECT_TRUE(isPresence(*contract, "has_bias"));
  EXPECT_FALSE(isPresence(*contract, "bias"));
  EXPECT_EQ(contract->testShapes.at(0).inputs.size(), 3u);

  // One attribute for both; what was written, and so the hash but for the value, stays.
  ASSERT_TRUE(bindAttributes(*contract, {{"has_bias", "false"}}, diagnostics));
  ASSERT_EQ(contract->inputs.size(), 1u);
  EXPECT_EQ(writtenInputs(*contract).size(), 3u);
  EXPECT_TRUE(isAbsent(*contract, writtenInputs(*contract)[2]));
  EXPECT_FALSE(isAbsent(*contract, writtenInputs(*contract)[0]));
  EXPECT_EQ(inputsOfArgument(*contract, 0), (std::vector<size_t>{0}));
  EXPECT_TRUE(inputsOfArgument(*contract, 2).empty());
  EXPECT_TRUE(inputsOfArgument(*contract, 3).empty());
  ASSERT_EQ(contract->testShapes.at(0).inputs.size(), 1u);
  EXPECT_EQ(contract->testShapes[0].inputs[0], (std::vector<int64_t>{2, 3}));
  std::string reason;
  std::optional<StaticShapes> shapes = completeShapes(*contract, {{"x", {3, 5}}}, reason);
  ASSERT_TRUE(shapes) << reason;
  EXPECT_EQ(shapes->at("y"), (Shape{3, 5}));

  ASSERT_TRUE(bindAttributes(*contract, {{"has_bias", "true"}}, diagnostics));
  EXPECT_EQ(contract->inputs.size(), 3u);
  EXPECT_EQ(contract->testShapes.at(0).inputs.size(), 3u);
  EXPECT_EQ(contractHash(*contract), hash);
}

// Functions of a body and files of kernels have one name with and without the input.
TEST(Presence, NamesOfRowsStay) {
  Diagnostics diagnostics;
  const std::string z = "  - {name: z, types: [int8, int16], shape: [M, N]}\n";
  std::string text = contractOf(replaced(kX, "float16", "int32") + z + replaced(kBias, "float16", "int32"));
  text =
      replaced(replaced(text, "y, types: [float16,", "y, types: [int32,"), "    - {type: float16, max_ulp: 0}\n", "");
  text = replaced(text, "bias: [3]", "bias: [3], z: [2, 3]");
  std::optional<Contract> contract = read(text, diagnostics);
  ASSERT_TRUE(contract) << messages(diagnostics);
  const std::vector<std::string> names = contract->typeRowNames();
  EXPECT_EQ(names[0], "int32_int8_int32_int32");
  ASSERT_TRUE(bindAttributes(*contract, {{"has_bias", "false"}}, diagnostics));
  EXPECT_EQ(contract->typeRowNames(), names);
}

// A node has the operand or leaves it out; an attribute that says otherwise would be believed before.
TEST(Presence, C62OperandsDecide) {
  expectError(contractOf(kX + kBias) + "onnx:\n  - operator: Shift\n    domain: com.example\n    attributes:\n"
                                       "      - {name: with_bias, attribute: @has_bias, default: true}\n",
              "contract_c62", "expects an attribute that operands do not give, found 'has_bias'",
              "remove the attribute from the form");
}
