// Rules 35 to 38: boundary rules, tolerances, compute types. One test a label.

#include "ops/contract/write/Canonical.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it a contract could say two things of one result.
TEST(RulesOfPrecision, C35Boundary) {
  expectBroken("  overflow: infinity\n  saturation: none\n", "  @overflow: infinity\n  saturation: clamp\n",
               "contract_c35", "expects no 'overflow' beside 'saturation: clamp'", "remove 'overflow'");
  expectBroken("  overflow: infinity\n", "  @overflow: wrap\n", "contract_c35",
               "expects an integer output for 'overflow: wrap'", "write 'overflow: infinity'");
}

// Without it nobody could say whether a result of that type is right.
TEST(RulesOfPrecision, C36ToleranceTypes) {
  expectBroken("  compute: float32\n  accumulate: float32\n  tolerance:\n    - type: float16\n     "
               " max_ulp: 1\n",
               "  @compute: float32\n  accumulate: float32\n  tolerance:\n", "contract_c36",
               "expects a tolerance for each type that an output has, found none for float16");
  expectBroken("    - type: float16\n      max_ulp: 1\n",
               "    - type: float16\n      max_ulp: 1\n    - type: @int8\n      max_ulp: 1\n", "contract_c36",
               "expects a tolerance for a type that an output has, found int8");
  expectBroken("    - type: float16\n      max_ulp: 1\n",
               "    - type: float16\n      max_ulp: 1\n    - type: @float16\n      max_ulp: 2\n", "contract_c36",
               "found float16 again");
}

// Without it a promise for the chip could be one for a type that no result has, or two promises.
TEST(RulesOfPrecision, C36ToleranceTypesOfTheChip) {
  const std::string own = "  chip_tolerance:\n    - type: float16\n      max_ulp: 2\n";
  const std::string list = "  tolerance:\n";
  expectBroken(list, "  chip_tolerance:\n    - type: @int8\n      max_ulp: 1\n" + list, "contract_c36",
               "expects a chip tolerance for a type that an output has, found int8");
  expectBroken(list, own + "    - type: @float16\n      max_ulp: 3\n" + list, "contract_c36",
               "expects one chip tolerance for a type, found float16 again");
}

// What holds on the chip is its own tolerance where there is one. Nothing else may change by it, and the canonical
// text says it, so that the hash does.
TEST(RulesOfPrecision, ToleranceOfTheChip) {
  const std::string list = "  tolerance:\n";
  const Contract plain = expectGood(list, list);
  const Contract own = expectGood(list, "  chip_tolerance:\n    - type: float32\n      max_ulp: 9\n"
                                        "      subnormal: flushed\n" +
                                            list);
  EXPECT_EQ(plain.precision.findOfChip(ElementType::Float32), plain.precision.find(ElementType::Float32));
  EXPECT_FALSE(plain.precision.find(ElementType::Float32)->subnormalsFlushed);
  const ContractTolerance *ofChip = own.precision.findOfChip(ElementType::Float32);
  ASSERT_TRUE(ofChip);
  EXPECT_EQ(ofChip->maxUlp, 9);
  EXPECT_TRUE(ofChip->subnormalsFlushed);
  EXPECT_EQ(own.precision.find(ElementType::Float32)->maxUlp, 4);
  EXPECT_EQ(own.precision.findOfChip(ElementType::Float16), own.precision.find(ElementType::Float16));
  EXPECT_NE(contractHash(plain), contractHash(own));
  EXPECT_EQ(canonicalText(plain).find("chip_tolerance"), std::string::npos);
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(own), diagnostics);
  ASSERT_TRUE(again);
  EXPECT_EQ(canonicalText(*again), canonicalText(own));
}

// Without it a tolerance could admit everything, or nothing.
TEST(RulesOfPrecision, C37ToleranceForm) {
  expectBroken("      max_ulp: 1\n", "      max_ulp: @-1\n", "contract_c37",
               "expects 'max_ulp' not to be negative, found -1");
  expectBroken("    - type: float16\n      max_ulp: 1\n", "    - @type: float16\n      absolute: 1\n", "contract_c37",
               "expects 'max_ulp', 'mean_relative' or 'max_relative' in a tolerance, found none of them");
  expectBroken("      max_ulp: 4\n      plus_ulp_of:\n", "      max_relative: 0.1\n      @plus_ulp_of:\n",
               "contract_c37", "expects 'max_ulp' beside 'plus_ulp_of', found none", "add 'max_ulp:'");
  expectBroken("    - type: float32\n      max_ulp: 4\n      plus_ulp_of:\n        - beta\n",
               "    - type: @float32\n      max_ulp: 4\n      plus_ulp_of:\n        - bete\n", "contract_c37",
               "expects float attributes and required float inputs in 'plus_ulp_of', found 'bete'",
               "did you mean 'beta'?");
  expectBroken("      max_ulp: 1\n", "      max_relative: 0.1\n      @sums:\n        - N\n", "contract_c37",
               "expects 'max_ulp' beside 'sums', found none", "add 'max_ulp:'");
  expectBroken("    - type: float16\n      max_ulp: 1\n",
               "    - type: @float16\n      max_ulp: 1\n      sums:\n        - N\n        - Q\n", "contract_c37",
               "expects dimensions with names that inputs have in 'sums', found 'Q'", "one of: N");
  expectBroken("  tolerance:\n", "  chip_tolerance:\n    - @type: float16\n  tolerance:\n", "contract_c37",
               "expects 'max_ulp', 'mean_relative' or 'max_relative'");
  expectBroken("      max_ulp: 1\n", "      max_ulp: 1\n      @subnormal: kept\n", "contract_c9", "found 'subnormal'",
               "'subnormal' is a key of a chip tolerance");
  expectBroken("  tolerance:\n",
               "  chip_tolerance:\n    - type: float16\n      max_ulp: 1\n      subnormal: @flush\n"
               "  tolerance:\n",
               "contract_c12", "'subnormal'", "did you mean 'flushed'?");
}

// Without it a tolerance of sums could be read and be none, or be lost when a contract is packed.
TEST(Precision, SumsAreRead) {
  Contract plain = expectGood("schema: 1", "schema: 1");
  Contract sums = expectGood("      max_ulp: 1\n", "      max_ulp: 1\n      sums:\n        - N\n");
  EXPECT_EQ(sums.precision.find(ElementType::Float16)->sums, (std::vector<std::string>{"N"}));
  EXPECT_NE(contractHash(sums), contractHash(plain));
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(sums), diagnostics);
  ASSERT_TRUE(again);
  EXPECT_EQ(canonicalText(*again), canonicalText(sums));
}

// Without it half the bits of the inputs would be lost where nobody looks.
TEST(RulesOfPrecision, C38ComputeType) {
  expectBroken("  compute: float32", "  @compute: float16", "contract_c38",
               "expects computation in a type that holds float32, found float16");
  expectBroken("  compute: float32", "  @compute: int32", "contract_c38", "holds float16, found int32");
  expectBroken("  compute: float32\n  accumulate: float32\n", "  @compute: float32\n  accumulate: bfloat16\n",
               "contract_c38", "expects accumulation in a type that holds float16, found bfloat16");
}
