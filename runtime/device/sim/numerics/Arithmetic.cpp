// Arithmetic: add, sub, mul, div, max, min, with a vector or a scalar; abs, relu, leaky relu, square root, reciprocals.
//
// Half is computed in float and rounded once. For add, sub, mul, div and square root this gives the correctly rounded
// half, since float has at least twice the digits of half plus two. Integers wrap around.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

template <typename T> struct Unsigned {
  using Type = T;
};
template <> struct Unsigned<int16_t> {
  using Type = uint32_t;
};
template <> struct Unsigned<int32_t> {
  using Type = uint32_t;
};
template <typename T> using UnsignedType = typename Unsigned<T>::Type;

struct Add {
  static float apply(float a, float b) { return oneNaN(a + b); }
  template <typename T> static T apply(T a, T b) { return T(UnsignedType<T>(a) + UnsignedType<T>(b)); }
};

struct Sub {
  static float apply(float a, float b) { return oneNaN(a - b); }
  template <typename T> static T apply(T a, T b) { return T(UnsignedType<T>(a) - UnsignedType<T>(b)); }
};

struct Mul {
  static float apply(float a, float b) { return oneNaN(a * b); }
  template <typename T> static T apply(T a, T b) { return T(UnsignedType<T>(a) * UnsignedType<T>(b)); }
};

struct Div {
  static float apply(float a, float b) { return oneNaN(a / b); }
};

struct Max {
  static float apply(float a, float b) { return maxOf(a, b); }
  template <typename T> static T apply(T a, T b) { return a > b ? a : b; }
};

struct Min {
  static float apply(float a, float b) { return minOf(a, b); }
  template <typename T> static T apply(T a, T b) { return a < b ? a : b; }
};

struct Relu {
  static float apply(float a) { return reluOf(a); }
  static int32_t apply(int32_t a) { return a > 0 ? a : 0; }
};

struct AddRelu {
  static float apply(float a, float b) { return reluOf(a + b); }
};

struct SubRelu {
  static float apply(float a, float b) { return reluOf(a - b); }
};

struct Abs {
  static float apply(float a) { return oneNaN(floatFromBits(floatBits(a) & 0x7fffffffu)); }
  static int16_t apply(int16_t a) { return int16_t(a < 0 ? 0u - uint32_t(a) : uint32_t(a)); }
};

/// Exact; infinities and zeros do not change.
struct Floor {
  static float apply(float a) { return oneNaN(__builtin_floorf(a)); }
};

struct LeakyRelu {
  static float apply(float a, float slope) { return oneNaN(a > 0 ? a : a * slope); }
};

struct Sqrt {
  static float apply(float a) { return oneNaN(__builtin_sqrtf(a)); }
};

struct Reciprocal {
  static float apply(float a) { return oneNaN(1.0f / a); }
};

/// Computed in double, so that the roundings before the last do not affect the result.
struct Rsqrt {
  static float apply(float a) { return oneNaN(float(1.0 / __builtin_sqrt(double(a)))); }
};

// For half the double is rounded once.
void rsqrtHalf(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock];
    load<Half>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = oneNaN(toFloatOdd(1.0 / __builtin_sqrt(double(a[i]))));
    store<Half>(a, call.destination, index, lanes);
  });
}

/// dst[i] = Op(src0[i], src1[i]). When src1 has another length, it has a block for each row, whose lanes repeat along
/// the row.
template <typename T, typename Op> void onTilesOrRows(const VectorCall &call) {
  if (call.lengths[1] == 0 || call.lengths[1] == call.count)
    return binary<T, T, Op>(call);
  constexpr int64_t lanesOfBlock = kBlockBytes / int64_t(sizeof(T));
  const int64_t rows = call.lengths[1] / lanesOfBlock;
  const int64_t length = rows == 0 ? 0 : call.count / rows;
  for (int64_t row = 0; row < rows; ++row) {
    T repeated[kBlock];
    ComputedType<T> b[kBlock];
    for (int64_t i = 0; i < kBlock; i += lanesOfBlock)
      std::memcpy(repeated + i, static_cast<const T *>(call.sources[1]) + row * lanesOfBlock, size_t(kBlockBytes));
    widen(repeated, b);
    forEachBlock(length, [&](int64_t index, int64_t lanes) {
      ComputedType<T> a[kBlock], r[kBlock];
      load<T>(call.sources[0], row * length + index, lanes, a);
      for (int64_t i = 0; i < kBlock; ++i)
        r[i] = Op::apply(a[i], b[i]);
      store<T>(r, call.destination, row * length + index, lanes);
    });
  }
}

