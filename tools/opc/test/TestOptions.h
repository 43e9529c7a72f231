// The options of `opc test` and values derived from them.

#ifndef OPC_TOOLS_OPC_TEST_TESTOPTIONS_H
#define OPC_TOOLS_OPC_TEST_TESTOPTIONS_H

#include "tools/opc/test/TestCases.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct TestOptions {
  std::string contract, devices = "cpu,sim", socVersion = "Ascend310B", sizes, dtype, body, python, inputShape,
                        reference, cpuLevels;
  std::string numerics; ///< as requested; empty: both, and worst numerics only warn without a chip_tolerance
  std::string opMode = "dynamic";
  uint64_t seed = 0;
  unsigned seeds = 0;
  unsigned maxElements = 0; ///< 0: by the other options
  bool full = false, portable = false;
  unsigned perturb = 0;
};

/// The kinds of numerics that the simulator runs with.
std::vector<std::string> numericsOf(const TestOptions &options);

/// Splits "a,b" into its parts.
std::vector<std::string> splitNames(const std::string &text);

/// Seeds and sizes; nullopt after reporting E0104 for --sizes.
std::optional<TestPlan> makeTestPlan(const TestOptions &options, Diagnostics &diagnostics);

/// The Python with the modules that a contract's reference needs; nullopt after reporting E0602 or E0603.
std::optional<std::string> choosePython(const TestOptions &options, const Contract &contract, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTOPTIONS_H
