// Elements that change their place, against plain loops, the standard library's sort, and the published meaning of
// the instruction after TransDataTo5HD.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <algorithm>
#include <numeric>

using namespace opc;
using namespace opc::test;

namespace {

template <typename Word> std::vector<ElementType> typesOf() {
  switch (sizeof(Word)) {
  case 1:
    return {ElementType::Int8, ElementType::UInt8};
  case 2:
    return {ElementType::Int16, ElementType::UInt16, ElementType::Float16};
  default:
    return {ElementType::Int32, ElementType::UInt32, ElementType::Float32};
  }
}

template <typename Word>
std::vector<Word> moved(Intrinsic intrinsic, ElementType type, const VectorCall &call, std::vector<Word> destination) {
  return apply(sim::bestHostLevel(), intrinsic, {type, type}, call, std::move(destination));
}

template <typename Word> void checkKept(size_t count) {
  const auto source = randomWords<Word>(count, unsigned(count));
  const auto mask = randomWords<uint8_t>((count + 7) / 8 + 1, 5);
  for (ElementType type : typesOf<Word>()) {
    VectorCall call;
    call.sources[0] = mask.data();
    call.sources[1] = source.data();
    call.count = int64_t(count);
    std::vector<Word> expected;
    for (size_t i = 0; i < count; ++i)
      if (mask[i / 8] & (1u << i % 8))
        expected.push_back(source[i]);
    auto found = moved(Intrinsic::vgather_mask, type, call, std::vector<Word>(count));
    found.resize(expected.size());
    EXPECT_EQ(found, expected);

    call.sources[0] = source.data();
    for (int number = 1; number <= 7; ++number) {
      call.pattern = GatherPattern(number);
      expected.clear();
      for (size_t i = 0; i < count; ++i) {
        const bool kept = number == 7 || (number <= 2 ? i % 2 + 1 == size_t(number) : i % 4 + 3 == size_t(number));
        EXPECT_EQ(keepsElement(call.pattern, int64_t(i)), kept);
        if (kept)
          expected.push_back(source[i]);
      }
      EXPECT_EQ(resultLength(IntrinsicForm::GatherPattern, type, call.pattern).of(int64_t(count)),
                int64_t(expected.size()));
      found = moved(Intrinsic::vgather_pattern, type, call, std::vector<Word>(count + 1, Word(77)));
      EXPECT_EQ(found[expected.size()], Word(77)) << "wrote behind what it keeps";
      found.resize(expected.size());
      EXPECT_EQ(found, expected) << gatherPatternName(call.pattern);
    }
  }
}

/// One repeat of the instruction, as the vendor's intrinsic reference gives it: 16 blocks of 32 bytes in, 16 out.
template <typename Word>
void convert(const std::vector<const Word *> &src, const std::vector<Word *> &dst, bool dstHigh, bool srcHigh) {
  if constexpr (sizeof(Word) == 4) {
    for (int e = 0; e < 16; e += 2)
      for (int k = 0; k < 8; ++k) {
        dst[e][k] = src[k][e / 2];
        dst[e + 1][k] = src[k + 8][e / 2];
      }
  } else {
    const int from = sizeof(Word) == 1 && srcHigh ? 16 : 0, to = sizeof(Word) == 1 && dstHigh ? 16 : 0;
    for (int e = 0; e < 16; ++e)
      for (int k = 0; k < 16; ++k)
        dst[e][k + to] = src[k][e + from];
  }
}

template <typename Word> void checkChannelsLast(int64_t blocks) {
  const int64_t lanes = 32 / int64_t(sizeof(Word)), channels = sizeof(Word) == 1 ? 32 : 16;
  const int64_t plane = blocks * lanes;
  const auto source = randomWords<Word>(size_t(plane * channels), 9);
  std::vector<Word> expected(source.size());
  for (int64_t r = 0; r < blocks; ++r)
    for (int64_t part = 0; part < (channels / 16) * (channels / 16); ++part) {
      const int64_t dstHalf = part / 2, srcHalf = part % 2;
      std::vector<const Word *> src;
      std::vector<Word *> dst;
      for (int64_t i = 0; i < 16; ++i) {
        src.push_back(&source[size_t((dstHalf * 16 + i) * plane + r * lanes)]);
        dst.push_back(&expected[size_t(r * lanes * channels + (srcHalf * 16 + i) * lanes)]);
      }
      convert(src, dst, dstHalf != 0, srcHalf != 0);
    }
  for (ElementType type : typesOf<Word>()) {
    VectorCall call;
    call.sources[0] = source.data();
    call.count = plane * channels;
    EXPECT_EQ(moved(Intrinsic::vtrans5hd, type, call, std::vector<Word>(source.size())), expected);
  }
}

/// Pairs as words of 32 bits: score, index.
struct Sorted {
  std::vector<uint32_t> scores, indices;
};

/// Falling, NaN at the end, stable.
template <typename Word> bool falls(uint32_t a, uint32_t b) {
  auto value = [](uint32_t bits) { return sizeof(Word) == 2 ? toFloat(Half{uint16_t(bits)}) : floatFromBits(bits); };
  const float x = value(a), y = value(b);
  if (x != x || y != y)
    return x == x && y != y;
  return x > y;
}

template <typename Word> std::vector<uint8_t> bytesOf(const Sorted &pairs) {
  std::vector<uint8_t> bytes(pairs.scores.size() * 8);
  for (size_t i = 0; i < pairs.scores.size(); ++i) {
    std::memcpy(&bytes[i * 8], &pairs.scores[i], 4);
    std::memcpy(&bytes[i * 8 + 4], &pairs.indices[i], 4);
  }
  return bytes;
}

template <typename Word> Sorted sorted(const Sorted &pairs, size_t group) {
  std::vector<size_t> order(pairs.scores.size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (size_t first = 0; first < order.size(); first += group)
    std::sort(order.begin() + int64_t(first), order.begin() + int64_t(std::min(first + group, order.size())),
              [&](size_t a, size_t b) {
                const uint32_t x = pairs.scores[a], y = pairs.scores[b];
                return falls<Word>(x, y) || (!falls<Word>(y, x) && a < b);
              });
  Sorted result;
  for (size_t i : order) {
    result.scores.push_back(pairs.scores[i]);
    result.indices.push_back(pairs.indices[i]);
  }
  return result;
}

template <typename Word> Sorted randomPairs(size_t count, unsigned seed) {
  Sorted pairs;
  // Few different scores, so that many are equal; specials among them.
  const auto pool = randomWords<Word>(std::max<size_t>(count / 3, 8), seed);
  std::mt19937 random(seed);
  for (size_t i = 0; i < count; ++i) {
    pairs.scores.push_back(pool[random() % pool.size()]);
    pairs.indices.push_back(uint32_t(random()));
  }
  return pairs;
}

template <typename Word> void checkSort(size_t count) {
  const ElementType type = sizeof(Word) == 2 ? ElementType::Float16 : ElementType::Float32;
  const Sorted pairs = randomPairs<Word>(count, unsigned(count));
  const std::vector<Word> scores(pairs.scores.begin(), pairs.scores.end());
  VectorCall call;
  call.sources[0] = scores.data();
  call.sources[1] = pairs.indices.data();
  call.count = int64_t(count);
  EXPECT_EQ(moved(Intrinsic::vsort32, type, call, std::vector<uint8_t>(count * 8, 0xee)),
            bytesOf<Word>(sorted<Word>(pairs, 32)));
}

template <typename Word> void checkMerge(const std::vector<size_t> &lengths) {
  const ElementType type = sizeof(Word) == 2 ? ElementType::Float16 : ElementType::Float32;
  Sorted all;
  std::vector<std::vector<uint8_t>> lists;
  VectorCall call;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const Sorted list = sorted<Word>(randomPairs<Word>(lengths[i], unsigned(i + lengths[i])), 1 << 20);
    all.scores.insert(all.scores.end(), list.scores.begin(), list.scores.end());
    all.indices.insert(all.indices.end(), list.indices.begin(), list.indices.end());
    lists.push_back(bytesOf<Word>(list));
    lists.back().resize(lists.back().size() + 8);
    call.lengths[i] = int64_t(lengths[i] * 8 / sizeof(Word));
    call.count += call.lengths[i];
  }
  for (size_t i = 0; i < lists.size(); ++i)
    call.sources[i] = lists[i].data();
  EXPECT_EQ(moved(Intrinsic::vmrgsort, type, call, std::vector<uint8_t>(all.scores.size() * 8, 0xee)),
            bytesOf<Word>(sorted<Word>(all, 1 << 20)));
}

} // namespace

