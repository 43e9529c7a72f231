// Each intrinsic in each row of types, as the table lists them, against scalar arithmetic that is written here: one
// lane at a time, in double and 64-bit integers, rounded by APFloat. A row that has no reference here fails, so a new
// intrinsic, form or type cannot be left out.
//
// Other files of this folder look closer at one family each; this one looks at all.

#include "runtime/target/Target.h"
#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>

using namespace opc;
using namespace opc::test;
using llvm::APFloat;
using Form = IntrinsicForm;
using I = Intrinsic;

namespace {

constexpr int64_t kCount = 1003; // no multiple of a repeat, a block or a byte
constexpr int64_t kTile = 4096;  // bytes of every operand, more than any form moves

bool isFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float32;
}
bool isSigned(ElementType type) {
  return type == ElementType::Int8 || type == ElementType::Int16 || type == ElementType::Int32 ||
         type == ElementType::Int64;
}

/// An element: floats in `real`, integers in `whole`.
struct Number {
  double real = 0;
  int64_t whole = 0;
};

double rounded(double value, ElementType type) {
  APFloat number(value);
  bool loses = false;
  number.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &loses);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

uint64_t wordAt(const std::vector<uint8_t> &tile, unsigned size, int64_t index) {
  uint64_t word = 0;
  std::memcpy(&word, tile.data() + index * size, size);
  return word;
}

Number numberAt(const std::vector<uint8_t> &tile, ElementType type, int64_t index) {
  const unsigned size = elementSize(type);
  const uint64_t word = wordAt(tile, size, index);
  if (isFloat(type)) {
    APFloat value = number(type, word);
    bool loses = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return {value.convertToDouble(), 0};
  }
  const unsigned spare = 64 - 8 * size;
  return {0, isSigned(type) ? int64_t(word << spare) >> spare : int64_t(word)};
}

int64_t wrapped(int64_t value, ElementType type) {
  const unsigned spare = 64 - 8 * elementSize(type);
  return isSigned(type) ? int64_t(uint64_t(value) << spare) >> spare : int64_t(uint64_t(value) << spare >> spare);
}

double wholeOf(double value, RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Floor:
    value = std::floor(value);
    break;
  case RoundingMode::Ceil:
    value = std::ceil(value);
    break;
  case RoundingMode::Trunc:
    value = std::trunc(value);
    break;
  case RoundingMode::Round:
    value = std::round(value);
    break;
  default:
    value = std::nearbyint(value);
  }
  return value;
}

/// The integer of a value; 64 bits do not saturate.
int64_t integerOf(double value, ElementType type, RoundingMode mode) {
  if (std::isnan(value))
    return 0;
  value = wholeOf(value, mode);
  if (type == ElementType::Int64)
    return std::isinf(value) ? 0 : int64_t(uint64_t(__int128(std::fmod(value, 0x1p64))));
  const unsigned bits = 8 * elementSize(type);
  const double low = isSigned(type) ? -std::ldexp(1.0, int(bits) - 1) : 0.0;
  const double high = std::ldexp(1.0, int(bits) - (isSigned(type) ? 1 : 0)) - 1;
  return int64_t(std::clamp(value, low, high));
}

