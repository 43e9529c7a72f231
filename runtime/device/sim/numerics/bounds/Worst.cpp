// The ends of intervals: each function is computed in double, whose 53 digits distinguish the numbers of 24 or 11
// digits on both sides of the exact value, and then moved outwards by the bound.

#include "runtime/device/sim/numerics/bounds/Worst.h"

#include "runtime/device/sim/numerics/Elementary.h"

#include <cmath>

namespace opc::sim {

/// SplitMix64's finisher: every bit of the result depends on every bit of the argument.
static uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

bool Draw::takesOther(OpenChoice choice) const {
  return (seed / 4 & choice) == 0;
}

bool Draw::takesHigh(int64_t element, uint64_t resultBits) const {
  switch (seed % 4) {
  case 0:
    return false;
  case 1:
    return true;
  case 2:
    return mix(mix(seed) ^ instruction) & 1;
  default:
    return mix(mix(mix(seed) ^ instruction) ^ uint64_t(element) ^ resultBits << 32) & 1;
  }
}

namespace {
/// Digits after the leading one, and exponents of normal numbers.
struct Format {
  int digits, least, most;
};
} // namespace

static Format formatOf(ElementType type) {
  return type == ElementType::Float16 ? Format{10, -14, 15} : Format{23, -126, 127};
}

double endOfInterval(const Accuracy &accuracy, ElementType type, double value, bool high) {
  const Format format = formatOf(type);
  const double size = std::fabs(value);
  // Just above a power of two take the smaller unit below it: a double does not show on which side of the power of
  // two the exact value is.
  int exponent = 0;
  std::frexp(size * (1 - 0x1p-40), &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 1, format.least) - format.digits);
  // exp and ln have exact results in the type only at 0 and 1, so the bound is never reached exactly; the error of
  // the double must not move a result past the bound.
  const bool inexact = accuracy.intrinsic == Intrinsic::vexp || accuracy.intrinsic == Intrinsic::vln;
  const double bound = accuracy.boundOf(type) * (inexact ? 1 - 0x1p-30 : 1);
  const double width = accuracy.measure == ErrorMeasure::Ulps ? bound * unit : bound * size;
  // Whether the end is away from zero; both ends keep the sign.
  const bool outwards = high == (value > 0);
  const double end = outwards ? size + width : std::max(size - width, 0.0);
  // The last number inside the interval, among the numbers of the end's binade.
  std::frexp(end, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 1, format.least) - format.digits);
  double found = outwards ? std::floor(end / step) * step : std::ceil(end / step) * step;
  // The sum may have been rounded to a number past the end; differences of neighbours are exact.
  if (std::fabs(found - size) > width)
    found -= outwards ? step : -step;
  // Past the largest number the end is infinity if the nearest number to it is.
  const double largest = std::ldexp(2.0 - std::ldexp(1.0, -format.digits), format.most);
  const double half = std::ldexp(1.0, format.most - format.digits - 1);
  if (found > largest)
    found = end >= largest + half ? HUGE_VAL : largest;
  return value < 0 ? -found : found;
}

/// The exact value, for the six functions with an interval.
static double exactValue(Intrinsic intrinsic, double a, double b) {
  switch (intrinsic) {
  case Intrinsic::vdiv:
    return a / b;
  case Intrinsic::vsqrt:
    return std::sqrt(a);
  case Intrinsic::vrsqrt:
    return 1.0 / std::sqrt(a);
  case Intrinsic::vrec:
    return 1.0 / a;
  case Intrinsic::vexp:
    // expOf bounds its argument.
    return std::isinf(a) ? (a > 0 ? a : 0.0) : expOf(float(a));
  default:
    return lnOf(float(a));
  }
}

namespace {
/// Conversions of elements to double and back.
template <typename Bits> struct Element;
template <> struct Element<uint16_t> {
  static constexpr ElementType type = ElementType::Float16;
  static double read(uint16_t bits) { return toFloat(Half{bits}); }
  static uint16_t write(double value) { return toHalf(value).bits; }
  static constexpr uint16_t infinity = kHalfInfinity, nan = kHalfNaN, smallest = 0x0400;
};
template <> struct Element<uint32_t> {
  static constexpr ElementType type = ElementType::Float32;
  static double read(uint32_t bits) { return floatFromBits(bits); }
  static uint32_t write(double value) { return floatBits(float(value)); }
  static constexpr uint32_t infinity = 0x7f800000u, nan = 0x7fc00000u, smallest = 0x00800000u;
};
} // namespace

template <typename Bits> static void atTheEnds(const Accuracy &accuracy, const VectorCall &call, const Draw &draw) {
  using Of = Element<Bits>;
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  const bool flushes = accuracy.leavesOpen(Subnormals) && draw.takesOther(Subnormals);
  const bool saturates = sizeof(Bits) == 2 && accuracy.leavesOpen(Overflow) && draw.takesOther(Overflow);
  auto flushed = [&](Bits bits) -> Bits {
    return flushes && Bits(bits & Bits(~sign)) < Of::smallest ? Bits(bits & sign) : bits;
  };
  // A second source of another length has a block for each row, whose lanes repeat along the row.
  constexpr int64_t lanes = kBlockBytes / int64_t(sizeof(Bits));
  const bool rows = call.sources[1] && call.lengths[1] != 0 && call.lengths[1] != call.count;
  const int64_t length = rows ? call.count / (call.lengths[1] / lanes) : 1;
  const auto *lhs = static_cast<const Bits *>(call.sources[0]);
  const auto *rhs = static_cast<const Bits *>(call.sources[1]);
  auto *to = static_cast<Bits *>(call.destination);
  for (int64_t i = 0; i < call.count; ++i) {
    const int64_t j = rows ? i / length * lanes + i % length % lanes : i;
    const double value =
        exactValue(accuracy.intrinsic, Of::read(flushed(lhs[i])), rhs ? Of::read(flushed(rhs[j])) : 0.0);
    Bits result = value != value ? Bits(Of::nan) : Of::write(value);
    const bool isFinite = value - value == 0;
    const Bits magnitude = Bits(result & Bits(~sign));
    if (isFinite && magnitude != 0 && magnitude != Of::infinity)
      result = Of::write(endOfInterval(accuracy, Of::type, value, draw.takesHigh(i, result)));
    if (saturates && isFinite && Bits(result & Bits(~sign)) == Of::infinity)
      --result;
    to[i] = flushed(result);
  }
}

void performWorst(Intrinsic intrinsic, TypeRow types, const VectorCall &call, VectorFunction exact, const Draw &draw) {
  const Accuracy &accuracy = accuracyOf(intrinsic);
  if (accuracy.isInterval())
    return types.destination == ElementType::Float16 ? atTheEnds<uint16_t>(accuracy, call, draw)
                                                     : atTheEnds<uint32_t>(accuracy, call, draw);
  VectorCall drawn = call;
  drawn.fused = accuracy.leavesOpen(Fusion) && draw.takesOther(Fusion);
  VectorFunction saturating = draw.takesOther(Overflow) ? findSaturatingFunction(intrinsic, types) : nullptr;
  (saturating ? saturating : exact)(drawn);
}

} // namespace opc::sim
