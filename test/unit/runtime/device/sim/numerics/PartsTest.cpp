// Reductions of parts against sums by APFloat over whole repeats that are filled with zeros, and floor and xor
// against what APFloat and the language say.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <algorithm>

using namespace opc;
using namespace opc::test;
using llvm::APFloat;

namespace {

constexpr ElementType kHalf = ElementType::Float16, kFloat = ElementType::Float32;

/// Halves the elements until one is left, each sum rounded to the type.
uint64_t treeSum(ElementType type, std::vector<uint64_t> words) {
  while (words.size() > 1) {
    std::vector<uint64_t> next;
    for (size_t i = 0; i < words.size(); i += 2) {
      APFloat sum = number(type, words[i]);
      sum.add(number(type, words[i + 1]), APFloat::rmNearestTiesToEven);
      next.push_back(bitsOf(sum));
    }
    words = next;
  }
  return words[0];
}

/// The largest, or with `least` the smallest; NaN when there is one.
uint64_t extreme(ElementType type, const std::vector<uint64_t> &words, bool least) {
  uint64_t best = words[0];
  for (uint64_t word : words) {
    if (number(type, word).isNaN())
      return word;
    const auto order = number(type, word).compare(number(type, best));
    if (order == (least ? APFloat::cmpLessThan : APFloat::cmpGreaterThan))
      best = word;
  }
  return best;
}

/// Equal as the project means it: the zeros are alike, and any NaN is any NaN.
bool alike(ElementType type, uint64_t a, uint64_t b) {
  return same(type, a, b) || (number(type, a).isZero() && number(type, b).isZero());
}

/// Words of any bits, but few of them: sums that are neither infinite nor NaN throughout.
template <typename Word> std::vector<Word> numbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Word> words(count);
  for (Word &word : words) {
    const float value = float(int(random() % 20001) - 10000) / 64.0f;
    word = sizeof(Word) == 2 ? Word(toHalf(value).bits) : Word(floatBits(value));
  }
  return words;
}

template <typename Word> std::vector<Word> reduced(Intrinsic intrinsic, const std::vector<Word> &source) {
  const ElementType type = sizeof(Word) == 2 ? kHalf : kFloat;
  const IntrinsicForm form = intrinsicInfo(intrinsic).form;
  VectorCall call;
  call.sources[0] = source.data();
  call.count = int64_t(source.size());
  const int64_t results = resultLength(form, type, GatherPattern::All).of(call.count);
  // One more than is written: it has to stay.
  std::vector<Word> found =
      apply(sim::bestHostLevel(), intrinsic, {type, type}, call, std::vector<Word>(size_t(results) + 1, Word(0x1234)));
  EXPECT_EQ(found.back(), Word(0x1234));
  found.pop_back();
  return found;
}

/// The elements of a group, zeros where there are none; how many there are.
template <typename Word>
std::vector<uint64_t> group(const std::vector<Word> &source, size_t first, size_t size, size_t &there) {
  std::vector<uint64_t> words(size, 0);
  there = first < source.size() ? std::min(size, source.size() - first) : 0;
  std::copy_n(source.begin() + std::min(first, source.size()), there, words.begin());
  return words;
}

/// What an empty block gives: as the vendor's documentation of this chip says.
uint64_t emptyBlock(ElementType type, int kind) {
  if (kind == 0)
    return 0;
  if (type == kHalf)
    return kind == 1 ? 0xfbff : 0x7bff;
  return kind == 1 ? 0xff800000 : 0x7f800000;
}