double narrowed(APFloat number, ElementType type, RoundingMode mode) {
  bool loses = false;
  const auto way = mode == RoundingMode::Floor   ? APFloat::rmTowardNegative
                   : mode == RoundingMode::Ceil  ? APFloat::rmTowardPositive
                   : mode == RoundingMode::Trunc ? APFloat::rmTowardZero
                   : mode == RoundingMode::Odd   ? APFloat::rmTowardZero
                   : mode == RoundingMode::Round ? APFloat::rmNearestTiesToAway
                                                 : APFloat::rmNearestTiesToEven;
  number.convert(semanticsOf(type), way, &loses);
  if (mode == RoundingMode::Odd && loses && number.isFinite())
    number = APFloat(semanticsOf(type), number.bitcastToAPInt() | 1);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

double narrowed(double value, ElementType type, RoundingMode mode) {
  return narrowed(APFloat(value), type, mode);
}
double narrowed(int64_t value, ElementType type, RoundingMode mode) {
  APFloat number(APFloat::IEEEquad());
  number.convertFromAPInt(llvm::APInt(64, uint64_t(value), /*isSigned=*/true), /*IsSigned=*/true,
                          APFloat::rmNearestTiesToEven);
  return narrowed(number, type, mode);
}

double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
double smaller(double a, double b) {
  return -larger(-a, -b);
}

/// Operands of one instruction: tiles of bytes, the scalar as a number.
struct Operands {
  std::vector<uint8_t> sources[kMaxSources], destination;
  Number scalar;
  VectorCall call;
};

/// The element that an intrinsic of a form by lanes makes; nothing where this file has no meaning of it.
std::optional<Number> laneOf(I intrinsic, TypeRow row, const Operands &given, int64_t i) {
  const ElementType type = row.source, to = row.destination;
  const Form form = intrinsicInfo(intrinsic).form;
  auto source = [&](unsigned index) { return numberAt(given.sources[index], type, i); };
  auto real = [&](double value) { return Number{rounded(value, to), 0}; };
  auto whole = [&](int64_t value) { return Number{0, wrapped(value, to)}; };
  const Number a = form == Form::Fill ? Number() : source(0);
  const Number b = takesScalar(form) ? given.scalar : sourceCount(form).least > 1 ? source(1) : Number();
  const Number d = numberAt(given.destination, to, i);
  const bool floats = isFloat(type);
  // Sums and products of steps that are rounded to what the compound works in.
  auto step = [&](double value) { return rounded(value, to); };
  switch (intrinsic) {
  case I::vadd:
  case I::vadds:
    return floats ? real(a.real + b.real) : whole(int64_t(uint64_t(a.whole) + uint64_t(b.whole)));
  case I::vsub:
    return floats ? real(a.real - b.real) : whole(int64_t(uint64_t(a.whole) - uint64_t(b.whole)));
  case I::vmul:
  case I::vmuls:
    return floats ? real(a.real * b.real) : whole(int64_t(uint64_t(a.whole) * uint64_t(b.whole)));
  case I::vdiv:
    return real(a.real / b.real);
  case I::vmax:
  case I::vmaxs:
    return floats ? real(larger(a.real, b.real)) : whole(std::max(a.whole, b.whole));
  case I::vmin:
  case I::vmins:
    return floats ? real(smaller(a.real, b.real)) : whole(std::min(a.whole, b.whole));
  case I::vexp:
    return Number{std::exp(a.real), 0};
  case I::vln:
    return Number{std::log(a.real), 0};
  case I::vsqrt:
    return real(std::sqrt(a.real));
  case I::vrsqrt:
    return Number{1.0 / std::sqrt(a.real), 0};
  case I::vrec:
    return real(1.0 / a.real);
  case I::vrelu:
    return floats ? real(larger(a.real, 0.0)) : whole(std::max<int64_t>(a.whole, 0));
  case I::vabs:
    return floats ? real(std::fabs(a.real)) : whole(a.whole < 0 ? -a.whole : a.whole);
  case I::vfloor:
    return real(std::floor(a.real));
  case I::vleakyrelu:
    return std::isnan(a.real) || a.real > 0 ? real(a.real) : real(a.real * b.real);
  case I::vaddrelu:
    return real(larger(step(a.real + b.real), 0.0));
  case I::vsubrelu:
    return real(larger(step(a.real - b.real), 0.0));
  case I::vaddrelucast:
  case I::vsubrelucast: {
    const double sum = intrinsic == I::vaddrelucast ? a.real + b.real : a.real - b.real;
    const double positive = larger(rounded(sum, type), 0.0);
    if (isFloat(to))
      return real(positive);
    return Number{0, integerOf(positive, to, RoundingMode::Rint)};
  }
  case I::vmulcast:
    return Number{0, integerOf(rounded(a.real * b.real, type), to, RoundingMode::Rint)};
  case I::vfma:
    return real(step(a.real * d.real) + b.real);
  case I::vmuladdrelu:
    return real(larger(step(step(a.real * d.real) + b.real), 0.0));
  case I::vmuladd:
  case I::vaxpy:
    return real(step(a.real * b.real) + d.real);
  case I::vand:
    return whole(a.whole & b.whole);
  case I::vor:
    return whole(a.whole | b.whole);
  case I::vxor:
    return whole(a.whole ^ b.whole);
  case I::vnot:
    return whole(~a.whole);
  case I::vshl:
    return whole(b.whole >= 8 * int64_t(elementSize(type)) ? 0 : int64_t(uint64_t(a.whole) << b.whole));
  case I::vshr:
    return whole(a.whole >> std::min<int64_t>(b.whole, 63));
  case I::vbrc:
    return isFloat(to) ? real(given.scalar.real) : whole(given.scalar.whole);
  case I::varange:
    return isFloat(to) ? real(given.scalar.real + double(i)) : whole(given.scalar.whole + i);
  case I::vcopy:
    return a;
  case I::vcast:
    if (type == to)
      return Number{wholeOf(a.real, given.call.rounding), 0};
    if (isFloat(type))
      return isFloat(to) ? Number{narrowed(a.real, to, given.call.rounding), 0}
                         : Number{0, integerOf(a.real, to, given.call.rounding)};
    if (to == ElementType::Int64)
      return Number{0, a.whole};
    return isFloat(to) ? Number{narrowed(a.whole, to, given.call.rounding), 0}
                       : Number{0, integerOf(double(a.whole), to, RoundingMode::Rint)};
  default:
    return std::nullopt;
  }
}

double ulpsOf(I intrinsic, ElementType type) {
  const bool elementary = intrinsic == I::vexp || intrinsic == I::vln || intrinsic == I::vrsqrt;
  // Bits of f32 are compared with a double that is no float32: one more half.
  return elementary ? (type == ElementType::Float32 ? 1.5 : 0.51) : 0;
}

bool agrees(I intrinsic, ElementType type, Number expected, const std::vector<uint8_t> &tile, int64_t index) {
  const Number found = numberAt(tile, type, index);
  if (!isFloat(type))
    return expected.whole == found.whole;
  if (std::isnan(expected.real) || std::isnan(found.real))
    return std::isnan(expected.real) && std::isnan(found.real);
  const double nearest = rounded(expected.real, type);
  if (found.real == nearest)
    return nearest != 0 || std::signbit(found.real) == std::signbit(nearest);
  APFloat next = number(type, wordAt(tile, elementSize(type), index));
  (void)next.next(/*nextDown=*/found.real > expected.real);
  bool loses = false;
  next.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  const double ulp = std::fabs(next.convertToDouble() - found.real);
  return std::fabs(found.real - expected.real) <= ulpsOf(intrinsic, type) * ulp;
}

/// Random words, specials among them; of floats for reductions small whole numbers, whose sums are exact in any order.
std::vector<uint8_t> tileOf(ElementType type, unsigned seed, bool exactSums) {
  const unsigned size = elementSize(type);
  std::vector<uint8_t> bytes(kTile);
  if (exactSums) {
    std::mt19937 random(seed);
    for (int64_t i = 0; i < kTile / size; ++i) {
      APFloat value(double(int(random() % 7) - 3));
      bool loses = false;
      value.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &loses);
      const uint64_t word = bitsOf(value);
      std::memcpy(bytes.data() + i * size, &word, size);
    }
    return bytes;
  }
  const auto words32 = randomWords<uint32_t>(kTile / 4, seed);
  const auto words16 = randomWords<uint16_t>(kTile / 2, seed);
  std::memcpy(bytes.data(), size == 2 ? static_cast<const void *>(words16.data()) : words32.data(), kTile);
  return bytes;
}

