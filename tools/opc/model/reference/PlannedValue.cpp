#include "tools/opc/model/reference/PlannedValue.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace opc::tool {

namespace {
/// Where the rows of a value are, of which the plan has memory for more than there are.
struct CountedRows {
  size_t blocks = 1, rowBytes = 0, rows = 0, most = 0;

  /// Visits each block of rows: its offset in the memory of the plan, and in a tensor with the actual rows.
  template <typename Visit> void eachBlock(Visit visit) const {
    for (size_t i = 0; i < blocks && rows * rowBytes != 0; ++i)
      visit(i * most * rowBytes, i * rows * rowBytes);
  }
};
} // namespace

/// The rows if a value of a plan with such rows has the form of a reference except for more rows.
static std::optional<CountedRows> countedRows(const ModelPlan &plan, const PlanValue &value, const Tensor &reference) {
  const Shape &shape = reference.shape();
  const bool areCounted = std::any_of(plan.steps.begin(), plan.steps.end(),
                                      [](const PlanStep &step) { return step.kind == PlanStep::Host; });
  if (!areCounted || value.type != reference.type() || shape.size() != value.shape.size())
    return std::nullopt;
  const auto differs = std::mismatch(shape.begin(), shape.end(), value.shape.begin());
  if (differs.first == shape.end() || *differs.first > *differs.second ||
      !std::equal(differs.first + 1, shape.end(), differs.second + 1))
    return std::nullopt;
  CountedRows result;
  for (auto size = shape.begin(); size != differs.first; ++size)
    result.blocks *= static_cast<size_t>(*size);
  result.rowBytes = elementSize(value.type);
  for (auto size = differs.first + 1; size != shape.end(); ++size)
    result.rowBytes *= static_cast<size_t>(*size);
  result.rows = static_cast<size_t>(*differs.first);
  result.most = static_cast<size_t>(*differs.second);
  return result;
}

ValueDifference comparePlanned(const ModelPlan &plan, const PlanValue &value, const void *data, const Tensor &reference,
                               double ofReference) {
  const std::optional<CountedRows> counted = countedRows(plan, value, reference);
  if (!counted)
    return compareValue(value.type, value.shape, data, reference, ofReference);
  std::vector<char> rows(static_cast<size_t>(reference.numBytes()));
  counted->eachBlock([&](size_t from, size_t to) {
    std::memcpy(rows.data() + to, static_cast<const char *>(data) + from, counted->rows * counted->rowBytes);
  });
  return compareValue(value.type, reference.shape(), rows.data(), reference, ofReference);
}

void putReference(const ModelPlan &plan, const PlanValue &value, const Tensor &reference, void *data) {
  const auto *from = static_cast<const char *>(reference.data());
  auto *to = static_cast<char *>(data);
  if (const std::optional<CountedRows> counted = countedRows(plan, value, reference))
    counted->eachBlock([&](size_t planned, size_t given) {
      std::memcpy(to + planned, from + given, counted->rows * counted->rowBytes);
    });
  else if (value.bytes() != 0)
    std::memcpy(to, from, value.bytes());
}

} // namespace opc::tool
