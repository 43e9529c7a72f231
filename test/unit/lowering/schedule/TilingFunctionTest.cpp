// Tiling functions against shapes walked the slow way: the key, its loops, batch loops and strides must reach,
// for every element of the output, the elements that broadcasting says. The walk knows nothing of coalescing:
// it compares indices.

#include "test/unit/lowering/schedule/TilingProbe.h"

#include <cstdlib>
#include <random>

using namespace opc;
using namespace opc::probe;

namespace {

Contract reduction() {
  Contract contract = elementwise(1, 0);
  contract.outputs[0].shape.clear();
  contract.outputs[0].reduces = ContractReduction{"x1", "axes", "keepdims"};
  return contract;
}

Contract onRows() {
  Contract contract = elementwise(1, 0);
  contract.inputs[0].shape = {{ContractDim::Pack, "S"}, {ContractDim::Symbol, "N"}};
  contract.outputs[0].shape = contract.inputs[0].shape;
  contract.inputs.push_back(packed("gamma", Broadcast::None));
  contract.inputs[1].shape = {{ContractDim::Symbol, "N"}};
  return contract;
}

/// For each element of `output` in order, the element of `input` that broadcasting gives it.
std::vector<int64_t> broadcastIndices(const Dims &input, const Dims &output) {
  std::vector<int64_t> indices;
  for (int64_t flat = 0; flat < elementsOf(output); ++flat) {
    int64_t rest = flat, index = 0, stride = 1;
    for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast) {
      int64_t size = output[output.size() - fromLast], at = rest % size;
      rest /= size;
      int64_t own = fromLast <= input.size() ? input[input.size() - fromLast] : 1;
      index += own == 1 ? 0 : at * stride;
      stride *= own;
    }
    indices.push_back(index);
  }
  return indices;
}

/// How many loops an elementwise launch needs, counted from the shapes.
unsigned loopsNeeded(const std::vector<Dims> &inputs, const Dims &output) {
  unsigned loops = 0;
  std::vector<bool> before;
  for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast) {
    int64_t size = output[output.size() - fromLast];
    if (size == 1)
      continue;
    std::vector<bool> stretched;
    for (const Dims &input : inputs)
      stretched.push_back((fromLast <= input.size() ? input[input.size() - fromLast] : 1) != size);
    loops += loops == 0 || stretched != before;
    before = stretched;
  }
  return loops;
}

void checkElementwise(Tiling &tiling, const std::vector<Dims> &inputs, const Dims &output) {
  std::vector<Dims> shapes = inputs;
  shapes.push_back(output);
  auto fields = tiling.run(shapes);
  ASSERT_TRUE(fields);
  const ShapeKey *key = tiling.keyOf(*fields);
  if (elementsOf(output) == 0) {
    ASSERT_TRUE(key);
    EXPECT_EQ(key->number, 0u);
    EXPECT_EQ(fields->at("size0"), 0);
    return;
  }
  ASSERT_TRUE(key);
  // Up to three inputs have a key for every pattern of one loop; more than four loops are those of `any`.
  if (loopsNeeded(inputs, output) > 4)
    EXPECT_EQ(key->kind, ShapeKey::Any);
  if (inputs.size() <= 3 && loopsNeeded(inputs, output) <= 1)
    EXPECT_EQ(key->kind, ShapeKey::Flat);
  for (size_t i = 0; i < inputs.size(); ++i)
    ASSERT_EQ(visited(*key, i, tiling.contract.inputs[i].name, *fields), broadcastIndices(inputs[i], output))
        << key->name;
  std::vector<int64_t> inOrder = broadcastIndices(output, output);
  ASSERT_EQ(visited(*key, inputs.size(), "y", *fields), inOrder) << key->name;
}

Dims randomShape(std::mt19937 &random, int most) {
  Dims shape(random() % 9);
  for (int64_t &size : shape)
    size = random() % 12 == 0 ? 0 : 1 + random() % most;
  return shape;
}

/// A shape that broadcasts to `output`.
Dims stretchedShape(std::mt19937 &random, const Dims &output) {
  size_t rank = random() % (output.size() + 1);
  if (random() % 2)
    rank = output.size();
  Dims shape(output.end() - rank, output.end());
  for (int64_t &size : shape)
    if (random() % 3 == 0)
      size = 1;
  return shape;
}

/// What broadcasting makes of the shapes.
Dims joined(const std::vector<Dims> &shapes) {
  Dims output;
  for (const Dims &shape : shapes)
    output.resize(std::max(output.size(), shape.size()), 1);
  for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast)
    for (const Dims &shape : shapes)
      if (fromLast <= shape.size() && shape[shape.size() - fromLast] != 1)
        output[output.size() - fromLast] = shape[shape.size() - fromLast];
  return output;
}

// Every element of every tensor is reached, whatever two shapes broadcast.
TEST(TilingFunction, ReachesWhatTwoInputsBroadcast) {
  Tiling tiling(elementwise(2, 2));
  std::mt19937 random(1);
  unsigned served = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs = {stretchedShape(random, whole), stretchedShape(random, whole)};
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    served += tiling.keyOf(*tiling.run(inputs)) != nullptr;
  }
  EXPECT_GT(served, 3000u);
}

TEST(TilingFunction, ReachesWhatThreeInputsBroadcast) {
  Tiling tiling(elementwise(3, 3));
  std::mt19937 random(2);
  unsigned served = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs = {stretchedShape(random, whole), stretchedShape(random, whole),
                                random() % 2 ? whole : stretchedShape(random, whole)};
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    served += tiling.keyOf(*tiling.run(inputs)) != nullptr;
  }
  EXPECT_GT(served, 1000u);
}