const VectorEntry kTable[] = {
    entry<int16_t>(Intrinsic::vadd, onTilesOrRows<int16_t, Add>),
    entry<Half>(Intrinsic::vadd, onTilesOrRows<Half, Add>),
    entry<int32_t>(Intrinsic::vadd, onTilesOrRows<int32_t, Add>),
    entry<float>(Intrinsic::vadd, onTilesOrRows<float, Add>),
    entry<int16_t>(Intrinsic::vsub, onTilesOrRows<int16_t, Sub>),
    entry<Half>(Intrinsic::vsub, onTilesOrRows<Half, Sub>),
    entry<int32_t>(Intrinsic::vsub, onTilesOrRows<int32_t, Sub>),
    entry<float>(Intrinsic::vsub, onTilesOrRows<float, Sub>),
    entry<int16_t>(Intrinsic::vmul, onTilesOrRows<int16_t, Mul>),
    entry<Half>(Intrinsic::vmul, onTilesOrRows<Half, Mul>),
    entry<int32_t>(Intrinsic::vmul, onTilesOrRows<int32_t, Mul>),
    entry<float>(Intrinsic::vmul, onTilesOrRows<float, Mul>),
    entry<Half>(Intrinsic::vdiv, onTilesOrRows<Half, Div>),
    entry<float>(Intrinsic::vdiv, onTilesOrRows<float, Div>),
    entry<int16_t>(Intrinsic::vmax, onTilesOrRows<int16_t, Max>),
    entry<Half>(Intrinsic::vmax, onTilesOrRows<Half, Max>),
    entry<int32_t>(Intrinsic::vmax, onTilesOrRows<int32_t, Max>),
    entry<float>(Intrinsic::vmax, onTilesOrRows<float, Max>),
    entry<int16_t>(Intrinsic::vmin, onTilesOrRows<int16_t, Min>),
    entry<Half>(Intrinsic::vmin, onTilesOrRows<Half, Min>),
    entry<int32_t>(Intrinsic::vmin, onTilesOrRows<int32_t, Min>),
    entry<float>(Intrinsic::vmin, onTilesOrRows<float, Min>),

    entry<int16_t>(Intrinsic::vadds, withScalar<int16_t, int16_t, Add>),
    entry<Half>(Intrinsic::vadds, withScalar<Half, Half, Add>),
    entry<int32_t>(Intrinsic::vadds, withScalar<int32_t, int32_t, Add>),
    entry<float>(Intrinsic::vadds, withScalar<float, float, Add>),
    entry<int16_t>(Intrinsic::vmuls, withScalar<int16_t, int16_t, Mul>),
    entry<Half>(Intrinsic::vmuls, withScalar<Half, Half, Mul>),
    entry<int32_t>(Intrinsic::vmuls, withScalar<int32_t, int32_t, Mul>),
    entry<float>(Intrinsic::vmuls, withScalar<float, float, Mul>),
    entry<int16_t>(Intrinsic::vmaxs, withScalar<int16_t, int16_t, Max>),
    entry<Half>(Intrinsic::vmaxs, withScalar<Half, Half, Max>),
    entry<int32_t>(Intrinsic::vmaxs, withScalar<int32_t, int32_t, Max>),
    entry<float>(Intrinsic::vmaxs, withScalar<float, float, Max>),
    entry<int16_t>(Intrinsic::vmins, withScalar<int16_t, int16_t, Min>),
    entry<Half>(Intrinsic::vmins, withScalar<Half, Half, Min>),
    entry<int32_t>(Intrinsic::vmins, withScalar<int32_t, int32_t, Min>),
    entry<float>(Intrinsic::vmins, withScalar<float, float, Min>),
    entry<Half>(Intrinsic::vleakyrelu, withScalar<Half, Half, LeakyRelu>),
    entry<float>(Intrinsic::vleakyrelu, withScalar<float, float, LeakyRelu>),

    entry<Half>(Intrinsic::vrelu, unary<Half, Half, Relu>),
    entry<int32_t>(Intrinsic::vrelu, unary<int32_t, int32_t, Relu>),
    entry<float>(Intrinsic::vrelu, unary<float, float, Relu>),
    entry<int16_t>(Intrinsic::vabs, unary<int16_t, int16_t, Abs>),
    entry<Half>(Intrinsic::vabs, unary<Half, Half, Abs>),
    entry<float>(Intrinsic::vabs, unary<float, float, Abs>),
    entry<Half>(Intrinsic::vfloor, unary<Half, Half, Floor>),
    entry<float>(Intrinsic::vfloor, unary<float, float, Floor>),
    entry<Half>(Intrinsic::vsqrt, unary<Half, Half, Sqrt>),
    entry<float>(Intrinsic::vsqrt, unary<float, float, Sqrt>),
    entry<Half>(Intrinsic::vrsqrt, rsqrtHalf),
    entry<float>(Intrinsic::vrsqrt, unary<float, float, Rsqrt>),
    entry<Half>(Intrinsic::vrec, unary<Half, Half, Reciprocal>),
    entry<float>(Intrinsic::vrec, unary<float, float, Reciprocal>),

    // Relu and rounding commute, so one rounding is enough for both steps.
    entry<Half>(Intrinsic::vaddrelu, binary<Half, Half, AddRelu>),
    entry<float>(Intrinsic::vaddrelu, binary<float, float, AddRelu>),
    entry<Half>(Intrinsic::vsubrelu, binary<Half, Half, SubRelu>),
    entry<float>(Intrinsic::vsubrelu, binary<float, float, SubRelu>),
};

} // namespace

VectorTable arithmeticTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL
