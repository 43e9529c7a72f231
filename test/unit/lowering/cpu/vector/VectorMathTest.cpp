// How far the functions of f32 are from the truth: a sweep over all floats against double
// precision, in units of the last place of the true result, and all values of half. The bounds are
// those that docs/rationale/cpu.md states.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/target/Half.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {

struct Function {
  const char *name;
  const char *operation; ///< on %a : f32
  double (*exact)(double);
  double ulp;      ///< largest error
  double absolute; ///< errors below this do not count: the function may flush there
};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double swish(double x) {
  return x / (1 + std::exp(-x));
}
double gelu(double x) {
  return x * std::erfc(-x / std::sqrt(2.0)) / 2;
}
double geluTanh(double x) {
  return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double rsqrt(double x) {
  return 1 / std::sqrt(x);
}

const Function kFunctions[] = {
    {"exp", "math.exp %a : f32", std::exp, 1.1, 0},
    {"log", "math.log %a : f32", std::log, 1.0, 0},
    {"tanh", "math.tanh %a : f32", std::tanh, 2.0, 0},
    {"erf", "math.erf %a : f32", std::erf, 2.0, 0},
    {"sqrt", "math.sqrt %a : f32", std::sqrt, 0.5, 0},
    {"rsqrt", "math.rsqrt %a : f32", rsqrt, 1.5, 0},
    {"sigmoid", "te.sigmoid %a", sigmoid, 2.25, 0x1p-124},
    {"swish", "te.swish %a, %one", swish, 2.5, 0x1p-118},
    {"gelu", "te.gelu erf %a", gelu, 7.0, 0x1p-118},
    // The argument of its exponential is large where the result is small.
    {"gelu_tanh", "te.gelu tanh %a", geluTanh, 128.0, 0x1p-118},
};

class VectorMath : public ::testing::TestWithParam<std::string> {};

/// Distance in units of the last place of the true result.
double ulps(float found, double exact, double absolute) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : INFINITY;
  if (std::isinf(found) || std::abs(exact) > 0x1.ffffffp127)
    return std::isinf(found) && std::abs(exact) >= 0x1.fffffep127 && (found > 0) == (exact > 0)
               ? 0
               : INFINITY;
  double error = std::abs(double(found) - exact);
  if (error <= absolute)
    return 0;
  int exponent = std::max(std::ilogb(exact), -126);
  return error / std::ldexp(1.0, exponent - 23);
}

} // namespace

TEST_P(VectorMath, ErrorsOverAllFloats) {
  std::string text;
  for (const Function &function : kFunctions)
    text += flatKernel(function.name, {"f32", "f32"},
                       "%a = arith.addf %0, %negative : f32\n"
                       "%y = " +
                           std::string(function.operation));
  // Adding -0 changes nothing and keeps the operand's name out of the table above.
  size_t at = 0;
  while ((at = text.find("%c0 = ", at)) != std::string::npos) {
    std::string constants =
        "%negative = arith.constant -0.0 : f32\n%one = arith.constant 1.0 : f32\n";
    text.insert(at, constants);
    at += constants.size() + 6;
  }
  VectorHarness harness(text, {"x", "y"}, {"block_num", "size0"}, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  // Every 509th bit pattern: 8.4 million floats, all exponents and signs.
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 509)
    x.push_back(floatFromBits(uint32_t(bits)));
  for (uint32_t special :
       {0x0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x1u, 0x7f7fffffu})
    x.push_back(floatFromBits(special));
  std::vector<float> y(x.size());
  int64_t n = int64_t(x.size());
  for (const Function &function : kFunctions) {
    ASSERT_EQ(harness.run(function.name, {tensor(x), tensor(y)}, {1, n}), 0);
    double worst = 0;
    float where = 0;
    for (int64_t i = 0; i < n; ++i) {
      bool formula =
          std::string(function.name) == "swish" || std::string(function.name).find("gelu") == 0;
      // At -infinity a product of infinity and 0: each form has an answer of its own.
      if (formula && std::isinf(x[i]))
        continue;
      double error = ulps(y[i], function.exact(x[i]), function.absolute);
      if (error > worst) {
        worst = error;
        where = x[i];
      }
    }
    RecordProperty(function.name, std::to_string(worst));
    EXPECT_LE(worst, function.ulp) << function.name << " at " << where;
    printf("%s %s: %.3f ulp at %a\n", GetParam().c_str(), function.name, worst, double(where));
  }
}

// Half through f32: the nearest half of a result that is within 2 ulp of f32 is at most one off,
// and rarely.
TEST_P(VectorMath, AllHalves) {
  std::string text;
  for (const char *operation : {"exp", "log", "tanh", "erf"})
    text += flatKernel(operation, {"f16", "f16"},
                       "%a = arith.extf %0 : f16 to f32\n%b = math." + std::string(operation) +
                           " %a : f32\n%y = arith.truncf %b : f32 to f16");
  VectorHarness harness(text, {"x", "y"}, {"block_num", "size0"}, {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::vector<uint16_t> x(65536), y(65536);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = uint16_t(i);
  for (const Function &function : kFunctions) {
    if (std::string(function.name) == "sqrt")
      break;
    ASSERT_EQ(harness.run(function.name, {tensor(x), tensor(y)}, {1, 65536}), 0);
    int differ = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      double exact = function.exact(toFloat(Half{x[i]}));
      float found = toFloat(Half{y[i]}), nearest = toFloat(toHalf(float(exact)));
      if (std::isnan(exact)) {
        EXPECT_TRUE(std::isnan(found)) << function.name << " " << i;
        continue;
      }
      if (found == nearest)
        continue;
      ++differ;
      int apart = std::abs(int(y[i]) - int(toHalf(float(exact)).bits));
      EXPECT_EQ(apart, 1) << function.name << " " << i;
    }
    EXPECT_LE(differ, 8) << function.name;
    printf("%s %s: %d of 65536 halves differ by one\n", GetParam().c_str(), function.name, differ);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorMath, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
