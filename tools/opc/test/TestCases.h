// The cases of `opc test`: shapes of a contract with seeds and kinds of values.

#ifndef OPC_TOOLS_OPC_TEST_TESTCASES_H
#define OPC_TOOLS_OPC_TEST_TESTCASES_H

#include "ops/contract/Contract.h"
#include "ops/contract/Shapes.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// Maximum number of elements of an input with a generated shape: a factor of 64 in two dimensions makes inputs large.
inline constexpr int64_t kMostElements = int64_t(1) << 24;

struct TestPlan {
  std::vector<int64_t> sizes;           ///< elements of one-dimensional tensors
  uint64_t seed = 0;                    ///< first seed
  unsigned seeds = 1;                   ///< seeds for sizes up to kManySeeds
  unsigned largeSeeds = 1;              ///< seeds for larger sizes
  bool shapes = true;                   ///< also ranks, patterns, rows and axes, not only sizes
  int64_t mostElements = kMostElements; ///< shapes with more elements in an input are omitted
  /// The inputs of a static operator: only these are tested, with all axes of a reduction.
  std::optional<std::vector<Shape>> only = {};
};

/// Up to this size an additional seed is cheap.
inline constexpr int64_t kManySeeds = 4096;
/// A case with more elements in an input is large.
inline constexpr int64_t kLargeCase = 100000;

struct TestCase {
  std::vector<Shape> inputs; ///< in the contract's order
  uint64_t seed = 0;
  bool special = false;              ///< special values, else random ones
  std::vector<int64_t> axes = {};    ///< of a reduction
  std::optional<bool> keepDims = {}; ///< of a reduction; nullopt: the contract has no reduction
};

/// Makes the cases of a contract, by its kind (ops/contract/domain/ShapeKeys.h):
///
///   all          every size, and the contract's test shapes
///   packs        ranks 0 to 8, with and without elements
///   broadcast    the pattern of every shape key, alone and with leading dimensions; both shapes of one element,
///                [] and [1, 1]
///   rows         rows of 1, 7, 4096 and 100000
///   reductions   axes of every group pattern up to four groups, keepdims or not, rows as above
///   products     sizes beside those of tiles, panels and parts of k, and launches of each left panel of the AI Core
///
/// Shapes that the contract refuses are counted in `refused`.
std::vector<TestCase> makeTestCases(const Contract &contract, const TestPlan &plan, size_t &refused);

/// The cases of one of `rows` type rows without --full: every `share`-th, starting by the seed. Only one row runs a
/// large case: the path of a launch depends on its shape, and errors of a type show in shapes of a few tiles.
std::vector<TestCase> sampleCases(const std::vector<TestCase> &cases, unsigned share, unsigned rows, uint64_t seed);

/// Selects the cases that also run with worst numerics, among those with at most `largest` elements in an input:
/// every `share`-th, the first two with special values and the largest with special values. When all cases are
/// larger, selects the first.
std::vector<bool> sampleForDraws(const std::vector<TestCase> &cases, size_t share, int64_t largest);

/// 0, 1, and sizes just below and above those of blocks, repeats, pages and tiles, up to 1000003.
const std::vector<int64_t> &defaultTestSizes();

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTCASES_H