template <typename Word> void checkGroups(const std::vector<Word> &source) {
  const ElementType type = sizeof(Word) == 2 ? kHalf : kFloat;
  const Intrinsic repeats[] = {Intrinsic::vreduce_repeat_sum, Intrinsic::vreduce_repeat_max,
                               Intrinsic::vreduce_repeat_min},
                  blocks[] = {Intrinsic::vreduce_block_sum, Intrinsic::vreduce_block_max, Intrinsic::vreduce_block_min};
  for (int kind = 0; kind < 3; ++kind)
    for (bool whole : {true, false}) {
      const size_t size = (whole ? 256 : 32) / sizeof(Word);
      const std::vector<Word> found = reduced(whole ? repeats[kind] : blocks[kind], source);
      ASSERT_EQ(found.size(), (source.size() + 256 / sizeof(Word) - 1) / (256 / sizeof(Word)) * (whole ? 1 : 8));
      for (size_t g = 0; g < found.size(); ++g) {
        size_t there;
        std::vector<uint64_t> words = group(source, g * size, size, there);
        uint64_t expected = emptyBlock(type, kind);
        if (there != 0 && kind == 0)
          expected = treeSum(type, words);
        if (there != 0 && kind != 0) {
          words.resize(there);
          expected = extreme(type, words, kind == 2);
        }
        ASSERT_TRUE(alike(type, found[g], expected))
            << (whole ? "repeat " : "block ") << g << " of " << source.size() << ", kind " << kind << ": " << std::hex
            << found[g] << ", expected " << expected;
      }
    }
}

template <typename Word> void checkPairs(const std::vector<Word> &source) {
  const ElementType type = sizeof(Word) == 2 ? kHalf : kFloat;
  const std::vector<Word> found = reduced(Intrinsic::vreduce_pair_sum, source);
  ASSERT_EQ(found.size(), (source.size() + 256 / sizeof(Word) - 1) / (256 / sizeof(Word)) * 128 / sizeof(Word));
  for (size_t i = 0; i < found.size(); ++i) {
    size_t there;
    const uint64_t expected = treeSum(type, group(source, 2 * i, 2, there));
    ASSERT_TRUE(alike(type, found[i], expected)) << i << " of " << source.size();
  }
}

} // namespace

// The last repeat is short in every way there is; what it lacks is zero, or loses.
TEST(Parts, FollowTheTreeOfAWholeRepeat) {
  for (size_t count : {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 127, 128, 129, 255, 256, 1000}) {
    checkGroups(numbers<uint16_t>(count, unsigned(count)));
    checkGroups(numbers<uint32_t>(count, unsigned(count)));
    checkPairs(numbers<uint16_t>(count, unsigned(count)));
    checkPairs(numbers<uint32_t>(count, unsigned(count)));
  }
}

// NaN, infinities, subnormal numbers and both zeros.
TEST(Parts, TakeAnyBits) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    checkGroups(randomWords<uint16_t>(300 + seed, seed));
    checkGroups(randomWords<uint32_t>(300 + seed, seed));
    checkPairs(randomWords<uint16_t>(300 + seed, seed));
    checkPairs(randomWords<uint32_t>(300 + seed, seed));
  }
}

// Each step of a half sum rounds to half.
TEST(Parts, RoundEachStep) {
  std::vector<uint16_t> words(16, 0);
  words[0] = toHalf(2048.0f).bits;
  words[1] = words[2] = words[3] = toHalf(1.0f).bits;
  // (2048 + 1 = 2048) + (1 + 1 = 2) = 2050; in one sum it would be 2051, which is 2052 in half.
  EXPECT_EQ(reduced(Intrinsic::vreduce_block_sum, words)[0], toHalf(2050.0f).bits);
}

TEST(Composed, FloorIsTheLargestWholeNumberNotAbove) {
  auto check = [](ElementType type, const auto &words) {
    VectorCall call;
    call.sources[0] = words.data();
    call.count = int64_t(words.size());
    const auto found = apply(sim::bestHostLevel(), Intrinsic::vfloor, {type, type}, call, words);
    for (size_t i = 0; i < words.size(); ++i) {
      APFloat expected = number(type, words[i]);
      expected.roundToIntegral(APFloat::rmTowardNegative);
      ASSERT_TRUE(same(type, found[i], bitsOf(expected))) << std::hex << words[i];
    }
  };
  check(kHalf, allWords<uint16_t>());
  check(kFloat, randomWords<uint32_t>(1000000, 21));
}

TEST(Composed, XorIsExclusive) {
  const auto a = randomWords<uint16_t>(1000, 1), b = randomWords<uint16_t>(1000, 2);
  VectorCall call;
  call.sources[0] = a.data();
  call.sources[1] = b.data();
  call.count = 1000;
  for (ElementType type : {ElementType::Int16, ElementType::UInt16}) {
    const auto found = apply(sim::bestHostLevel(), Intrinsic::vxor, {type, type}, call, a);
    for (size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(found[i], (a[i] | b[i]) & ~(a[i] & b[i]));
  }
}
