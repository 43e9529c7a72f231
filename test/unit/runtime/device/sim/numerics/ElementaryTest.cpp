// Square roots, exp and ln against MPFR: every half correctly rounded, floats within the ulp that Semantics.h states.

#include "runtime/device/sim/Semantics.h"
#include "test/unit/runtime/device/sim/numerics/Numbers.h"

#include <mpfr.h>

#include <cmath>

using namespace opc;
using namespace opc::test;

namespace {

using Function = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

int squareRoot(mpfr_t r, const mpfr_t x, mpfr_rnd_t mode) {
  return mpfr_sqrt(r, x, mode);
}
/// IEEE 754's rSqrt keeps the sign of a zero, MPFR's does not.
int reciprocalRoot(mpfr_t r, const mpfr_t x, mpfr_rnd_t mode) {
  if (!mpfr_zero_p(x))
    return mpfr_rec_sqrt(r, x, mode);
  mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
  return 0;
}
int exponential(mpfr_t r, const mpfr_t x, mpfr_rnd_t mode) {
  return mpfr_exp(r, x, mode);
}
int logarithm(mpfr_t r, const mpfr_t x, mpfr_rnd_t mode) {
  return mpfr_log(r, x, mode);
}

/// f(x) in 120 bits.
class Exact {
public:
  Exact() { mpfr_inits2(120, value, argument, nullptr); }
  ~Exact() { mpfr_clears(value, argument, nullptr); }
  void compute(Function function, float x) {
    mpfr_set_flt(argument, x, MPFR_RNDN);
    function(value, argument, MPFR_RNDN);
  }
  /// Rounded to odd in 53 bits: one more rounding to half is then exact.
  double odd() {
    double toZero = mpfr_get_d(value, MPFR_RNDZ);
    if (mpfr_cmp_d(value, toZero) == 0 || std::isnan(toZero))
      return toZero;
    uint64_t bits;
    std::memcpy(&bits, &toZero, 8);
    bits |= 1;
    std::memcpy(&toZero, &bits, 8);
    return toZero;
  }
  /// Distance in ulps of the float next to the exact value.
  double ulps(float found) {
    const float nearest = mpfr_get_flt(value, MPFR_RNDN);
    if (std::isnan(nearest) || std::isinf(nearest) || std::isnan(found) || std::isinf(found))
      return (std::isnan(nearest) && std::isnan(found)) || nearest == found ? 0 : INFINITY;
    const double ulp =
        std::max(std::ldexp(1.0, std::ilogb(nearest == 0 ? 1e-40f : nearest) - 23), std::ldexp(1.0, -149));
    mpfr_sub_d(argument, value, double(found), MPFR_RNDN);
    return std::fabs(mpfr_get_d(argument, MPFR_RNDN)) / ulp;
  }

private:
  mpfr_t value, argument;
};

void checkHalf(Intrinsic intrinsic, Function function) {
  const std::vector<uint16_t> all = allWords<uint16_t>();
  std::vector<uint16_t> expected(all.size());
  Exact exact;
  for (size_t i = 0; i < all.size(); ++i) {
    exact.compute(function, toFloat(Half{all[i]}));
    expected[i] = toHalf(exact.odd()).bits;
  }
  VectorCall call;
  call.sources[0] = all.data();
  call.count = int64_t(all.size());
  for (HostLevel level : hostLevels()) {
    const auto found =
        apply(level, intrinsic, {ElementType::Float16, ElementType::Float16}, call, std::vector<uint16_t>(all.size()));
    for (size_t i = 0; i < all.size(); ++i)
      ASSERT_TRUE(same(ElementType::Float16, expected[i], found[i]))
          << intrinsicInfo(intrinsic).name << " of " << std::hex << i;
  }
}

/// Every `step`-th bit pattern. Returns the worst distance.
double worstFloat(Intrinsic intrinsic, Function function, uint64_t step) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits <= 0xffffffffu; bits += step)
    x.push_back(floatFromBits(uint32_t(bits)));
  for (float border : {0.0f, -0.0f, 1.0f, INFINITY, -INFINITY, NAN, 88.72283f, 88.722840f, -87.33655f, -103.97208f,
                       -103.97209f, 1e-45f})
    x.push_back(border);
  VectorCall call;
  call.sources[0] = x.data();
  call.count = int64_t(x.size());
  const TypeRow row{ElementType::Float32, ElementType::Float32};
  const auto found = apply(HostLevel::Plain, intrinsic, row, call, std::vector<uint32_t>(x.size()));
  for (HostLevel level : hostLevels())
    EXPECT_EQ(apply(level, intrinsic, row, call, std::vector<uint32_t>(x.size())), found) << hostLevelName(level);
  Exact exact;
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    exact.compute(function, x[i]);
    const double distance = exact.ulps(floatFromBits(found[i]));
    if (distance > worst)
      worst = distance;
  }
  return worst;
}

} // namespace

// f16 results are stated to be correctly rounded: one wrong value of 65,536 is a broken promise.
TEST(Elementary, HalfIsCorrectlyRounded) {
  checkHalf(Intrinsic::vsqrt, squareRoot);
  checkHalf(Intrinsic::vrsqrt, reciprocalRoot);
  checkHalf(Intrinsic::vexp, exponential);
  checkHalf(Intrinsic::vln, logarithm);
}

// The stated bounds hold over the whole range, subnormal arguments and results included, and on every level alike.
TEST(Elementary, FloatKeepsItsBound) {
  const double exp = worstFloat(Intrinsic::vexp, exponential, 4999);
  const double ln = worstFloat(Intrinsic::vln, logarithm, 4999);
  const double rsqrt = worstFloat(Intrinsic::vrsqrt, reciprocalRoot, 4999);
  const double sqrt = worstFloat(Intrinsic::vsqrt, squareRoot, 4999);
  std::cout << "worst ulp: exp " << exp << ", ln " << ln << ", rsqrt " << rsqrt << ", sqrt " << sqrt << "\n";
  EXPECT_LE(exp, sim::kElementaryUlp);
  EXPECT_LE(ln, sim::kElementaryUlp);
  EXPECT_LE(rsqrt, sim::kElementaryUlp);
  EXPECT_LE(sqrt, 0.5);
}
