// Rule 50, and contracts with an input of several tensors, for a value of its count (ops/contract/Places.h).

#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

static const std::string kX = "  - {name: x, types: [float16], shape: [M, 'A[n]', N], count: n}\n";
static const std::string kN = "  - {name: n, type: int, bind: compile, default: 2, range: {minimum: 1, maximum: 4}}\n";

static std::string contractOf(const std::string &inputs = kX, const std::string &attributes = kN,
                              const std::string &outputs = "{name: y, types: [float16], shape: [M, 'A[n]', N]}",
                              const std::string &bodies = "{level: te, file: join.mlir}") {
  return "schema: 1\nop_type: Join\nversion: 1.0.0\nsummary: joins\ninputs:\n" + inputs + "outputs:\n  - " + outputs +
         "\nattributes:\n" + attributes +
         "precision:\n  compute: storage\n  tolerance:\n    - {type: float16, max_ulp: 0}\nbodies:\n  - " + bodies +
         "\nreference: reference.py\n";
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

static std::vector<std::string> namesOf(const Contract &contract) {
  std::vector<std::string> names;
  for (const ContractTensor &input : contract.inputs)
    names.push_back(input.name);
  return names;
}

TEST(Count, C50Attribute) {
  const std::string text = "to name an int attribute that binds when compiling and has a default, found ";
  const std::string named = replaced(kX, "name: x", "name: @x");
  expectError(replaced(contractOf(named), "{name: n,", "{name: number,"), "contract_c50", text + "'n'",
              "one of: number");
  for (const char *attribute :
       {"type: int, bind: compile", "type: int, bind: launch, default: 2", "type: bool, bind: compile, default: true"})
    expectError(contractOf(named, std::string("  - {name: n, ") + attribute + "}\n"), "contract_c50", text + "'n'");
}

// Without a limit, a list of tensors and the time to compile would have no limit.
TEST(Count, C50Range) {
  for (const char *range : {"", ", range: {minimum: 1}", ", range: {maximum: 4}", ", range: {minimum: 0, maximum: 4}",
                            ", range: {minimum: 1, maximum: 17}", ", range: {minimum: -5, maximum: 1000000000000}"})
    expectError(contractOf(kX, std::string("  - {name: @n, type: int, bind: compile, default: 2") + range + "}\n"),
                "contract_c50", "expects a range within 1 to 16 of 'n', the count of 'x', found another one",
                "range: {minimum: 1, maximum: 8}");
}

TEST(Count, C50OtherInputs) {
  const std::string w = "  - {name: w, types: [float16], shape: [M]}\n";
  expectError(contractOf(replaced(kX, "name: x", "name: @x") + w), "contract_c50",
              "expects 'count' on the last input, of which a launch has any number, found it on 'x'",
              "write it after the others");
  expectError(contractOf(w + replaced(replaced(kX, "name: x", "name: @x"), "count: n", "count: n, required: false"), kN,
                         "{name: y, types: [float16], shape: [M]}"),
              "contract_c50", "expects 'count' without 'required: false', 'present' and 'values', found both on 'x'");
  expectError(contractOf(kX, kN, "{name: y, types: [float16], shape: [M, 'A[n]', N], @count: n}"), "contract_c25",
              "expects 'count' on inputs only, found it on an output", "remove it");
  expectError(contractOf(kX, kN, "{name: y, types: [float16], shape: [M, 'A[n]', N]}",
                         "{level: aicore, file: @join.aicore.mlir}"),
              "contract_c50", "expects bodies at level te, which are written for any count, found one by hand",
              "an operator for each count, or a body at level te");
}

// 'A[n]' is a dimension of each tensor, or in an output the concatenation of all: nothing else.
TEST(Count, C50Dimensions) {
  const std::string w = "  - {name: w, types: [float16], shape: [@'A[n]']}\n";
  expectError(contractOf(w + kX), "contract_c50",
              "expects dimensions with a count in the shape of the input that has it, and in outputs, found 'A[n]'",
              "'x' has 'count: n'");
  expectError(contractOf(replaced(kX, "'A[n]'", "'B+@A[n]'"), kN,
                         "{name: y, types: [float16], shape: [M, N]}\ndimensions:\n  - {name: B, equals: 2}"),
              "contract_c50", "expects a dimension with a count by itself in an input");
  expectError(contractOf(replaced(kX, "'A[n]'", "'2*@A[n]'")), "contract_c23",
              "expects dimensions of one tensor as factors, found 'A[n]'",
              "a dimension with a count is one by itself, or a term of a sum");
  expectError(contractOf(replaced(kX, "'A[n]'", "@'A[n'")), "contract_c23",
              "expects the count of a dimension between brackets, found 'A[n'", "as in A[n]");
  expectError(contractOf() + "dimensions:\n  - {name: @'A[n]', equals: M}\n", "contract_c50",
              "expects bounds or 'axis' of a dimension with a count, found an equation of 'A'");
}

TEST(Count, C18Names) {
  const std::string w = "  - {name: @x_1, types: [float16], shape: [M]}\n";
  expectError(contractOf(w + kX), "contract_c18", "expects a name that is none of 'x', which has a count, found 'x_1'");
  expectError(contractOf("  - {name: w, types: [float16], shape: [@A_0]}\n" + kX), "contract_c18", "found 'A_0'");
  expectError(contractOf("  - {name: w, types: [float16], shape: [@A]}\n" + kX), "contract_c18",
              "expects 'A[n]', a dimension of each 'x', found 'A' without its count");
}

TEST(Count, C61C62OperandsDecide) {
  const std::string onnx = "onnx:\n  - operator: Join\n    domain: com.example\n";
  expectError(contractOf() + onnx + "    attributes:\n      - {name: number, attribute: @n, default: 2}\n",
              "contract_c62", "found 'n': a node has a number of operands", "remove the attribute from the form");
  const std::string w = "  - {name: w, types: [float16], shape: [M]}\n";
  expectError(contractOf(w + kX) + onnx + "    inputs: [@x, w]\n", "contract_c61",
              "expects 'x', of which a node has any number, as the last operand");
}

TEST(Count, InputsFollowTheAttribute) {
  Diagnostics diagnostics;
  std::optional<Contract> contract =
      read(contractOf() + "test_shapes:\n  - {x_0: [2, 3, 5], x_1: [2, 4, 5]}\n", diagnostics);
  ASSERT_TRUE(contract) << messages(diagnostics);
  EXPECT_EQ(namesOf(*contract), (std::vector<std::string>{"x_0", "x_1"}));
  const std::string hash = contractHash(*contract), text = canonicalText(*contract);
  EXPECT_NE(text.find("      - A[n]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    count: n\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    x_1:\n      - 2\n      - 4\n"), std::string::npos) << text;
  EXPECT_TRUE(isCount(*contract, "n"));
  EXPECT_FALSE(isCount(*contract, "x"));
  readTeBody(contract->bodies.front(), "%y = te.concat %x along A[n]");

  ASSERT_TRUE(bindAttributes(*contract, {{"n", "3"}}, diagnostics));
  EXPECT_EQ(namesOf(*contract), (std::vector<std::string>{"x_0", "x_1", "x_2"}));
  EXPECT_EQ(contract->bodies.front().parts, (std::vector<std::string>{"A_0+A_1+A_2"}));
  EXPECT_EQ(inputsOfArgument(*contract, 0), (std::vector<size_t>{0, 1, 2}));
  EXPECT_TRUE(inputsOfArgument(*contract, 1).empty());
  ASSERT_EQ(contract->testShapes.at(0).inputs.size(), 3u);
  EXPECT_EQ(contract->testShapes[0].inputs[2], (std::vector<int64_t>{2, 3, 5}));
  std::string reason;
  std::optional<StaticShapes> shapes =
      completeShapes(*contract, {{"x_0", {2, 3, 5}}, {"x_1", {2, 0, 5}}, {"x_2", {2, 4, 5}}}, reason);
  ASSERT_TRUE(shapes) << reason;
  EXPECT_EQ(shapes->at("y"), (Shape{2, 7, 5}));

  // A single tensor is the result, not a range of it.
  ASSERT_TRUE(bindAttributes(*contract, {{"n", "1"}}, diagnostics));
  EXPECT_EQ(namesOf(*contract), (std::vector<std::string>{"x_0"}));
  EXPECT_TRUE(contract->bodies.front().parts.empty());
  EXPECT_EQ(printShape(contract->outputs.front().shape), "[M, A_0, N]");
  ASSERT_EQ(contract->testShapes.at(0).inputs.size(), 1u);

  for (const char *hostile : {"0", "5", "-1", "99999999999999999999", "1e3", "two", ""}) {
    Diagnostics refused;
    EXPECT_FALSE(bindAttributes(*contract, {{"n", hostile}}, refused)) << hostile;
    EXPECT_NE(messages(refused).find("attribute 'n' expects a value of its type within its range"), std::string::npos)
        << messages(refused);
  }
  ASSERT_TRUE(bindAttributes(*contract, {{"n", "2"}}, diagnostics));
  EXPECT_EQ(contractHash(*contract), hash);
}

TEST(Count, PartsOfBodies) {
  EXPECT_EQ(boundParts("B+A[n]+2*C", "n", 2), "B+A_0+A_1+2*C");
  EXPECT_EQ(boundParts("A[m]", "n", 2), "A[m]");
  EXPECT_EQ(boundParts("A", "n", 2), "A");
}
