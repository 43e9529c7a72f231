#include "tools/opc/compile/model/ModelFamily.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <algorithm>

namespace opc::tool {

/// Constants of this many bytes begin at a page, as in a plan of one form.
static constexpr uint64_t kPage = 4096;
/// The first bytes that are compared before whole constants, and the largest number of constants with equal first bytes
/// that are compared.
static constexpr size_t kBeginning = 256, kMostAlike = 64;

uint32_t ModelFamily::kernelOf(const KernelRequest &request) {
  auto [number, isNew] =
      numbers.try_emplace({request.contract, request.types, request.attributes}, static_cast<uint32_t>(kernels.size()));
  if (isNew)
    kernels.push_back(request);
  return number->second;
}

/// The offset of bytes in the weights. Adds them to the weights unless a constant begins with them.
uint64_t ModelFamily::offsetOf(std::string_view bytes) {
  const std::string beginning(bytes.substr(0, kBeginning));
  auto [first, last] = beginnings.equal_range(beginning);
  for (size_t tried = 0; first != last && tried < kMostAlike; ++first, ++tried) {
    const ModelWeight &known = weights[first->second];
    // Constants of a file may begin at one address and have other lengths.
    const std::string_view same = known.bytes.substr(0, bytes.size());
    if (same.size() == bytes.size() && (same.data() == bytes.data() || same == bytes))
      return known.offset;
  }
  const uint64_t alignment = bytes.size() >= kPage ? kPage : kPlanAlignment;
  const uint64_t offset = (weightBytes + alignment - 1) / alignment * alignment;
  beginnings.emplace(beginning, weights.size());
  weights.push_back({offset, bytes});
  weightBytes = offset + bytes.size();
  return offset;
}

std::string ModelFamily::checkOutputs(const CompiledModel &compiled) const {
  auto formOf = [](const ModelTensor &tensor) {
    return std::string(elementTypeName(tensor.type)) + " of rank " + std::to_string(tensor.shape.size()) +
           (tensor.rowsDependOnData ? " with rows that depend on data" : "");
  };
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const std::string own = formOf(compiled.outputs[i]), known = formOf(outputs[i]); own != known)
      return "output '" + printable(outputs[i].name) + "' is " + own + ", with the largest sizes " + known;
  return {};
}

/// Marks sizes that differ from those of the earlier forms as open.
void ModelFamily::addEnds(const CompiledModel &compiled) {
  if (plans.empty()) {
    inputs = compiled.inputs;
    outputs = compiled.outputs;
    for (size_t i = 0; i < inputs.size() && i < inputSizes.size(); ++i) {
      inputs[i].sizes = inputSizes[i];
      for (size_t d = 0; d < inputs[i].sizes.size(); ++d)
        if (!inputs[i].sizes[d].empty())
          inputs[i].shape[d] = kOpenSize;
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t d = 0; d < outputs[i].shape.size(); ++d)
      if (outputs[i].shape[d] != compiled.outputs[i].shape[d])
        outputs[i].shape[d] = kOpenSize;
}

std::string ModelFamily::add(size_t form, CompiledModel &compiled) {
  name = compiled.name;
  addEnds(compiled);
  ModelPlan &plan = compiled.plan;
  arenaBytes = std::max(arenaBytes, plan.arenaBytes);
  std::vector<uint32_t> renumbered;
  for (const KernelRequest &request : compiled.kernels)
    renumbered.push_back(kernelOf(request));
  for (PlanStep &step : plan.steps)
    if (step.kind == PlanStep::Launch)
      step.kernel = renumbered[step.kernel];
  std::vector<uint64_t> offsets;
  for (const ModelWeight &weight : compiled.weights)
    offsets.push_back(offsetOf(weight.bytes));
  for (PlanValue &value : plan.values) {
    if (value.memory != PlanValue::Weights)
      continue;
    // The constant that the value is, or is a part of.
    auto behind = std::upper_bound(compiled.weights.begin(), compiled.weights.end(), value.offset,
                                   [](uint64_t offset, const ModelWeight &weight) { return offset < weight.offset; });
    const bool isEmpty = value.bytes() == 0 || behind == compiled.weights.begin();
    const auto number = static_cast<size_t>(behind - compiled.weights.begin()) - 1;
    value.offset = isEmpty ? 0 : offsets[number] + value.offset - compiled.weights[number].offset;
  }
  for (std::unique_ptr<std::string> &bytes : compiled.owned)
    if (std::any_of(weights.begin(), weights.end(),
                    [&](const ModelWeight &weight) { return weight.bytes.data() == bytes->data(); }))
      owned.push_back(std::move(bytes));
  plan.kernels = static_cast<uint32_t>(kernels.size());
  plan.weightBytes = weightBytes;
  const std::vector<uint8_t> bytes = writePlan(plan);
  plans.emplace_back(planPath(sizes, form), std::string(bytes.begin(), bytes.end()));
  return checkPlan(plan);
}

} // namespace opc::tool