Operands operandsOf(const IntrinsicInfo &info, TypeRow row, unsigned seed, Number scalar, int64_t count) {
  Operands given;
  const bool reduces = info.form == Form::Reduce || info.form == Form::RepeatReduce || info.form == Form::BlockReduce ||
                       info.form == Form::PairReduce;
  for (unsigned i = 0; i < kMaxSources; ++i)
    given.sources[i] = tileOf(row.source, seed + i, reduces);
  if (hasMask(info.form))
    given.sources[0] = tileOf(ElementType::UInt8, seed + 7, false);
  given.destination = tileOf(row.destination, seed + 9, false);
  for (unsigned i = 0; i < kMaxSources; ++i)
    given.call.sources[i] = given.sources[i].data();
  given.call.count = count;
  given.scalar = scalar;
  given.call.scalar = isFloat(row.source) ? floatBits(float(scalar.real)) : uint64_t(scalar.whole);
  if (isFloat(row.source))
    given.scalar.real = rounded(given.scalar.real, row.source);
  return given;
}

bool bitAt(const std::vector<uint8_t> &mask, int64_t index) {
  return mask[size_t(index / 8)] >> (index % 8) & 1;
}

bool compares(CompareMode mode, double a, double b) {
  switch (mode) {
  case CompareMode::Lt:
    return a < b;
  case CompareMode::Gt:
    return a > b;
  case CompareMode::Eq:
    return a == b;
  case CompareMode::Le:
    return a <= b;
  case CompareMode::Ge:
    return a >= b;
  case CompareMode::Ne:
    return a != b;
  }
  return false;
}

