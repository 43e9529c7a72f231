// Rules 60 to 62: the forms of an operator in ONNX. One test a label.

#include "ops/contract/write/Canonical.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it a form could hold for opsets that nobody has read.
TEST(RulesOfOnnx, C60Form) {
  expectBroken("  - operator: RowScale\n    domain: com.example\n    since: 2\n",
               "  - @operator: RowScale\n    since: 2\n", "contract_c60",
               "expects opsets 'since' and 'until' from 7 to 28, in order, found 2 and 5");
  expectBroken("  - operator: RowScale\n    domain: com.example\n    since: 2\n    until: 5\n",
               "  - @operator: RowScale\n    domain: ai.onnx\n    until: 29\n", "contract_c60", "found 7 and 29");
  expectBroken("  - operator: RowScale\n    domain: com.example\n    since: 2\n",
               "  - @operator: RowScale\n    domain: com.example\n    since: 6\n", "contract_c60",
               "expects opsets 'since' and 'until' from 1 to 2147483647, in order, found 6 and 5");
}

// Without it a node could match whose operands mean something else.
TEST(RulesOfOnnx, C61Operands) {
  expectBroken("      - beta\n      - scale\n", "      - @bela\n      - scale\n", "contract_c61",
               "expects an input or an attribute of numbers, found 'bela'", "did you mean 'beta'?");
  expectBroken("      - beta\n      - scale\n", "      - @mode\n      - scale\n", "contract_c61",
               "expects an input or an attribute of numbers, found 'mode'", "one of: x, scale, bias, beta, axes");
  expectBroken("    inputs:\n      - x\n      - beta\n      - scale\n", "    @inputs:\n      - x\n      - beta\n",
               "contract_c61", "expects 'scale' once among the operands, found it nowhere");
  expectBroken("    inputs:\n      - x\n      - beta\n      - scale\n",
               "    @inputs:\n      - x\n      - x\n      - scale\n", "contract_c61",
               "expects 'x' once among the operands, found it 2 times");
  expectBroken("      - [2, 1.5, beta]\n", "      - [2, @mode]\n", "contract_c61",
               "expects numbers and names of attributes that are numbers in a constant, found 'mode'");
  expectBroken("    outputs:\n      - total\n      - y\n", "    outputs:\n      @- total\n", "contract_c61",
               "expects every output of the contract once among the results, found others");
}

// Without it an attribute could mean two things, or nothing.
TEST(RulesOfOnnx, C62Attributes) {
  expectBroken("      - name: mode\n        attribute: mode\n        default: exact\n", "      - @name: mode\n",
               "contract_c62", "expects one of 'attribute', 'value', 'axis', 'type' and 'ignored' for 'mode'");
  expectBroken("        attribute: mode\n        default: exact\n", "        attribute: @mod\n", "contract_c62",
               "expects an attribute of the contract, found 'mod'", "did you mean 'mode'?");
  expectBroken("        value: 2.0\n", "        value: 2.0\n        default: @two\n", "contract_c62",
               "expects 'default' to be of the kind of 'value', found 'two'");
  expectBroken("        value:\n          - 1\n          - 2\n", "        value:\n          - 1\n          - @a\n",
               "contract_c62", "expects 'value' to be a list of numbers or texts of one kind, found 'a'");
  expectBroken("        type: y\n", "        type: @x\n", "contract_c62",
               "expects an output of the contract, found 'x'");
  expectBroken("        ignored: true\n", "        ignored: @false\n", "contract_c62",
               "expects 'ignored' to be true, found false", "leave it out");
  expectBroken("        ignored: true\n", "        ignored: true\n        default: @1\n", "contract_c62",
               "expects 'default' beside 'attribute', 'value' or 'axis', found it beside 'ignored'");
  expectBroken("      - name: ratio\n", "      - @name: mode\n", "contract_c62",
               "expects each attribute of ONNX once, found 'mode' again");
  // beta has no default now, and nothing of the form gives it.
  std::string without = edited("    default: 0.5\n", "");
  for (auto [from, to] :
       {std::pair("      - beta\n      - scale\n", "      - scale\n"), std::pair("[2, 1.5, beta]", "[2, 1.5]"),
        std::pair("  - operator: RowScale", "  - @operator: RowScale")})
    without.replace(without.find(from), std::string(from).size(), to);
  expectError(without, "contract_c62", "expects a form to give 'beta', which has no default, found that it does not");
}

// What a form says is what its text says; kinds of values survive.
TEST(RulesOfOnnx, Model) {
  Contract contract = expectGood("schema: 1", "schema: 1");
  ASSERT_EQ(contract.onnx.size(), 1u);
  const ContractOnnxForm &form = contract.onnx[0];
  EXPECT_EQ(form.opType, "RowScale");
  EXPECT_EQ(form.domain, "com.example");
  ASSERT_EQ(form.inputs.size(), 5u);
  EXPECT_EQ(form.inputs[1].name, "beta");
  EXPECT_EQ(form.inputs[3].items, (std::vector<std::string>{"2", "1.5", "beta"}));
  EXPECT_TRUE(form.inputs[4].name.empty() && form.inputs[4].items.empty());
  EXPECT_EQ(form.outputs, (std::vector<std::string>{"total", "y"}));
  ASSERT_EQ(form.attributes.size(), 6u);
  EXPECT_EQ(std::get<std::vector<int64_t>>(form.attributes[1].value).size(), 2u);
  EXPECT_EQ(std::get<double>(form.attributes[2].value), 2.0);
  EXPECT_EQ(form.attributes[3].axis, -1);
  EXPECT_EQ(form.attributes[4].typeOf, "y");
  EXPECT_TRUE(form.attributes[5].ignored);
  // Without keys: the contract's own order, and every opset.
  Contract plain = expectGood("    inputs:\n      - x\n      - beta\n      - scale\n      - [2, 1.5, beta]\n      - "
                              "[]\n    outputs:\n      - total\n      - y\n",
                              "");
  EXPECT_EQ(plain.onnx[0].inputs.size(), 3u);
  EXPECT_EQ(plain.onnx[0].outputs.front(), "y");
}
