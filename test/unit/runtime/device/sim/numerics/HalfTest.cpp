// The conversions of runtime/target/Half.h against APFloat.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

using namespace opc;
using namespace opc::test;
using llvm::APFloat;

static uint64_t converted(APFloat value, ElementType to) {
  bool lost;
  value.convert(semanticsOf(to), APFloat::rmNearestTiesToEven, &lost);
  return bitsOf(value);
}

// Every kernel's f16 and bf16 data passes here; widening is exact or everything after it is wrong.
TEST(Half, WideningIsExactForAllValues) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint64_t half = converted(number(ElementType::Float16, bits), ElementType::Float32);
    EXPECT_TRUE(same(ElementType::Float32, half, floatBits(toFloat(Half{uint16_t(bits)})))) << bits;
    const uint64_t bfloat = converted(number(ElementType::BFloat16, bits), ElementType::Float32);
    EXPECT_TRUE(same(ElementType::Float32, bfloat, floatBits(toFloat(BFloat16{uint16_t(bits)})))) << bits;
  }
}

// Ties, the border to subnormals and the border to infinity lie between neighbouring halves: all of them,
// and random words.
TEST(Half, NarrowingRoundsToNearestEven) {
  std::vector<uint32_t> words = randomWords<uint32_t>(1000000, 1);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint32_t exact = floatBits(toFloat(Half{uint16_t(bits)}));
    for (uint32_t offset : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu})
      words.push_back(exact + offset);
    for (uint32_t offset : {0x0u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      words.push_back((bits << 16) + offset);
  }
  for (uint32_t bits : words) {
    const APFloat value = number(ElementType::Float32, bits);
    const float x = floatFromBits(bits);
    ASSERT_TRUE(same(ElementType::Float16, converted(value, ElementType::Float16), toHalf(x).bits)) << bits;
    ASSERT_TRUE(same(ElementType::BFloat16, converted(value, ElementType::BFloat16), toBFloat16(x).bits)) << bits;
  }
}

// A double just beside a tie must not be rounded twice.
TEST(Half, DoublesAreRoundedOnce) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000000; ++i) {
    const uint16_t bits = uint16_t(random());
    double value = toFloat(Half{bits});
    const double step = std::ldexp(1.0, -int(random() % 40) - 5);
    value += value * step * (random() % 2 ? 1 : -1);
    ASSERT_TRUE(same(ElementType::Float16, converted(APFloat(value), ElementType::Float16), toHalf(value).bits))
        << value;
  }
}
