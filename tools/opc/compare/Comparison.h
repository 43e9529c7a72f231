// The results of `opc compare`: two profiles of one launch, and how far the outputs agree.

#ifndef OPC_TOOLS_OPC_COMPARE_COMPARISON_H
#define OPC_TOOLS_OPC_COMPARE_COMPARISON_H

#include "tools/opc/profile/Profile.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <string>
#include <vector>

namespace opc::tool {

/// An output of both kernels.
struct OutputDifference {
  std::string name;
  int64_t elements = 0, differing = 0;
  double largest = 0;    ///< absolute difference; infinity where one is NaN
  double largestUlp = 0; ///< numbers of the type from one value to the other; integers: the difference
  int64_t first = -1;    ///< the first element that differs; -1: none
  double firstA = 0, firstB = 0;
};

/// Compares two tensors of one type and shape. +0 and -0 are equal, and any NaN is equal to any NaN.
OutputDifference compareOutputs(const std::string &name, const Tensor &a, const Tensor &b);

/// How busy each pipe is over time: shares of equal parts of the longer launch, S, MTE2, V, MTE3.
struct BusyParts {
  std::array<std::vector<double>, 4> pipes;
};
BusyParts busyParts(const ProfiledLaunch &launch, const Profiler &profiler, int64_t cycles, size_t parts);

struct ComparedKernel {
  const ProfiledLaunch *launch = nullptr;
  Profile profile;
  BusyParts busy;
  std::string name; ///< as the user typed it
};

struct Comparison {
  std::array<ComparedKernel, 2> kernels; ///< A, B
  std::vector<OutputDifference> outputs;
};

std::string comparisonText(const Comparison &comparison);
nlohmann::ordered_json comparisonJson(const Comparison &comparison);
/// A self-contained HTML page with the numbers of comparison.json.
std::string comparisonPage(const Comparison &comparison);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPARE_COMPARISON_H