TEST(Moves, KeptElementsStandTogether) {
  for (size_t count : {0, 1, 2, 3, 4, 5, 31, 128, 333}) {
    checkKept<uint16_t>(count);
    checkKept<uint32_t>(count);
  }
}

TEST(Moves, CopiesKeepEveryBit) {
  const auto words = allWords<uint16_t>();
  VectorCall call;
  call.sources[0] = words.data();
  call.count = int64_t(words.size());
  for (ElementType type : {ElementType::Float16, ElementType::BFloat16, ElementType::Int16})
    EXPECT_EQ(moved(Intrinsic::vcopy, type, call, std::vector<uint16_t>(words.size())), words);
}

// Offsets are bytes from the first element; what is not named stays; of equal offsets the last lane wins.
TEST(Moves, ScatterWritesWhatIsNamed) {
  auto check = [](auto word) {
    using Word = decltype(word);
    const std::vector<Word> source = {1, 2, 3, 4, 5};
    std::vector<uint32_t> offsets = {3, 0, 9, 3, 1};
    for (uint32_t &offset : offsets)
      offset *= uint32_t(sizeof(Word));
    for (ElementType type : typesOf<Word>()) {
      VectorCall call;
      call.sources[0] = source.data();
      call.sources[1] = offsets.data();
      call.count = 5;
      EXPECT_EQ(moved(Intrinsic::vscatter, type, call, std::vector<Word>(10, 100)),
                (std::vector<Word>{2, 5, 100, 4, 100, 100, 100, 100, 100, 3}));
    }
  };
  check(uint8_t());
  check(uint16_t());
  check(uint32_t());
}

