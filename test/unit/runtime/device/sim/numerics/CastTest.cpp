// Casts against APFloat: all values of 8 and 16-bit sources, half a million of 32-bit and a fifth of 64-bit ones, under
// every rounding mode; a million more of 32-bit ones with OPC_TEST_FULL.

#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include "llvm/ADT/APSInt.h"

#include <cstdlib>

using namespace opc;
using namespace opc::test;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;

namespace {

bool isFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float32;
}
bool isSigned(ElementType type) {
  return type != ElementType::UInt8;
}

llvm::RoundingMode apMode(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Floor:
    return APFloat::rmTowardNegative;
  case RoundingMode::Ceil:
    return APFloat::rmTowardPositive;
  case RoundingMode::Round:
    return APFloat::rmNearestTiesToAway;
  case RoundingMode::Trunc:
  case RoundingMode::Odd:
    return APFloat::rmTowardZero;
  default:
    return APFloat::rmNearestTiesToEven;
  }
}

/// Float to float. Rounding to odd: toward zero, then the last bit says that something was lost.
uint64_t toFloatType(APFloat value, ElementType to, RoundingMode mode) {
  bool lost;
  const auto status = value.convert(semanticsOf(to), apMode(mode), &lost);
  uint64_t bits = bitsOf(value);
  if (mode == RoundingMode::Odd && (status & APFloat::opInexact))
    bits |= 1;
  return bits;
}

/// Float to the whole number beside it.
uint64_t toWhole(APFloat value, RoundingMode mode) {
  APFloat whole = value;
  const bool isInexact = whole.roundToIntegral(apMode(mode)) == APFloat::opInexact;
  if (mode == RoundingMode::Odd && isInexact) {
    APSInt number(64, /*isUnsigned=*/false);
    bool exact;
    (void)whole.convertToInteger(number, APFloat::rmTowardZero, &exact);
    const APFloat one(value.isNegative() ? -1.0f : 1.0f);
    if (!number[0])
      (void)whole.add(one, APFloat::rmNearestTiesToEven);
  }
  return bitsOf(whole);
}

uint64_t toIntegerType(const APFloat &value, ElementType to, RoundingMode mode) {
  if (value.isNaN())
    return 0;
  // 64 bits do not saturate: the low bits of a number that is wide enough.
  const bool wraps = to == ElementType::Int64;
  if (wraps && value.isInfinity())
    return 0;
  APSInt result(wraps ? 192 : elementSize(to) * 8, !isSigned(to));
  bool exact;
  // Out of range saturates, which is what APFloat leaves in the result.
  const auto status = value.convertToInteger(result, apMode(mode), &exact);
  // Toward zero came to an even number: the odd neighbour lies on the other side of the value.
  if (mode == RoundingMode::Odd && status == APFloat::opInexact && !result[0]) {
    if (!value.isNegative())
      ++result;
    else if (isSigned(to) && !result.isMinSignedValue())
      --result;
  }
  return wraps ? result.trunc(64).getZExtValue() : result.getZExtValue();
}

/// An integer source, in a float type wide enough to hold it: quadruple.
APFloat integerValue(ElementType from, uint64_t bits) {
  APFloat value(APFloat::IEEEquad());
  value.convertFromAPInt(APInt(elementSize(from) * 8, bits), isSigned(from), APFloat::rmNearestTiesToEven);
  return value;
}

uint64_t reference(TypeRow row, uint64_t bits, RoundingMode mode) {
  const APFloat value = isFloat(row.source) ? number(row.source, bits) : integerValue(row.source, bits);
  if (row.source == row.destination)
    return toWhole(value, mode);
  if (!isFloat(row.source) && row.destination == ElementType::Int64)
    return uint64_t(int64_t(int32_t(bits)));
  return isFloat(row.destination) ? toFloatType(value, row.destination, mode)
                                  : toIntegerType(value, row.destination, mode);
}

