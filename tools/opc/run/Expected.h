// `opc run --expected`: compares outputs with the user's arrays.

#ifndef OPC_TOOLS_OPC_RUN_EXPECTED_H
#define OPC_TOOLS_OPC_RUN_EXPECTED_H

#include "tools/opc/Assignment.h"
#include "tools/opc/Command.h"

#include "runtime/core/tensor/Tensor.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct ExpectedFlags {
  std::vector<std::string> files; ///< NAME=@FILE.npy
  std::optional<uint64_t> maxUlp; ///< nullopt: integers are equal, floats as the vendor's examples compare them
};

/// --expected and --max_ulp.
void addExpectedFlags(Arguments &arguments, ExpectedFlags &flags);

class ExpectedOutputs {
public:
  /// Reads the arrays; nullopt after reporting E0108, E0109, E0521, E0104 or an error of a file.
  static std::optional<ExpectedOutputs> read(const ExpectedFlags &flags, const std::string &owner,
                                             const std::vector<std::string> &outputs, Diagnostics &diagnostics);

  /// Compares each array, converted to the output's type, and reports the differences. Reports E0700 for an output that
  /// differs or has another shape. `outputOf` gives an output by its name; null for one that the kernel lacks. Returns
  /// a record for each output.
  nlohmann::ordered_json check(const std::function<const Tensor *(const std::string &)> &outputOf,
                               const Context &context, Diagnostics &diagnostics) const;
  std::vector<std::string> names() const;

private:
  std::vector<TensorFile> files;
  std::vector<Tensor> values;
  std::optional<uint64_t> maxUlp;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_EXPECTED_H
