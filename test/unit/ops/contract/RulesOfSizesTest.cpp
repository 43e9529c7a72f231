// Rules 23, 24, 30 to 34 and 42: shapes, dimensions, equations, test shapes. One test a label.

#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

static const char *const kEquation = "      add:\n        - mul:\n            - N\n            - 2\n        - 1\n";

// Without it nobody could say which dimensions a second pack takes, and ranks would pass what the runtime holds.
TEST(RulesOfSizes, C23ShapeForm) {
  expectBroken("    shape:\n      - 4\n", "    shape:\n      @- ...A\n      - ...C\n", "contract_c23",
               "expects at most one pack in a shape, found 2",
               "'axis' of the dimension between two packs says where it is");
  expectBroken("    shape:\n      - 4\n", "    shape: @[1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "contract_c23",
               "expects at most 8 dimensions in a shape, found 9");
  expectBroken("      - 4\n", "      - @-1\n", "contract_c23", "expects a size of 0 to 2147483647");
  expectBroken("      - 4\n", "      - @2147483648\n", "contract_c23", "expects a size of 0 to 2147483647");
  expectBroken("      - 4\n", "      - @'N'\n", "contract_c23", "expects a symbol, a size or a pack in a shape");
  expectBroken("      - 4\n", "      - @[N]\n", "contract_c23", "found a list");
  expectBroken("      - 4\n", "      - N*@\n", "contract_c23", "as a factor of a dimension, found nothing");
  expectBroken("      - 4\n", "      - N*@...B\n", "contract_c23", "as a factor of a dimension, found '...B'");
  expectBroken("      - 4\n", "      - N * @1\n", "contract_c23",
               "sizes of at least 2 as factors of a dimension, found 1");
  expectBroken("    shape:\n      - 4\n", "    shape: @[1, 2, 3, 4, 5, 6, 2*3*4]\n", "contract_c23",
               "expects at most 8 dimensions in a shape, counting the factors of products, found 9");
}

// Without it a launch would not know how large its output is.
TEST(RulesOfSizes, C24OutputShape) {
  expectBroken("      - ...B\n      - M\n", "      - ...B\n      - M\n      - @K\n", "contract_c24",
               "expects sizes that a required input or an equation gives, found 'K'", "one of: ...B, M, N");
  expectBroken("      - ...B\n      - M\n", "      - @...C\n      - M\n", "contract_c24", "found '...C'",
               "did you mean '...B'?");
  expectBroken("            - N\n", "            - @L\n", "contract_c24", "found 'L'", "one of: ...B, N");
  // What an optional input alone would give may not be there.
  std::string text = edited("      - 4\n", "      - P\n");
  text.replace(text.find("      - M\n"), 10, "      - M\n      - @P\n");
  expectError(text, "contract_c24", "found 'P'", "one of: ...B, M, N");
}

// Without it a launch could not tell the factors of a product apart, and kernels would index by sizes that nobody gave.
TEST(RulesOfSizes, C24Factors) {
  const char *fix = "add an equation to 'dimensions', or an input that has them";
  expectBroken(
      "      - ...B\n      - N\n    broadcast: numpy\n", "      - ...B\n      - N\n      - @P*Q\n", "contract_c24",
      "expects the factors of 'P*Q' to be given by other dimensions and equations, all but one, found 'P' and 'Q'",
      fix);
}

// One factor follows from the others, whether an input has them, an equation, or a product before.
TEST(RulesOfSizes, FactorsThatFollow) {
  Contract c = expectGood("      - ...B\n      - M\n", "      - ...B\n      - M*N\n");
  EXPECT_EQ(c.outputs[0].shape[1].name, "M*N");
  EXPECT_EQ(c.outputs[0].shape[1].factors.size(), 2u);
}

// Without it a bound on a misspelt symbol would bind nothing.
TEST(RulesOfSizes, C30DimensionName) {
  expectBroken("  - name: N\n", "  - name: @NN\n", "contract_c30",
               "expects a symbol or pack that a shape uses, found 'NN'", "did you mean 'N'?");
  expectBroken("  - name: ...B\n    minimum: 0\n    maximum: 100000\n    minimum_rank: 0\n    "
               "maximum_rank: 6\n",
               "  - name: @B\n", "contract_c30", "found 'B'", "did you mean '...B'?");
  expectBroken("  - name: N\n    minimum: 1\n", "  - name: N\n  - name: @N\n    minimum: 1\n", "contract_c30",
               "found 'N' again");
  expectBroken("  - name: N\n", "  - name: @8\n", "contract_c30", "found the size 8");
  expectBroken("  - name: N\n", "  - name: @2*N\n", "contract_c30", "found the product '2*N'", "describe its factors");
}

