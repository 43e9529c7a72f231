// What `opc test` runs: shapes of one contract for sizes, seeds and kinds of values.

#ifndef OPC_TOOLS_OPC_TESTCASES_H
#define OPC_TOOLS_OPC_TESTCASES_H

#include "ops/contract/Contract.h"
#include "ops/contract/Shapes.h"

#include <string>
#include <vector>

namespace opc::tool {

struct TestPlan {
  std::vector<int64_t> sizes; ///< elements of one-dimensional tensors
  uint64_t seed = 0;          ///< first seed
  unsigned seeds = 1;         ///< of sizes up to kManySeeds
  unsigned largeSeeds = 1;    ///< of larger ones
};

/// Up to this size a seed costs next to nothing.
inline constexpr int64_t kManySeeds = 4096;

struct TestCase {
  std::vector<Shape> inputs; ///< in the contract's order
  uint64_t seed = 0;
  bool special = false; ///< special values, else random ones
};

/// Cases of every size, of ranks 0 to 3 with and without elements where the contract has a pack,
/// and of the contract's own test shapes. Shapes that the contract refuses are counted in
/// `refused`.
std::vector<TestCase> makeTestCases(const Contract &contract, const TestPlan &plan,
                                    size_t &refused);

/// 0, 1, and both sides of block, repeat, page and tile sizes, up to 1000003.
const std::vector<int64_t> &defaultTestSizes();

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TESTCASES_H
