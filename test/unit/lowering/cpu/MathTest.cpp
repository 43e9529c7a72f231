// exp and log of f32, as kernels compute them, against the double functions of the C library over the whole range.
//
// The error is counted in ulps of the true result's binade; below the smallest normal number an ulp is the smallest
// number. The sweep takes every 1021st bit pattern, a prime, so that all exponents and low bits are met.

#include "test/unit/lowering/cpu/CpuHarness.h"

#include "runtime/target/Half.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {

double ulpOf(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

class Math : public ::testing::Test {
protected:
  static std::string unary(const char *op) {
    std::string t = tileType("f32");
    return kernelOver({"f32", "f32"}, std::string("aicore.") + op + " ins(%t0 : " + t + ") outs(%t1 : " + t + ")");
  }

  std::vector<float> run(CpuHarness &harness, std::vector<float> &x) {
    std::vector<float> y(x.size());
    bool done =
        harness.launch({operand(ElementType::Float32, x), operand(ElementType::Float32, y)}, {1, int64_t(x.size())});
    EXPECT_TRUE(done) << harness.errors();
    return y;
  }

  /// The largest error over the patterns from `first` on, in steps of `step`.
  double worst(const char *op, double (*reference)(double), uint32_t step) {
    CpuHarness harness(unary(op), 2, 2);
    EXPECT_TRUE(harness.ready()) << harness.errors();
    double largest = 0;
    std::vector<float> x;
    auto flush = [&] {
      std::vector<float> y = run(harness, x);
      for (size_t i = 0; i < x.size(); ++i) {
        double expected = reference(x[i]);
        float rounded = float(expected);
        if (std::isnan(expected) || std::isinf(rounded) || expected == 0) {
          bool same = std::isnan(expected) ? std::isnan(y[i]) : y[i] == rounded;
          EXPECT_TRUE(same) << op << "(" << x[i] << ") = " << y[i] << ", expected " << rounded;
          continue;
        }
        largest = std::max(largest, std::fabs(double(y[i]) - expected) / ulpOf(expected));
      }
      x.clear();
    };
    for (uint64_t bits = 0; bits <= 0xffffffffu; bits += step) {
      x.push_back(floatFromBits(uint32_t(bits)));
      if (x.size() == 65536)
        flush();
    }
    flush();
    RecordProperty("worst_ulp", std::to_string(largest));
    return largest;
  }
};

} // namespace

// The bounds are what the formulas reach, hardly more: a looser one let log lose the low part of ln 2. What breaks
// without it: a wrong coefficient, a lost bit of the argument's reduction, a factor 2^k that is one off.
TEST_F(Math, ExpIsWithinItsBound) {
  EXPECT_LT(worst("vexp", std::exp, 1021), 1.05);
}
TEST_F(Math, LogIsWithinItsBound) {
  EXPECT_LT(worst("vln", std::log, 1021), 0.8);
}

// What breaks without it: the values at which the formula ends and a selection takes over.
TEST_F(Math, SpecialValues) {
  const float infinity = INFINITY, smallest = floatFromBits(1);
  CpuHarness exp(unary("vexp"), 2, 2), log(unary("vln"), 2, 2);
  std::vector<float> x = {0.0f,   -0.0f,   infinity, -infinity, NAN,   88.7228f,
                          88.73f, -103.9f, -104.0f,  -87.5f,    1e30f, -1e30f};
  std::vector<float> y = run(exp, x);
  std::vector<float> expected = {1, 1, infinity, 0, NAN, std::exp(88.7228f), infinity, smallest, 0, 0, infinity, 0};
  for (size_t i = 0; i < x.size(); ++i)
    if (i == 4)
      EXPECT_TRUE(std::isnan(y[i]));
    else if (i != 5 && i != 9)
      EXPECT_EQ(y[i], expected[i]) << x[i];
  EXPECT_GT(y[9], 0) << "results below the smallest normal number are not flushed";

  x = {1.0f, 0.0f, -0.0f, infinity, -1.0f, -infinity, NAN, smallest};
  y = run(log, x);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], -infinity);
  EXPECT_EQ(y[2], -infinity);
  EXPECT_EQ(y[3], infinity);
  EXPECT_TRUE(std::isnan(y[4]) && std::isnan(y[5]) && std::isnan(y[6]));
  EXPECT_NEAR(y[7], -103.27893, 1e-5);
}
