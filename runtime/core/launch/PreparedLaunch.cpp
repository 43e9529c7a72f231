#include "runtime/core/launch/PreparedLaunch.h"

#include "runtime/core/launch/Presence.h"

#include <algorithm>

namespace opc {

std::string launchLabel(const std::string &opType, const Shape *firstInput) {
  std::string text = opType;
  if (!firstInput)
    return text;
  text += firstInput->empty() ? "_scalar" : "_";
  for (size_t i = 0; i < firstInput->size(); ++i)
    text += (i ? "x" : "") + std::to_string((*firstInput)[i]);
  return text;
}

/// Tensors of these forms without memory; nullopt after reporting E0527 when a size overflows.
static std::optional<std::vector<std::optional<Tensor>>>
formsAsTensors(const Manifest &manifest, const std::vector<std::optional<TensorForm>> &forms,
               Diagnostics &diagnostics) {
  std::vector<std::optional<Tensor>> tensors;
  for (size_t i = 0; i < forms.size(); ++i) {
    tensors.emplace_back();
    if (!forms[i])
      continue;
    tensors.back() = Tensor::overPacked(forms[i]->type, forms[i]->shape, forms[i]->packed, nullptr);
    if (tensors.back())
      continue;
    std::string who = i < manifest.inputs.size() ? "'" + printable(manifest.inputs[i].name) + "'" : "an input";
    diagnostics.error(Code::E0527, {}, "no memory holds " + who + " of shape " + shapeText(forms[i]->shape));
    return std::nullopt;
  }
  return tensors;
}

std::shared_ptr<PreparedLaunch>
PreparedLaunch::create(std::shared_ptr<Operator> op, const std::vector<std::optional<TensorForm>> &inputs,
                       const std::vector<NamedValue> &attributes, Diagnostics &diagnostics,
                       std::vector<std::optional<ElementType>> outputTypes, const Manifest *outline,
                       const std::shared_ptr<WorkspaceMemory> &memory) {
  const Manifest &manifest = op->manifest();
  // A caller may give any number of tensors for an input with a count.
  std::vector<size_t> places = outline ? placesOf(manifest, *outline) : std::vector<size_t>();
  const bool isOfOutline =
      std::all_of(places.begin(), places.end(), [&](size_t place) { return place < inputs.size(); });
  if (!places.empty() && isOfOutline && inputs.size() <= outline->inputs.size() &&
      inputs.size() != manifest.inputs.size()) {
    std::vector<std::optional<TensorForm>> own;
    for (size_t place : places)
      own.push_back(inputs[place]);
    auto launch = create(op, own, attributes, diagnostics, std::move(outputTypes), nullptr, memory);
    if (!launch)
      return nullptr;
    launch->asked = inputs.size() + manifest.outputs.size();
    for (size_t i = 0; i < manifest.outputs.size(); ++i)
      places.push_back(inputs.size() + i);
    launch->taken = std::move(places);
    return launch;
  }
  if (inputs.size() != manifest.inputs.size()) {
    diagnostics.error(Code::E0529, {},
                      "'" + printable(manifest.opType) + "' expects " + std::to_string(manifest.inputs.size()) +
                          " inputs, found " + std::to_string(inputs.size()));
    return nullptr;
  }
  auto tensors = formsAsTensors(manifest, inputs, diagnostics);
  if (!tensors)
    return nullptr;
  std::vector<const Tensor *> given;
  for (const std::optional<Tensor> &tensor : *tensors)
    given.push_back(tensor ? &*tensor : nullptr);
  auto withoutMemory = [](ElementType type, const Shape &shape) { return Tensor::over(type, shape, nullptr); };
  std::optional<BoundLaunch> bound =
      bindLaunch(manifest, given, attributes,
                 {op->device().maxBlocks(), &op->device().kernels(manifest), std::nullopt, std::move(outputTypes)},
                 diagnostics, withoutMemory);
  if (!bound)
    return nullptr;
  Kernel *kernel = op->load(*bound->kernel, diagnostics);
  if (!kernel)
    return nullptr;
  LaunchArguments arguments = launchArguments(given, *bound);
  std::shared_ptr<PreparedLaunch> launch(new PreparedLaunch());
  launch->prepared = kernel->prepare(arguments, diagnostics);
  if (!launch->prepared)
    return nullptr;
  launch->owner = std::move(op);
  launch->chosen = bound->kernel;
  launch->blocks = bound->blockNum;
  launch->bounds = std::move(bound->bounds);
  const Shape *first = inputs.empty() || !inputs.front() ? nullptr : &inputs.front()->shape;
  launch->name = launchLabel(manifest.opType, first);
  std::vector<int64_t> between;
  for (const Tensor &tensor : bound->workspace)
    between.push_back(tensor.numBytes());
  if (!between.empty())
    launch->space = std::make_unique<WorkspacePool>(between, manifest.opType, memory);
  for (size_t i = 0; i + between.size() < arguments.tensors.size(); ++i) {
    const LaunchTensor &tensor = arguments.tensors[i];
    launch->rules.add(tensor.bytes, int64_t(elementSize(tensor.type)), i >= inputs.size());
  }
  for (const Tensor &output : bound->outputs)
    launch->outputForms.push_back({output.type(), output.shape()});
  return launch;
}

const std::string &PreparedLaunch::tensorName(size_t index) const {
  const Manifest &manifest = owner->manifest();
  const size_t inputs = rules.numInputs();
  return index < inputs ? manifest.inputs[index].name : manifest.outputs[index - inputs].name;
}

static bool overlap(const void *a, int64_t aBytes, const void *b, int64_t bBytes) {
  auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  return aBytes && bBytes && first < second + uintptr_t(bBytes) && second < first + uintptr_t(aBytes);
}

/// Checks the rules tensor by tensor and reports each broken one; true when all of them hold.
bool PreparedLaunch::explainMemory(void *const *tensors, Diagnostics &diagnostics) const {
  bool fits = true;
  auto refuse = [&](std::string message, const char *rule) {
    fits = false;
    diagnostics.error(Code::E0530, {},
                      "a launch of '" + printable(owner->manifest().opType) + "' expects " + std::move(message), rule);
  };
  for (size_t i = 0; i < rules.numTensors(); ++i) {
    std::string who = "'" + printable(tensorName(i)) + "'";
    if (!tensors[i] && rules.bytes(i) != 0)
      refuse("memory for " + who + ", found none", "launch_c10");
    else if (!rules.aligned(i, tensors[i]))
      refuse(who + " aligned to its elements", "launch_c11");
    for (size_t other = 0; i >= rules.numInputs() && other < i; ++other)
      if (!(rules.overwrites(other, i) && tensors[i] == tensors[other]) &&
          overlap(tensors[i], rules.bytes(i), tensors[other], rules.bytes(other)))
        refuse("outputs of their own memory: " + who + " overlaps '" + printable(tensorName(other)) + "'",
               "launch_c12");
  }
  return fits;
}

std::vector<void *> PreparedLaunch::takenOf(void *const *tensors) const {
  if (taken.empty())
    return {tensors, tensors + rules.numTensors()};
  std::vector<void *> own;
  for (size_t place : taken)
    own.push_back(tensors[place]);
  return own;
}

bool PreparedLaunch::check(void *const *tensors, Diagnostics &diagnostics) const {
  if (__builtin_expect(!taken.empty(), false)) {
    const std::vector<void *> own = takenOf(tensors);
    return rules.hold(own.data()) || explainMemory(own.data(), diagnostics);
  }
  return __builtin_expect(rules.hold(tensors), true) || explainMemory(tensors, diagnostics);
}

/// Runs without the tensors that the kernel lacks, and with the workspace.
bool PreparedLaunch::runTaken(void *const *tensors, Diagnostics &diagnostics) const {
  std::vector<void *> own = takenOf(tensors);
  if (!bounds.empty() && !checkValues(owner->manifest(), bounds, own.data(), diagnostics))
    return false;
  if (!space)
    return prepared->run(own.data(), diagnostics);
  const WorkspacePool::Lease lease(*space, diagnostics);
  if (!lease)
    return false;
  lease.appendTo(own);
  return prepared->run(own.data(), diagnostics);
}

bool PreparedLaunch::run(void *const *tensors, Diagnostics &diagnostics) const {
  return check(tensors, diagnostics) && runChecked(tensors, diagnostics);
}

bool PreparedLaunch::overwrite(size_t input, size_t output) {
  const size_t tensor = rules.numInputs() + output;
  if (!mayOverwriteInputs(owner->manifest()) || !taken.empty() || rules.bytes(input) != rules.bytes(tensor) ||
      rules.elementBytes(input) != rules.elementBytes(tensor))
    return false;
  rules.overwrite(input, tensor);
  return true;
}

/// Whether constants have memory that a kernel may read. Memory of the caller is not known yet, so rules for all
/// tensors cannot be checked.
bool PreparedLaunch::canKeep(void *const *tensors, const std::vector<bool> &constant) const {
  for (size_t i = 0; i < rules.numTensors(); ++i)
    if (constant[i] && ((!tensors[i] && rules.bytes(i) != 0) || !rules.aligned(i, tensors[i])))
      return false;
  return true;
}

/// Adds the tensors of the workspace, which are no constants and have no memory yet.
void PreparedLaunch::keepAll(std::vector<void *> &tensors, std::vector<bool> &constant) const {
  const size_t count = owner->manifest().numTensors();
  tensors.resize(count);
  constant.resize(count);
}

void PreparedLaunch::keepConstants(void *const *tensors, const std::vector<bool> &constant) const {
  if (!taken.empty() || space) {
    std::vector<void *> own = takenOf(tensors);
    std::vector<bool> isConstant;
    for (size_t place : taken)
      isConstant.push_back(constant[place]);
    if (taken.empty())
      isConstant = constant;
    if (!canKeep(own.data(), isConstant))
      return;
    keepAll(own, isConstant);
    prepared->keepConstants(own.data(), isConstant);
    return;
  }
  if (canKeep(tensors, constant))
    prepared->keepConstants(tensors, constant);
}

bool PreparedLaunch::takePacked(void *const *tensors, const std::vector<bool> &constant,
                                const PackedConstant &given) const {
  if (!canKeep(tensors, constant))
    return false;
  std::vector<void *> own;
  std::vector<bool> isConstant = constant;
  if (space)
    keepAll(own, isConstant);
  return prepared->takePacked(isConstant, given);
}

} // namespace opc