class EveryIntrinsic : public testing::Test {
protected:
  std::vector<uint8_t> run(const IntrinsicInfo &info, TypeRow row, const Operands &given) {
    return apply(sim::bestHostLevel(), info.intrinsic, row, given.call, given.destination);
  }
  void expectElement(const IntrinsicInfo &info, TypeRow row, Number expected, const std::vector<uint8_t> &found,
                     int64_t index) {
    ASSERT_TRUE(agrees(info.intrinsic, row.destination, expected, found, index))
        << info.name << " of " << mlirTypeName(row.source) << " to " << mlirTypeName(row.destination) << ", element "
        << index << ": expected " << (isFloat(row.destination) ? expected.real : double(expected.whole))
        << ", found word " << std::hex << wordAt(found, elementSize(row.destination), index);
  }
  void expectWords(const IntrinsicInfo &info, TypeRow row, unsigned size, const std::vector<uint64_t> &expected,
                   const std::vector<uint8_t> &found) {
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(expected[i], wordAt(found, size, int64_t(i)))
          << info.name << " of " << mlirTypeName(row.source) << ", element " << i;
  }

  void checkLanes(const IntrinsicInfo &info, TypeRow row);
  void checkBits(const IntrinsicInfo &info, TypeRow row);
  void checkReduction(const IntrinsicInfo &info, TypeRow row);
  bool checkMove(const IntrinsicInfo &info, TypeRow row);
  bool checkOrder(const IntrinsicInfo &info, TypeRow row);

  std::set<std::string> checked;
};

} // namespace

void EveryIntrinsic::checkLanes(const IntrinsicInfo &info, TypeRow row) {
  std::vector<Number> scalars = {{0, 0}};
  if (takesScalar(info.form)) {
    const bool shifts = info.intrinsic == I::vshl || info.intrinsic == I::vshr;
    scalars = shifts ? std::vector<Number>{{0, 0}, {0, 5}, {0, 15}, {0, 40}}
                     : std::vector<Number>{{1.5, 3}, {-0.0, -7}, {INFINITY, 32767}, {NAN, 0}};
  }
  std::vector<RoundingMode> modes = {RoundingMode::None};
  if (info.form == Form::Cast)
    modes = findTarget("Ascend310B1")->castRoundings(row);
  unsigned seed = 1;
  for (Number scalar : scalars)
    for (RoundingMode mode : modes) {
      const int64_t count =
          std::min<int64_t>(kCount, kTile / std::max(elementSize(row.source), elementSize(row.destination)));
      Operands given = operandsOf(info, row, seed += 31, scalar, count);
      given.call.rounding = mode;
      const std::vector<uint8_t> found = run(info, row, given);
      for (int64_t i = 0; i < count; ++i) {
        const std::optional<Number> expected = laneOf(info.intrinsic, row, given, i);
        ASSERT_TRUE(expected) << info.name << " has no reference here";
        expectElement(info, row, *expected, found, i);
        if (HasFatalFailure())
          return;
      }
    }
}

void EveryIntrinsic::checkBits(const IntrinsicInfo &info, TypeRow row) {
  for (CompareMode mode :
       {CompareMode::Lt, CompareMode::Gt, CompareMode::Eq, CompareMode::Le, CompareMode::Ge, CompareMode::Ne}) {
    Operands given = operandsOf(info, row, 5 + unsigned(mode), {1.0, 1}, kCount);
    // Equal neighbours, too.
    std::copy_n(given.sources[0].begin(), 256, given.sources[1].begin());
    given.call.compare = mode;
    const std::vector<uint8_t> found = run(info, row, given);
    for (int64_t i = 0; i < kCount; ++i) {
      const double a = numberAt(given.sources[0], row.source, i).real;
      const double b = takesScalar(info.form) ? given.scalar.real : numberAt(given.sources[1], row.source, i).real;
      ASSERT_EQ(compares(mode, a, b), bitAt(found, i))
          << info.name << " " << compareModeName(mode) << " element " << i << ": " << a << ", " << b;
    }
  }
}