/// Sizes of one dimension: those of three inputs that broadcast, without cases that differ in nothing.
std::vector<std::array<int64_t, 3>> broadcastsOfThree(int64_t mostSize) {
  std::vector<std::array<int64_t, 3>> found = {{1, 1, 1}};
  for (int64_t size = 0; size <= mostSize; ++size)
    for (unsigned moving = 1; size != 1 && moving < 8; ++moving)
      found.push_back({moving & 1 ? size : 1, moving & 2 ? size : 1, moving & 4 ? size : 1});
  return found;
}

// All shapes of rank 4 with sizes from 0 to 3 and all ways in which three inputs broadcast to them; a share of them by
// OPC_TEST_SEED without OPC_TEST_FULL.
TEST(TilingFunction, ReachesAllOfRankFour) {
  Tiling tiling(elementwise(3, 3));
  const auto sizes = broadcastsOfThree(3);
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  const size_t step = full ? 1 : 89, all = sizes.size() * sizes.size() * sizes.size() * sizes.size();
  ASSERT_EQ(all, 234256u);
  for (size_t number = full ? 0 : size_t(chosen ? std::atoi(chosen) : 1) % step; number < all; number += step) {
    std::vector<Dims> inputs(3);
    for (size_t dim = 0, rest = number; dim < 4; ++dim, rest /= sizes.size())
      for (size_t input = 0; input < 3; ++input)
        inputs[input].push_back(sizes[rest % sizes.size()][input]);
    checkElementwise(tiling, inputs, joined(inputs));
    if (HasFatalFailure())
      FAIL() << "case " << number;
  }
}

TEST(TilingFunction, ReachesWhatFiveInputsBroadcast) {
  Tiling tiling(elementwise(5, 5));
  std::mt19937 random(3);
  unsigned ofAny = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs;
    for (unsigned input = 0; input < 5; ++input)
      inputs.push_back(stretchedShape(random, whole));
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    ofAny += tiling.keyOf(*tiling.run(inputs))->kind == ShapeKey::Any;
  }
  EXPECT_GT(ofAny, 700u);
}

// An operator of one input has one loop and computes nothing of dimensions.
TEST(TilingFunction, OneInputIsFlat) {
  Tiling tiling(elementwise(1, 0));
  auto fields = tiling.run({{3, 1, 5}, {3, 1, 5}});
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->at("size0"), 15);
  EXPECT_EQ(fields->at("tiling_key"), 256);
  EXPECT_EQ(fields->size(), 3u);
}

TEST(TilingFunction, RowsAreShortOrLong) {
  Tiling tiling(onRows());
  for (int64_t length : {0, 1, 64, 65, 100000}) {
    auto fields = tiling.run({{2, 3, length}, {length}, {2, 3, length}});
    ASSERT_TRUE(fields);
    EXPECT_EQ(fields->at("size0"), 6);
    EXPECT_EQ(fields->at("size1"), length);
    // Rows without elements: the form that makes no pass over them.
    EXPECT_EQ(tiling.keyOf(*fields)->isLong, length > 64 || length == 0);
    EXPECT_EQ(fields->at("row"), std::min<int64_t>(length, 64));
  }
}

// Rows without elements have nothing to read; the short form would read one element of each.
TEST(TilingFunction, ReducedRowsAreShortOrLong) {
  Tiling tiling(reduction());
  for (int64_t length : {0, 2, 64, 65, 100000}) {
    auto fields = tiling.run({{6, length}, {6}}, {false, true});
    ASSERT_TRUE(fields);
    const ShapeKey *key = tiling.keyOf(*fields);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->kind, ShapeKey::ReduceRows);
    EXPECT_EQ(key->isLong, length > 64 || length == 0) << length;
  }
}

// More alternations than other keys have loops: the key that serves every launch, up to eight loops.
TEST(TilingFunction, EightLoopsAreOfAny) {
  Tiling tiling(elementwise(2, 2));
  Dims full(8, 2), half = {2, 1, 2, 1, 2, 1, 2, 1};
  auto fields = tiling.run({half, full, full});
  ASSERT_TRUE(fields);
  EXPECT_EQ(tiling.keyOf(*fields)->kind, ShapeKey::Any);
  EXPECT_EQ(fields->at("batch5"), 2);
  EXPECT_EQ(fields->at("x1_along_m"), 1);
  EXPECT_EQ(fields->at("x1_along_n"), 0);
  EXPECT_GE(fields->at("block_num"), 1);
}

// A reduction of five alternating loops has no kernel, and it is said.
TEST(TilingFunction, RefusesFiveReducedLoops) {
  Tiling tiling(reduction());
  auto fields = tiling.run({{2, 2, 2, 2, 2}, {2, 2}}, {true, false, true, false, true});
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->at("tiling_key"), kNoTilingKey);
  EXPECT_GE(fields->at("block_num"), 1);
}

// Products past 63 bits end in an error, not in a wrong number.
TEST(TilingFunction, OverflowIsAnError) {
  Tiling tiling(elementwise(2, 2));
  int64_t large = int64_t(1) << 40;
  Dims huge = {large, large};
  std::vector<int64_t> inputs;
  for (const TilingInput &input : tiling.tiling.inputs)
    inputs.push_back(input.kind == TilingInput::Dim && input.dim >= -2 ? large : 1);
  std::vector<int64_t> outputs(tiling.tiling.outputs.size());
  EXPECT_EQ(runTiling(tiling.tiling, inputs.data(), outputs.data()), EvalStatus::Overflow);
}

} // namespace
