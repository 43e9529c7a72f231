#include "runtime/program/model/HostFunction.h"

#include <algorithm>

namespace opc {

std::string_view hostFunctionName(HostFunction function) {
  switch (function) {
  case HostFunction::NonMaxSuppression:
    return "NonMaxSuppression";
  }
  return {};
}

std::optional<HostFunction> hostFunctionByName(std::string_view name) {
  for (uint32_t i = 0; i < kNumHostFunctions; ++i)
    if (hostFunctionName(static_cast<HostFunction>(i)) == name)
      return static_cast<HostFunction>(i);
  return std::nullopt;
}

static bool isOne(const HostForm &form) {
  return std::all_of(form.shape.begin(), form.shape.end(), [](int64_t size) { return size == 1; });
}

/// Boxes are [batch, boxes, 4], scores [batch, classes, boxes].
std::string checkHostCall(const HostCall &call) {
  if (call.function != HostFunction::NonMaxSuppression)
    return "there is no such function";
  const auto &operands = call.operands;
  if (operands.size() < 2 || operands.size() > 5 || !operands[0] || !operands[1])
    return "expects boxes, scores and at most three numbers";
  const HostForm &boxes = *operands[0], &scores = *operands[1];
  if (boxes.type != ElementType::Float32 || scores.type != ElementType::Float32)
    return "expects boxes and scores of float32";
  if (boxes.shape.size() != 3 || boxes.shape[2] != 4 || scores.shape.size() != 3 || boxes.shape[0] != scores.shape[0] ||
      boxes.shape[1] != scores.shape[2])
    return "expects boxes of [batch, places, 4] and scores of [batch, classes, places]";
  for (size_t i = 2; i < operands.size(); ++i)
    if (operands[i] &&
        (operands[i]->type != (i == 2 ? ElementType::Int64 : ElementType::Float32) || !isOne(*operands[i])))
      return i == 2 ? "expects the most boxes of a class as one int64" : "expects thresholds of one float32 each";
  for (const auto &[name, text] : call.attributes)
    if (name != "center_point_box" || (text != "0" && text != "1"))
      return "expects the attribute center_point_box alone, 0 or 1";
  return {};
}

std::vector<HostForm> hostResults(const HostCall &call, int64_t most) {
  const std::vector<int64_t> &scores = call.operands[1]->shape;
  const int64_t rows = scores[0] * scores[1] * std::clamp<int64_t>(most, 0, scores[2]);
  return {{ElementType::Int64, {rows, 3}}, {ElementType::Int64, {}}};
}

bool areHostResults(const HostCall &call, const std::vector<HostForm> &results) {
  const std::vector<HostForm> whole = hostResults(call, INT64_MAX);
  return results.size() == whole.size() && results[0].type == whole[0].type && results[1].type == whole[1].type &&
         results[1].shape.empty() && results[0].shape.size() == 2 && results[0].shape[1] == 3 &&
         results[0].shape[0] <= whole[0].shape[0];
}

} // namespace opc