void EveryIntrinsic::checkReduction(const IntrinsicInfo &info, TypeRow row) {
  const bool sums = info.name.find("_sum") != std::string_view::npos;
  const bool most = info.name.find("_max") != std::string_view::npos;
  ASSERT_TRUE(sums || most || info.name.find("_min") != std::string_view::npos) << info.name;
  const int64_t lanes = kRepeatBytes / elementSize(row.source);
  const int64_t group = info.form == Form::Reduce         ? kCount
                        : info.form == Form::RepeatReduce ? lanes
                        : info.form == Form::BlockReduce  ? kBlockBytes / elementSize(row.source)
                                                          : 2;
  const int64_t count = info.form == Form::Reduce ? kCount : kCount / lanes * lanes;
  const Operands given = operandsOf(info, row, 3, {}, count);
  const std::vector<uint8_t> found = run(info, row, given);
  for (int64_t at = 0; at < count; at += group) {
    double result = sums ? 0.0 : most ? -INFINITY : INFINITY;
    for (int64_t i = at; i < std::min(at + group, count); ++i) {
      const double value = numberAt(given.sources[0], row.source, i).real;
      result = sums ? result + value : most ? larger(result, value) : smaller(result, value);
    }
    const Number element = numberAt(found, row.destination, at / group);
    ASSERT_EQ(element.real, result) << info.name << " group " << at / group;
  }
}

// Elements that change their place and nothing else.
bool EveryIntrinsic::checkMove(const IntrinsicInfo &info, TypeRow row) {
  const unsigned size = elementSize(row.source);
  const int64_t count = std::min<int64_t>(kCount, kTile / size);
  Operands given = operandsOf(info, row, 17, {1.5, 3}, count);
  auto source = [&](unsigned index, int64_t i) { return wordAt(given.sources[index], size, i); };
  std::vector<uint64_t> expected;
  std::vector<uint32_t> offsets(static_cast<size_t>(count));
  std::iota(offsets.begin(), offsets.end(), 0);
  std::shuffle(offsets.begin(), offsets.end(), std::mt19937(2));
  for (uint32_t &offset : offsets)
    offset *= size;
  switch (info.form) {
  case Form::Select:
  case Form::SelectScalar: {
    const APFloat scalar = [&] {
      APFloat value(given.scalar.real);
      bool loses = false;
      value.convert(semanticsOf(row.source), APFloat::rmNearestTiesToEven, &loses);
      return value;
    }();
    for (int64_t i = 0; i < count; ++i)
      expected.push_back(bitAt(given.sources[0], i)  ? source(1, i)
                         : info.form == Form::Select ? source(2, i)
                                                     : bitsOf(scalar));
    break;
  }
  case Form::Gather:
    given.call.sources[1] = offsets.data();
    for (uint32_t offset : offsets)
      expected.push_back(source(0, offset / size));
    break;
  case Form::Scatter:
    given.call.sources[1] = offsets.data();
    expected.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      expected[offsets[size_t(i)] / size] = source(0, i);
    break;
  case Form::GatherMask:
    for (int64_t i = 0; i < count; ++i)
      if (bitAt(given.sources[0], i))
        expected.push_back(source(1, i));
    break;
  case Form::GatherPattern:
    for (int number = 1; number <= 7; ++number) {
      given.call.pattern = GatherPattern(number);
      expected.clear();
      for (int64_t i = 0; i < count; ++i)
        if (number == 7 || (number <= 2 ? i % 2 == number - 1 : i % 4 == number - 3))
          expected.push_back(source(0, i));
      expectWords(info, row, size, expected, run(info, row, given));
    }
    return true;
  case Form::Transpose:
    given.call.count = 256;
    for (int64_t i = 0; i < 256; ++i)
      expected.push_back(source(0, i % 16 * 16 + i / 16));
    break;
  case Form::ChannelsLast: {
    // Rows of one block, a channel each.
    const int64_t channels = size == 1 ? 32 : 16, points = 32 / size;
    given.call.count = channels * points;
    for (int64_t i = 0; i < channels * points; ++i)
      expected.push_back(source(0, i % channels * points + i / channels));
    break;
  }
  default:
    return false;
  }
  expectWords(info, row, size, expected, run(info, row, given));
  return true;
}