TEST(Moves, TransposeMirrorsAndMayWorkInPlace) {
  const auto source = randomWords<uint16_t>(256, 4);
  std::vector<uint16_t> expected(256);
  for (size_t i = 0; i < 256; ++i)
    expected[i % 16 * 16 + i / 16] = source[i];
  for (ElementType type : typesOf<uint16_t>()) {
    VectorCall call;
    call.sources[0] = source.data();
    call.count = 256;
    EXPECT_EQ(moved(Intrinsic::vtranspose, type, call, std::vector<uint16_t>(256)), expected);
    std::vector<uint16_t> place = source;
    call.sources[0] = call.destination = place.data();
    sim::findVectorFunction(Intrinsic::vtranspose, {type, type}, sim::bestHostLevel())(call);
    EXPECT_EQ(place, expected);
  }
}

TEST(Moves, ChannelsComeLast) {
  for (int64_t blocks : {1, 2, 5}) {
    checkChannelsLast<uint8_t>(blocks);
    checkChannelsLast<uint16_t>(blocks);
    checkChannelsLast<uint32_t>(blocks);
  }
}

TEST(Sorting, EachGroupFallsAndIsStable) {
  for (size_t count : {0, 32, 64, 320, 8192}) {
    checkSort<uint16_t>(count);
    checkSort<uint32_t>(count);
  }
}

TEST(Sorting, MergesListsOfAnyLength) {
  for (const std::vector<size_t> &lengths : {std::vector<size_t>{32, 32},
                                             {0, 5},
                                             {5, 0},
                                             {0, 0},
                                             {1, 100, 7},
                                             {32, 32, 32, 32},
                                             {3, 0, 64, 1},
                                             {4095, 4095, 4095, 4095}}) {
    checkMerge<uint16_t>(lengths);
    checkMerge<uint32_t>(lengths);
  }
}
