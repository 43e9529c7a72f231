// Rules 35 to 38: boundary rules, tolerances, compute types. One test a label.

#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it a contract could say two things of one result.
TEST(RulesOfPrecision, C35Boundary) {
  expectBroken("  overflow: infinity\n  saturation: none\n",
               "  @overflow: infinity\n  saturation: clamp\n", "contract_c35",
               "expects no 'overflow' beside 'saturation: clamp'", "remove 'overflow'");
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
               "    - type: float16\n      max_ulp: 1\n    - type: @int8\n      max_ulp: 1\n",
               "contract_c36", "expects a tolerance for a type that an output has, found int8");
  expectBroken("    - type: float16\n      max_ulp: 1\n",
               "    - type: float16\n      max_ulp: 1\n    - type: @float16\n      max_ulp: 2\n",
               "contract_c36", "found float16 again");
}

// Without it a tolerance could admit everything, or nothing.
TEST(RulesOfPrecision, C37ToleranceForm) {
  expectBroken("      max_ulp: 1\n", "      max_ulp: @-1\n", "contract_c37",
               "expects 'max_ulp' not to be negative, found -1");
  expectBroken(
      "    - type: float16\n      max_ulp: 1\n", "    - @type: float16\n      absolute: 1\n",
      "contract_c37",
      "expects 'max_ulp', 'mean_relative' or 'max_relative' in a tolerance, found none of them");
  expectBroken("      max_ulp: 4\n      plus_ulp_of:\n",
               "      max_relative: 0.1\n      @plus_ulp_of:\n", "contract_c37",
               "expects 'max_ulp' beside 'plus_ulp_of', found none", "add 'max_ulp:'");
  expectBroken("    - type: float32\n      max_ulp: 4\n      plus_ulp_of:\n        - beta\n",
               "    - type: @float32\n      max_ulp: 4\n      plus_ulp_of:\n        - bete\n",
               "contract_c37",
               "expects float attributes and required float inputs in 'plus_ulp_of', found 'bete'",
               "did you mean 'beta'?");
}

// Without it half the bits of the inputs would be lost where nobody looks.
TEST(RulesOfPrecision, C38ComputeType) {
  expectBroken("  compute: float32", "  @compute: float16", "contract_c38",
               "expects computation in a type that holds float32, found float16");
  expectBroken("  compute: float32", "  @compute: int32", "contract_c38",
               "holds float16, found int32");
  expectBroken("  compute: float32\n  accumulate: float32\n",
               "  @compute: float32\n  accumulate: bfloat16\n", "contract_c38",
               "expects accumulation in a type that holds float16, found bfloat16");
}