// Pairs of a score and an index, from the largest score down.
bool EveryIntrinsic::checkOrder(const IntrinsicInfo &info, TypeRow row) {
  if (info.form != Form::Sort && info.form != Form::Merge)
    return false;
  const unsigned size = elementSize(row.source);
  struct Pair {
    double score;
    uint64_t word;
    uint32_t index;
  };
  std::mt19937 random(11);
  auto draw = [&](uint32_t index) {
    const double score = rounded(double(int(random() % 60000) - 30000) / 4, row.source);
    APFloat value(score);
    bool loses = false;
    value.convert(semanticsOf(row.source), APFloat::rmNearestTiesToEven, &loses);
    return Pair{score, bitsOf(value), index};
  };
  auto byScore = [](const Pair &a, const Pair &b) { return a.score > b.score; };
  auto append = [&](std::vector<uint8_t> &bytes, const Pair &pair) {
    uint8_t text[kPairBytes] = {};
    std::memcpy(text, &pair.word, size);
    std::memcpy(text + 4, &pair.index, 4);
    bytes.insert(bytes.end(), text, text + kPairBytes);
  };
  std::vector<uint8_t> expected;
  Operands given = operandsOf(info, row, 13, {}, 0);
  if (info.form == Form::Sort) {
    std::vector<uint32_t> indices;
    for (uint32_t group = 0; group < 3; ++group) {
      std::vector<Pair> pairs;
      for (uint32_t i = 0; i < kSortElements; ++i) {
        pairs.push_back(draw(uint32_t(random())));
        std::memcpy(given.sources[0].data() + indices.size() * size, &pairs.back().word, size);
        indices.push_back(pairs.back().index);
      }
      std::stable_sort(pairs.begin(), pairs.end(), byScore);
      for (const Pair &pair : pairs)
        append(expected, pair);
    }
    given.call.sources[1] = indices.data();
    given.call.count = int64_t(indices.size());
    const auto found = run(info, row, given);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin())) << info.name;
    return true;
  }
  std::vector<Pair> all;
  const int64_t elements = kPairBytes / size;
  for (unsigned list = 0; list < 3; ++list) {
    std::vector<Pair> pairs;
    for (unsigned i = 0; i < 5 + 4 * list; ++i)
      pairs.push_back(draw(list * 100 + i));
    std::stable_sort(pairs.begin(), pairs.end(), byScore);
    std::vector<uint8_t> bytes;
    for (const Pair &pair : pairs)
      append(bytes, pair);
    std::copy(bytes.begin(), bytes.end(), given.sources[list].begin());
    given.call.lengths[list] = int64_t(pairs.size()) * elements;
    given.call.count += given.call.lengths[list];
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  given.call.sources[3] = nullptr;
  std::stable_sort(all.begin(), all.end(), byScore);
  for (const Pair &pair : all)
    append(expected, pair);
  const auto found = run(info, row, given);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin())) << info.name;
  return true;
}

// Without it a row of types that no operator uses yet, or a new one, may compute anything.
TEST_F(EveryIntrinsic, ComputesWhatItsNameSays) {
  size_t rows = 0;
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow row : info.types) {
      ++rows;
      const std::string name = std::string(info.name) + " " + std::string(mlirTypeName(row.source)) + ">" +
                               std::string(mlirTypeName(row.destination));
      SCOPED_TRACE(name);
      if (worksByLane(info.form))
        checkLanes(info, row);
      else if (writesMask(info.form))
        checkBits(info, row);
      else if (info.form == Form::Reduce || info.form == Form::RepeatReduce || info.form == Form::BlockReduce ||
               info.form == Form::PairReduce)
        checkReduction(info, row);
      else if (!checkMove(info, row) && !checkOrder(info, row))
        FAIL() << "a form without a reference here";
      if (HasFatalFailure())
        return;
      checked.insert(name);
    }
  EXPECT_EQ(checked.size(), rows);
  EXPECT_GE(rows, allIntrinsics().size());
}
