// Least squares: constants that are in the data come out within their errors, the others are reported.

#include "tools/opc/target/Fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace opc::tool;

namespace {
/// measured = 100 n + 4 r + b / 20, with noise of a part of itself.
std::vector<Equation> copies(double noise, unsigned seed, bool manyRows) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<Equation> equations;
  for (int i = 0; i < 60; ++i) {
    const double n = 1 + i % 7, r = manyRows ? n * (1 + i % 11) : n, b = 1000.0 * (1 + i * i % 97);
    const double exact = 100 * n + 4 * r + b / 20;
    equations.push_back({{n, r, b, 0}, exact * (1 + normal(random)), 0});
  }
  return equations;
}
const std::vector<double> kAssumed = {80, 8, 1.0 / 17, 16};
} // namespace

TEST(Fit, FindsExactConstants) {
  const FitResult fit = fitLeastSquares(copies(0, 1, true), kAssumed);
  EXPECT_EQ(fit.rank, 3u);
  const double expected[] = {100, 4, 0.05};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(fit.unknowns[i].identifiable);
    EXPECT_NEAR(fit.unknowns[i].value, expected[i], 1e-6 * expected[i]);
  }
  EXPECT_LT(fit.residual, 1e-9);
}

// An error bar that is too small would be believed. Of 200 fits, 95 % have the truth within two standard errors when
// the bars are right; 90 to 99 % is what chance leaves.
TEST(Fit, ErrorBarsHoldTheTruth) {
  const double expected[] = {100, 4, 0.05};
  int within[3] = {};
  for (unsigned seed = 0; seed < 200; ++seed) {
    const FitResult fit = fitLeastSquares(copies(0.02, seed, true), kAssumed);
    for (size_t i = 0; i < 3; ++i)
      within[i] += std::abs(fit.unknowns[i].value - expected[i]) <= 2 * fit.unknowns[i].standardError;
  }
  for (int count : within) {
    EXPECT_GE(count, 180);
    EXPECT_LE(count, 199);
  }
}

// With one row a copy, start and row come together: neither is reported, both keep their values, and the rate, which is
// apart from them, is found.
TEST(Fit, WhatComesTogetherIsNotIdentifiable) {
  const FitResult fit = fitLeastSquares(copies(0, 1, false), {80, 8, 1.0 / 17, 16});
  EXPECT_EQ(fit.rank, 2u);
  EXPECT_FALSE(fit.unknowns[0].identifiable);
  EXPECT_FALSE(fit.unknowns[1].identifiable);
  EXPECT_EQ(fit.unknowns[0].value, 80);
  EXPECT_TRUE(fit.unknowns[2].identifiable);
  EXPECT_NEAR(fit.unknowns[2].value, 0.05, 1e-9);
}

// A figure that no row has anything to do with, and no rows at all.
TEST(Fit, WhatIsAbsentKeepsItsValue) {
  const FitResult fit = fitLeastSquares(copies(0.01, 3, true), kAssumed);
  EXPECT_FALSE(fit.unknowns[3].identifiable);
  EXPECT_EQ(fit.unknowns[3].value, 16);
  EXPECT_EQ(fitLeastSquares({}, kAssumed).rank, 0u);
}

// As many equations as unknowns leave no residual: a value, and no error bar that could be believed.
TEST(Fit, WithoutSpareEquationsTheErrorIsUnknown) {
  const FitResult fit = fitLeastSquares({{{2}, 200, 0}}, {80});
  EXPECT_TRUE(fit.unknowns[0].identifiable);
  EXPECT_NEAR(fit.unknowns[0].value, 100, 1e-9);
  EXPECT_TRUE(std::isinf(fit.unknowns[0].standardError));
}
