#include "tools/opc/test/TestOptions.h"

#include "tools/opc/process/Python.h"

#include <algorithm>
#include <charconv>

namespace opc::tool {

std::optional<TestPlan> makeTestPlan(const TestOptions &options, Diagnostics &diagnostics) {
  TestPlan plan;
  plan.seed = options.seed;
  plan.seeds = options.seeds ? options.seeds : options.full ? 100 : 4;
  plan.largeSeeds = options.seeds ? options.seeds : options.full ? 100 : 1;
  plan.sizes = defaultTestSizes();
  const bool isBeside = !options.sizes.empty() && options.sizes.front() == '+';
  plan.shapes = options.sizes.empty() || isBeside;
  plan.mostElements = options.maxElements            ? options.maxElements
                      : options.full || !plan.shapes ? kMostElements
                                                     : kMostElements / 4;
  if (options.sizes.empty())
    return plan;
  if (!isBeside)
    plan.sizes.clear();
  for (size_t start = isBeside; start <= options.sizes.size();) {
    size_t end = std::min(options.sizes.find(',', start), options.sizes.size());
    const char *first = options.sizes.data() + start, *last = options.sizes.data() + end;
    int64_t size = 0;
    auto [stop, error] = std::from_chars(first, last, size);
    if (first == last || stop != last || error != std::errc() || size < 0 || size > (int64_t(1) << 32)) {
      diagnostics.error(Code::E0104, {},
                        "--sizes expects numbers of elements from 0 to 4294967296 with ',' between "
                        "them: found '" +
                            printable(options.sizes) + "'");
      return std::nullopt;
    }
    plan.sizes.push_back(size);
    start = end + 1;
  }
  return plan;
}

std::optional<std::string> choosePython(const TestOptions &options, const Contract &contract,
                                        Diagnostics &diagnostics) {
  std::vector<std::string> modules = {"numpy"};
  auto needs = [](const ContractTensor &tensor) {
    return std::find(tensor.types.begin(), tensor.types.end(), ElementType::BFloat16) != tensor.types.end();
  };
  if (std::any_of(contract.inputs.begin(), contract.inputs.end(), needs) ||
      std::any_of(contract.outputs.begin(), contract.outputs.end(), needs))
    modules.push_back("ml_dtypes");
  const std::optional<Python> python = requirePython(options.python, modules, diagnostics);
  return python ? std::optional(python->path) : std::nullopt;
}

std::vector<std::string> numericsOf(const TestOptions &options) {
  if (options.perturb)
    return {"exact"};
  return splitNames(options.numerics.empty() ? "exact,worst" : options.numerics);
}

std::vector<std::string> splitNames(const std::string &text) {
  std::vector<std::string> names;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

} // namespace opc::tool