// Without it a range could admit nothing.
TEST(RulesOfSizes, C31DimensionBounds) {
  expectBroken("    minimum: 1\n    maximum: 65536\n", "    @minimum: 3\n    maximum: 2\n", "contract_c31",
               "expects 0 <= minimum <= maximum, found 3 and 2");
  expectBroken("    minimum: 1\n    maximum: 65536\n", "    @minimum: -1\n", "contract_c31", "found -1 and");
  expectBroken("    minimum_rank: 0\n    maximum_rank: 6\n", "    @maximum_rank: 9\n", "contract_c31",
               "expects 0 <= minimum_rank <= maximum_rank <= 8, found 0 and 9");
  expectBroken("    maximum: 65536\n", "    @maximum_rank: 2\n", "contract_c31", "expects 'maximum_rank' on packs only",
               "remove it");
  expectBroken("    minimum_rank: 0\n", "    @equals: 3\n", "contract_c31", "expects 'equals' on symbols only",
               "remove it");
}

// Without it equations would need a parser of texts, or mean what nobody wrote.
TEST(RulesOfSizes, C32SizeForm) {
  expectBroken("        - mul:\n", "        - @mull:\n", "contract_c32", "found 'mull'", "did you mean 'mul'?");
  expectBroken(kEquation, "      @mul: [N, 2]\n      add: [N, 2]\n", "contract_c32",
               "expects one operation in a mapping, found 2");
  expectBroken(kEquation, "      add: @[N]\n", "contract_c32",
               "expects 'add' to have a list of 2 sizes, found 1 items");
  expectBroken(kEquation, "      select: @[1, 2]\n", "contract_c32", "expects 'select' to have a list of 3 sizes");
  expectBroken(kEquation, "      add: @N\n", "contract_c32", "found 'N'");
  expectBroken(kEquation, "      add: [N, @...B]\n", "contract_c32",
               "expects a number, a symbol or an operation as a size");
  expectBroken(kEquation, "      add: [N, @[]]\n", "contract_c32", "found a list");
}

// Without it binding shapes would never end, or never begin.
TEST(RulesOfSizes, C33Circle) {
  expectBroken(std::string("  - name: M\n    equals:\n") + kEquation, "  - name: @M\n    equals: M\n", "contract_c33",
               "expects an equation not to lead back to its own symbol, found M -> M");
  expectBroken(std::string("  - name: M\n    equals:\n") + kEquation,
               "  - name: @M\n    equals: {add: [K, N]}\n  - name: K\n    equals: {mul: [M, 2]}\n", "contract_c33",
               "found M -> K -> M");
}

// Without it the first launch would find out.
TEST(RulesOfSizes, C34ConstantSize) {
  expectBroken(kEquation, "      @floordiv: [6, 0]\n", "contract_c34", "found a division by zero");
  expectBroken(kEquation, "      add: [N, @{rem: [N, {sub: [2, 2]}]}]\n", "contract_c34", "found a division by zero");
  expectBroken(kEquation, "      add: [N, @{mul: [9223372036854775807, 2]}]\n", "contract_c34",
               "found a result beyond 64 bits");
}

// Without it an extra test would test a shape that no launch may have.
TEST(RulesOfSizes, C42TestShape) {
  expectBroken("    scale:\n      - 8\n", "    @scal:\n      - 8\n", "contract_c42",
               "expects the name of an input in a test shape, found 'scal'", "did you mean 'scale'?");
  expectBroken("  - x:\n", "  - @y:\n", "contract_c42", "found 'y'", "one of: x, scale, bias");
  expectBroken("  - x:\n      - 2\n      - 8\n    scale:\n", "  - @scale:\n", "contract_c42", "input 'x' is required");
  expectBroken("  - x:\n      - 2\n", "  - @x:\n      - 100001\n", "contract_c42",
               "expects shapes that the contract admits: '...B' has to be 0 to 100000, it is 100001");
  expectBroken("  - x:\n      - 2\n", "  - @x:\n      - -2\n", "contract_c42", "negative size -2");
}
