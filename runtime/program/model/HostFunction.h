// Functions of the runtime that a plan may call on the host's processor: operators whose results have as many rows as
// the data says. The plan has the most rows that there can be, and a count beside them.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_HOSTFUNCTION_H
#define OPC_RUNTIME_PROGRAM_MODEL_HOSTFUNCTION_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opc {

enum class HostFunction : uint32_t {
  /// Operands (boxes, scores, most boxes of a class, threshold of the overlap, threshold of the score), as ONNX has
  /// them; the last three may be left out. Results (batch, class and place of each box that is kept; their number).
  NonMaxSuppression,
};
inline constexpr uint32_t kNumHostFunctions = 1;

/// As ONNX calls the operator.
std::string_view hostFunctionName(HostFunction function);
std::optional<HostFunction> hostFunctionByName(std::string_view name);

struct HostForm {
  ElementType type = ElementType::Float32;
  std::vector<int64_t> shape;
};

/// A call whose sizes were found to fit memory.
struct HostCall {
  HostFunction function = HostFunction::NonMaxSuppression;
  std::vector<std::optional<HostForm>> operands; ///< nullopt: left out
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// Why a function cannot be called so, empty when it can.
std::string checkHostCall(const HostCall &call);

/// The forms of the results of a call that can be made. Of each class of a batch at most `most` rows are wanted; the
/// first result has room for these or for all that there can be, whatever is less.
std::vector<HostForm> hostResults(const HostCall &call, int64_t most);

/// Whether results may be those of a call that can be made: the forms that hostResults gives for some `most`, or fewer
/// rows.
bool areHostResults(const HostCall &call, const std::vector<HostForm> &results);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_HOSTFUNCTION_H
