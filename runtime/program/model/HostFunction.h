// Functions of the runtime that a plan may call on the host's processor: operators whose number of result rows depends
// on data. The plan has the maximum number of rows, and a separate count.

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
  /// Operands (boxes, scores, maximum boxes of a class, threshold of the overlap, threshold of the score), as in ONNX;
  /// the last three may be omitted. Results (batch, class and index of each kept box; their number).
  NonMaxSuppression,
  /// Operand x of any type and a rank of 1 or more. Results (for each element that is not 0, in the order of memory,
  /// its index along each dimension; their number). ONNX has the transposed result, a dimension in a row.
  NonZero,
};
inline constexpr uint32_t kNumHostFunctions = 2;

/// The name of the operator in ONNX.
std::string_view hostFunctionName(HostFunction function);
std::optional<HostFunction> hostFunctionByName(std::string_view name);

struct HostForm {
  ElementType type = ElementType::Float32;
  std::vector<int64_t> shape;
};

/// A call whose sizes were found to fit memory.
struct HostCall {
  HostFunction function = HostFunction::NonMaxSuppression;
  std::vector<std::optional<HostForm>> operands; ///< nullopt: omitted
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// Why a call is invalid; empty if it is valid.
std::string checkHostCall(const HostCall &call);

/// The forms of the results of a valid call. NonMaxSuppression is requested to give at most `most` rows for each class
/// of a batch; the first result has memory for these or for the maximum, whichever is less.
std::vector<HostForm> hostResults(const HostCall &call, int64_t most);

/// Whether results may be those of a valid call: the forms that hostResults gives for some `most`, or fewer rows.
bool areHostResults(const HostCall &call, const std::vector<HostForm> &results);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_HOSTFUNCTION_H
