// What `opc test` runs: shapes of one contract for sizes, seeds and kinds of values.

#ifndef OPC_TOOLS_OPC_TEST_TESTCASES_H
#define OPC_TOOLS_OPC_TEST_TESTCASES_H

#include "ops/contract/Contract.h"
#include "ops/contract/Shapes.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct TestPlan {
  std::vector<int64_t> sizes; ///< elements of one-dimensional tensors
  uint64_t seed = 0;          ///< first seed
  unsigned seeds = 1;         ///< of sizes up to kManySeeds
  unsigned largeSeeds = 1;    ///< of larger ones
  bool shapes = true;         ///< ranks, patterns, rows and axes too, not sizes alone
  /// The inputs of a static operator: nothing else is tested, of a reduction all its axes.
  std::optional<std::vector<Shape>> only = {};
};

/// Up to this size a seed costs next to nothing.
inline constexpr int64_t kManySeeds = 4096;

struct TestCase {
  std::vector<Shape> inputs; ///< in the contract's order
  uint64_t seed = 0;
  bool special = false;              ///< special values, else random ones
  std::vector<int64_t> axes = {};    ///< of a reduction
  std::optional<bool> keepDims = {}; ///< of a reduction; nothing: the contract has none
};

/// What is tested of a contract, by its kind (ops/contract/ShapeKeys.h):
///
///   all          every size, the contract's own test shapes
///   packs        ranks 0 to 8, with and without elements
///   broadcast    every shape key's pattern, alone and with dimensions in front; both kinds of one
///                element, [] and [1, 1]
///   rows         rows of 1, 7, 4096 and 100000
///   reductions   axes of every group pattern up to four groups, keepdims or not, rows as above
///
/// Shapes that the contract refuses are counted in `refused`.
std::vector<TestCase> makeTestCases(const Contract &contract, const TestPlan &plan, size_t &refused);

/// Every `share`-th case, by the seed: what a contract of many type rows tests of each without --full.
std::vector<TestCase> sampleCases(const std::vector<TestCase> &cases, unsigned share, uint64_t seed);

/// Which cases run with worst numerics too, among those of at most `largest` elements in an input: every `share`-th,
/// the first two of special values and the largest of those. Of cases that are all larger, the first.
std::vector<bool> sampleForDraws(const std::vector<TestCase> &cases, size_t share, int64_t largest);

/// 0, 1, and both sides of block, repeat, page and tile sizes, up to 1000003.
const std::vector<int64_t> &defaultTestSizes();

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTCASES_H
