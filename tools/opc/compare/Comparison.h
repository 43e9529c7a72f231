// The results of `opc compare`: two profiles of one launch, and the differences of their outputs.

#ifndef OPC_TOOLS_OPC_COMPARE_COMPARISON_H
#define OPC_TOOLS_OPC_COMPARE_COMPARISON_H

#include "tools/opc/profile/Profile.h"
#include "tools/opc/tensors/OutputDifference.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <string>
#include <vector>

namespace opc::tool {

/// The utilisation of each pipe over time: shares of equal parts of the longer launch, for S, MTE2, V, MTE3.
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
