#include "runtime/program/model/HostFunction.h"

#include <algorithm>

namespace opc {

std::string_view hostFunctionName(HostFunction function) {
  switch (function) {
  case HostFunction::NonMaxSuppression:
    return "NonMaxSuppression";
  case HostFunction::NonZero:
    return "NonZero";
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
static std::string checkBoxes(const HostCall &call) {
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

static std::string checkNonZero(const HostCall &call) {
  if (call.operands.size() != 1 || !call.operands[0])
    return "expects one operand";
  if (call.operands[0]->shape.empty())
    return "expects an operand of at least one dimension";
  return call.attributes.empty() ? "" : "expects no attribute";
}

std::string checkHostCall(const HostCall &call) {
  switch (call.function) {
  case HostFunction::NonMaxSuppression:
    return checkBoxes(call);
  case HostFunction::NonZero:
    return checkNonZero(call);
  }
  return "there is no such function";
}

/// The maximum number of rows, and the numbers in each.
static std::pair<int64_t, int64_t> rowsOf(const HostCall &call, int64_t most) {
  if (call.function == HostFunction::NonZero) {
    const std::vector<int64_t> &shape = call.operands[0]->shape;
    int64_t elements = 1;
    for (int64_t size : shape)
      elements *= size;
    return {elements, static_cast<int64_t>(shape.size())};
  }
  const std::vector<int64_t> &scores = call.operands[1]->shape;
  return {scores[0] * scores[1] * std::clamp<int64_t>(most, 0, scores[2]), 3};
}

std::vector<HostForm> hostResults(const HostCall &call, int64_t most) {
  const auto [rows, numbers] = rowsOf(call, most);
  return {{ElementType::Int64, {rows, numbers}}, {ElementType::Int64, {}}};
}

bool areHostResults(const HostCall &call, const std::vector<HostForm> &results) {
  const auto [rows, numbers] = rowsOf(call, INT64_MAX);
  return results.size() == 2 && results[0].type == ElementType::Int64 && results[1].type == ElementType::Int64 &&
         results[1].shape.empty() && results[0].shape.size() == 2 && results[0].shape[1] == numbers &&
         results[0].shape[0] <= rows;
}

} // namespace opc