template <typename To, typename From> void checkCast(TypeRow row, RoundingMode mode, const std::vector<From> &source) {
  std::vector<To> expected(source.size());
  for (size_t i = 0; i < source.size(); ++i)
    expected[i] = To(reference(row, source[i], mode));
  VectorCall call;
  call.sources[0] = source.data();
  call.count = int64_t(source.size());
  call.rounding = mode;
  for (HostLevel level : hostLevels()) {
    const auto found = apply(level, Intrinsic::vcast, row, call, std::vector<To>(source.size()));
    for (size_t i = 0; i < source.size(); ++i)
      ASSERT_TRUE(expected[i] == found[i] || (isFloat(row.destination) && same(row.destination, expected[i], found[i])))
          << elementTypeName(row.source) << " to " << elementTypeName(row.destination) << " " << roundingModeName(mode)
          << " of " << std::hex << uint64_t(source[i]) << ": " << uint64_t(expected[i]) << " expected, "
          << uint64_t(found[i]) << " found on " << hostLevelName(level);
  }
}

template <typename From> void checkCasts(TypeRow row, RoundingMode mode, const std::vector<From> &source) {
  switch (elementSize(row.destination)) {
  case 1:
    return checkCast<uint8_t>(row, mode, source);
  case 2:
    return checkCast<uint16_t>(row, mode, source);
  case 4:
    return checkCast<uint32_t>(row, mode, source);
  case 8:
    return checkCast<uint64_t>(row, mode, source);
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

/// Random words beside those that casts go wrong at. Sanitizers see ways through the code, which more numbers do not
/// add to.
size_t countOfRandomWords() {
  return kIsSanitized ? 30000 : std::getenv("OPC_TEST_FULL") ? 1000000 : 150000;
}

/// 32-bit words of all kinds, with every half and what lies just beside it.
std::vector<uint32_t> wideWords(ElementType type) {
  std::vector<uint32_t> words = randomWords<uint32_t>(countOfRandomWords(), 3);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = toFloat(Half{uint16_t(bits)});
    for (int offset : {-1, 0, 1, 0x1000, 0x8000})
      words.push_back(floatBits(value) + uint32_t(offset));
    if (type == ElementType::Int32)
      words.push_back(uint32_t(int32_t(bits) - 0x8000));
  }
  return words;
}

/// 64-bit words of all magnitudes, those next to the ties of a float among them.
std::vector<uint64_t> longWords() {
  std::vector<uint64_t> words = randomWords<uint64_t>(100000, 4);
  std::mt19937_64 random(5);
  for (uint64_t &word : words) {
    word >>= random() % 64;
    const unsigned bit = random() % 64;
    if (random() % 4 == 0)
      word = (word & ~uint64_t(0) << bit) + (uint64_t(1) << bit >> 1) + random() % 3 - 1;
    word = random() % 2 ? word : 0 - word;
  }
  for (uint64_t word : {uint64_t(INT64_MIN), uint64_t(INT64_MAX), uint64_t(INT32_MIN) - 1, uint64_t(INT32_MAX) + 1})
    words.push_back(word);
  return words;
}

} // namespace

// Every row of the intrinsic table under each of its modes; a mode that is not exact must round as its name says.
TEST(Cast, AgreesWithAPFloat) {
  static constexpr RoundingMode modes[] = {RoundingMode::None, RoundingMode::Rint,  RoundingMode::Floor,
                                           RoundingMode::Ceil, RoundingMode::Round, RoundingMode::Trunc,
                                           RoundingMode::Odd};
  for (TypeRow row : intrinsicInfo(Intrinsic::vcast).types)
    for (RoundingMode mode : modes)
      switch (elementSize(row.source)) {
      case 1:
        checkCasts(row, mode, allWords<uint8_t>());
        break;
      case 2:
        checkCasts(row, mode, allWords<uint16_t>());
        break;
      case 4:
        checkCasts(row, mode, wideWords(row.source));
        break;
      case 8:
        checkCasts(row, mode, longWords());
        break;
      }
}
