#include "runtime/program/model/ModelSizes.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <set>

namespace opc {

std::string checkModelSizes(const std::vector<ModelSize> &sizes) {
  if (sizes.size() > kMostSizes)
    return "a model has at most " + std::to_string(kMostSizes) + " open sizes, found " + std::to_string(sizes.size());
  std::set<std::string> names;
  int64_t forms = 1;
  for (const ModelSize &size : sizes) {
    const std::string who = "size '" + printable(size.name) + "'";
    if (size.name.empty() || !names.insert(size.name).second)
      return who + (size.name.empty() ? " has no name" : " is there twice");
    if (size.from < 0 || size.to < size.from || size.step < 1 || (size.to - size.from) % size.step != 0)
      return who + " expects FROM to TO in whole steps, found " + std::to_string(size.from) + " to " +
             std::to_string(size.to) + " in steps of " + std::to_string(size.step);
    // No overflow: a factor above the limit ends the loop.
    if (const int64_t more = (size.to - size.from) / size.step; more >= kMostForms || forms * (more + 1) > kMostForms)
      return "open sizes have at most " + std::to_string(kMostForms) + " choices together, found more with " + who +
             ", " + sizeText(size);
    forms *= size.choices();
  }
  return {};
}

size_t numForms(const std::vector<ModelSize> &sizes) {
  int64_t forms = 1;
  for (const ModelSize &size : sizes)
    forms *= size.choices();
  return static_cast<size_t>(forms);
}

std::vector<int64_t> sizesOfForm(const std::vector<ModelSize> &sizes, size_t form) {
  std::vector<int64_t> chosen(sizes.size());
  auto rest = static_cast<int64_t>(form);
  for (size_t i = sizes.size(); i-- > 0; rest /= sizes[i].choices())
    chosen[i] = sizes[i].from + rest % sizes[i].choices() * sizes[i].step;
  return chosen;
}

std::string planPath(const std::vector<ModelSize> &sizes, size_t form) {
  return sizes.empty() ? kModelPlanName : "plans/" + std::to_string(form) + ".opcplan";
}

std::string sizeText(const ModelSize &size) {
  std::string text = std::to_string(size.from);
  if (size.to == size.from)
    return text;
  if (size.step == 1)
    return text + " to " + std::to_string(size.to);
  const int64_t second = size.from + size.step;
  return text + ", " + (second == size.to ? "" : std::to_string(second) + ", ... ") + std::to_string(size.to);
}

static std::string listText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::string inputText(const ModelTensor &input, const std::vector<ModelSize> &sizes) {
  std::string shape, ranges;
  for (size_t d = 0; d < input.shape.size(); ++d) {
    const bool isOpen = d < input.sizes.size() && !input.sizes[d].empty();
    shape += (d == 0 ? "" : ", ") + (isOpen ? printable(input.sizes[d]) : std::to_string(input.shape[d]));
  }
  std::set<std::string> told;
  for (const std::string &name : input.sizes)
    for (const ModelSize &size : sizes)
      if (size.name == name && told.insert(name).second)
        ranges += (ranges.empty() ? " with " : "; ") + printable(name) + " " + sizeText(size);
  return std::string(elementTypeName(input.type)) + " [" + shape + "]" + ranges;
}

std::optional<size_t> formOfInputs(const ModelManifest &manifest, const std::vector<std::vector<int64_t>> &shapes,
                                   std::string &why) {
  const std::vector<ModelSize> &sizes = manifest.sizes;
  std::vector<int64_t> chosen(sizes.size(), kOpenSize);
  if (shapes.size() != manifest.inputs.size()) {
    why = "the model expects " + std::to_string(manifest.inputs.size()) + " inputs, found " +
          std::to_string(shapes.size());
    return std::nullopt;
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ModelTensor &input = manifest.inputs[i];
    auto refuse = [&](const std::string &more) {
      why = "the model expects '" + printable(input.name) + "' to be " + inputText(input, sizes) + ": found " +
            std::string(elementTypeName(input.type)) + " " + listText(shapes[i]) + more;
      return std::nullopt;
    };
    if (shapes[i].size() != input.shape.size())
      return refuse("");
    for (size_t d = 0; d < shapes[i].size(); ++d) {
      const int64_t found = shapes[i][d];
      if (d >= input.sizes.size() || input.sizes[d].empty()) {
        if (found != input.shape[d])
          return refuse("");
        continue;
      }
      for (size_t s = 0; s < sizes.size(); ++s) {
        if (sizes[s].name != input.sizes[d])
          continue;
        if (found < sizes[s].from || found > sizes[s].to || (found - sizes[s].from) % sizes[s].step != 0)
          return refuse("");
        if (chosen[s] != kOpenSize && chosen[s] != found)
          return refuse(", where " + printable(sizes[s].name) + " is " + std::to_string(chosen[s]) + " already");
        chosen[s] = found;
      }
    }
  }
  int64_t form = 0;
  for (size_t s = 0; s < sizes.size(); ++s)
    form = form * sizes[s].choices() + (chosen[s] - sizes[s].from) / sizes[s].step;
  return static_cast<size_t>(form);
}

} // namespace opc
