#include "runtime/core/model/LoadedModel.h"

#include "runtime/core/File.h"
#include "runtime/core/operator/UntrustedFolder.h"
#include "runtime/device/BundleDevice.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/model/HostFunction.h"
#include "runtime/program/model/ModelSizes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace opc {

static constexpr int64_t kMaxManifest = 16 << 20, kMaxTable = 64 << 20, kMaxPlan = 256 << 20;
/// Forms that stay bound: lengths that repeat bind nothing again, and memory does not grow.
static constexpr size_t kBoundForms = 8;

bool isModelFolder(const std::string &path) {
  return UntrustedFolder(path).has(kModelManifestName);
}

static bool damaged(const UntrustedFolder &root, const std::string &what, Diagnostics &diagnostics) {
  diagnostics.error(Code::E1021, {root.shown(kModelManifestName)}, what, {}, "compile the model again");
  return false;
}

/// Reads a file of the manifest and compares its size and checksum.
static std::optional<std::string> readListed(const UntrustedFolder &root, const ModelFile &file, int64_t limit,
                                             Diagnostics &diagnostics) {
  std::string why;
  const FileHandle handle(root.openInside(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, why));
  if (handle.fd < 0) {
    damaged(root, "'" + printable(file.path) + "' " + (why.empty() ? std::strerror(errno) : why), diagnostics);
    return std::nullopt;
  }
  std::optional<std::string> bytes = readOpenFile(handle.fd, file.path, limit, diagnostics);
  if (bytes && (bytes->size() != file.size || sha256(*bytes) != file.sha256)) {
    damaged(root, "'" + printable(file.path) + "' is no longer the file that was compiled", diagnostics);
    return std::nullopt;
  }
  return bytes;
}

/// Whether a shape of a plan fits the manifest, in which open sizes match any size.
static bool isShape(const std::vector<int64_t> &stated, const std::vector<int64_t> &planned) {
  return std::equal(stated.begin(), stated.end(), planned.begin(), planned.end(),
                    [](int64_t a, int64_t b) { return a == b || a == kOpenSize; });
}

/// Whether plan and manifest have the same inputs or outputs; only outputs have `counts`.
static bool agree(const std::vector<ModelTensor> &tensors, const std::vector<uint32_t> &planned,
                  const std::vector<int32_t> &counts, const ModelPlan &plan) {
  if (tensors.size() != planned.size())
    return false;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (plan.values[planned[i]].type != tensors[i].type || !isShape(tensors[i].shape, plan.values[planned[i]].shape) ||
        tensors[i].rowsDependOnData != (i < counts.size() && counts[i] >= 0))
      return false;
  return true;
}

std::optional<ModelFolder> openModelFolder(const std::string &path, Diagnostics &diagnostics) {
  const UntrustedFolder root(path);
  if (!root.isFolder() || !root.has(kModelManifestName)) {
    diagnostics.error(Code::E1020, {},
                      "expects a model folder: '" + printablePath(path) + "' " +
                          (root.isFolder() ? "has no model.json" : "is no folder"),
                      {}, "'opc compile MODEL.onnx --soc_version=Ascend310B --output=DIR' makes one");
    return std::nullopt;
  }
  std::string why;
  const FileHandle handle(root.openInside(kModelManifestName, O_RDONLY | O_CLOEXEC | O_NONBLOCK, why));
  std::optional<std::string> text;
  if (handle.fd >= 0)
    text = readOpenFile(handle.fd, root.shown(kModelManifestName), kMaxManifest, diagnostics);
  else
    damaged(root, std::string("'model.json' ") + (why.empty() ? std::strerror(errno) : why), diagnostics);
  if (!text)
    return std::nullopt;
  ModelFolder folder;
  folder.path = path;
  folder.sha256 = sha256(*text);
  if (why = readModelManifest(*text, folder.manifest); !why.empty()) {
    diagnostics.error(Code::E1020, {root.shown(kModelManifestName)},
                      "model.json cannot be taken: " + printable(why, 300));
    return std::nullopt;
  }
  std::optional<std::string> bytes =
      readListed(root, *folder.manifest.findFile(kModelKernelsName), kMaxTable, diagnostics);
  if (!bytes)
    return std::nullopt;
  why = readKernelTable(reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size(), folder.kernels);
  if (why.empty() && folder.kernels.size() != folder.manifest.kernels.size())
    why = "it has another number of kernels than model.json";
  if (!why.empty()) {
    damaged(root, "the table of kernels cannot be taken: " + printable(why, 300), diagnostics);
    return std::nullopt;
  }
  return folder;
}

/// The plan of a form, checked; nullopt after an error.
static std::optional<ModelPlan> readPlanOf(const ModelFolder &folder, size_t form, Diagnostics &diagnostics) {
  const UntrustedFolder root(folder.path);
  const ModelManifest &manifest = folder.manifest;
  const std::string path = planPath(manifest.sizes, form);
  std::optional<std::string> bytes = readListed(root, *manifest.findFile(path), kMaxPlan, diagnostics);
  if (!bytes)
    return std::nullopt;
  ModelPlan plan;
  std::string why = readPlan(reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size(), plan);
  if (why.empty() && plan.kernels > manifest.kernels.size())
    why = "it asks for more kernels than model.json has";
  std::vector<Shape> shapes;
  for (size_t i = 0; why.empty() && i < plan.inputs.size(); ++i)
    shapes.push_back(plan.values[plan.inputs[i]].shape);
  if (std::string ignored; why.empty() && (!agree(manifest.inputs, plan.inputs, {}, plan) ||
                                           !agree(manifest.outputs, plan.outputs, plan.counts, plan) ||
                                           formOfInputs(manifest, shapes, ignored) != form))
    why = "its inputs or outputs are not those of model.json";
  if (why.empty() && plan.weightBytes > manifest.findFile(kModelWeightsName)->size)
    why = "it asks for more weights than there are";
  if (why.empty() && plan.arenaBytes > manifest.arenaBytes)
    why = "it asks for a larger arena than model.json";
  if (why.empty())
    return plan;
  damaged(root,
          "the plan" + (manifest.sizes.empty() ? "" : " '" + path + "'") + " cannot be run: " + printable(why, 300),
          diagnostics);
  return std::nullopt;
}

bool LoadedModel::mapWeights(Diagnostics &diagnostics) {
  const UntrustedFolder root(folder.path);
  std::string why;
  const FileHandle handle(root.openInside(kModelWeightsName, O_RDONLY | O_CLOEXEC | O_NONBLOCK, why));
  if (handle.fd < 0)
    return damaged(root, std::string("'weights.bin' ") + (why.empty() ? std::strerror(errno) : why), diagnostics);
  weights = MappedFile::of(handle.fd, why);
  if (!weights)
    return damaged(root, "'weights.bin' is " + why, diagnostics);
  if (weights->bytes().size() != folder.manifest.findFile(kModelWeightsName)->size)
    return damaged(root, "'weights.bin' is no longer the file that was compiled", diagnostics);
  return true;
}

bool LoadedModel::openLibrary(Device &cpu, std::vector<std::shared_ptr<Device>> &places, Diagnostics &diagnostics) {
  constexpr int64_t kMaxLibrary = int64_t(1) << 30;
  const UntrustedFolder root(folder.path);
  const std::string &library = folder.manifest.cpuLibrary;
  auto *device = dynamic_cast<BundleDevice *>(&cpu);
  if (!device || !readListed(root, *folder.manifest.findFile(library), kMaxLibrary, diagnostics))
    return device == nullptr;
  auto opened = device->openBundle(folder.path + "/" + library, diagnostics);
  if (!opened)
    return false;
  if (opened->size() != folder.manifest.kernels.size())
    return damaged(root, "'" + printable(library) + "' has the kernels of another number of operators", diagnostics);
  places = std::move(*opened);
  return true;
}

bool LoadedModel::loadKernels(const std::shared_ptr<Device> &device, const std::shared_ptr<Device> &host,
                              Diagnostics &diagnostics) {
  const UntrustedFolder root(folder.path);
  auto deviceOf = [&](const Manifest &manifest) -> const std::shared_ptr<Device> & {
    return host && device->kernels(manifest).empty() ? host : device;
  };
  // Reading and hashing files of other devices would take most of the time.
  auto isUsed = [&](const Manifest &manifest, const std::string &file) {
    return (file == manifest.cpuLibrary) == deviceOf(manifest)->runsHostCode();
  };
  const std::shared_ptr<Device> &onCpu = device->runsHostCode() ? device : host;
  std::vector<std::shared_ptr<Device>> bundled; // the CPU with the kernels of each folder, created on demand
  for (const std::string &name : folder.manifest.kernels) {
    // A folder that is a link could lead out of the model's folder.
    std::string why;
    const FileHandle inside(root.openInside(name, O_PATH | O_DIRECTORY | O_CLOEXEC, why));
    if (inside.fd < 0)
      return damaged(root, "'" + printable(name) + "' " + (why.empty() ? std::strerror(errno) : why), diagnostics);
    std::optional<OpFolder> opened =
        openOpFolder(folder.path + "/" + name, std::move(folder.kernels[kernels.size()]), diagnostics, isUsed);
    if (!opened)
      return false;
    std::shared_ptr<Device> chosen = deviceOf(opened->manifest);
    isOnHost.push_back(chosen != device);
    hostNames.push_back(chosen != device ? opened->manifest.opType : "");
    if (chosen == onCpu && bundled.empty() && !folder.manifest.cpuLibrary.empty() &&
        !openLibrary(*onCpu, bundled, diagnostics))
      return false;
    if (chosen == onCpu && !bundled.empty())
      chosen = bundled[kernels.size()];
    kernels.push_back(Operator::create(std::move(*opened), chosen));
  }
  return true;
}

void LoadedModel::addAddress(Form &bound, const PlanValue &value) {
  void *address = nullptr;
  switch (value.memory) {
  case PlanValue::Arena:
    address = static_cast<char *>(arena.data()) + value.offset;
    break;
  case PlanValue::Weights:
    // Kernels take addresses that may be written to; a plan's results are never weights, which are mapped for reading.
    address = const_cast<char *>(weights->bytes().data()) + value.offset;
    break;
  case PlanValue::Input:
  case PlanValue::Output:
    bound.caller.push_back({bound.addresses.size(), value.memory == PlanValue::Output, value.offset, value.start});
    break;
  }
  bound.addresses.push_back(address);
}

bool LoadedModel::bindLaunch(Form &bound, size_t number, Step &step, Diagnostics &diagnostics) {
  const UntrustedFolder root(folder.path);
  const PlanStep &planned = bound.plan.steps[number];
  const std::vector<PlanValue> &values = bound.plan.values;
  auto valueOf = [&](int32_t operand) -> const PlanValue & { return values[static_cast<size_t>(operand)]; };
  std::vector<std::optional<TensorForm>> inputs;
  for (int32_t operand : planned.operands)
    inputs.push_back(operand < 0 ? std::nullopt
                                 : std::optional(TensorForm{valueOf(operand).type, valueOf(operand).shape}));
  std::vector<std::optional<ElementType>> types;
  for (uint32_t result : planned.results)
    types.emplace_back(values[result].type);
  if (isOnHost[planned.kernel]) {
    ++bound.ofHost;
    bound.onHost.insert(hostNames[planned.kernel]);
  }
  step.launch = PreparedLaunch::create(kernels[planned.kernel], inputs, planned.attributes, diagnostics, types);
  if (!step.launch)
    return false;
  const std::vector<TensorForm> &outputs = step.launch->outputs();
  bool same = outputs.size() == planned.results.size();
  for (size_t i = 0; same && i < outputs.size(); ++i)
    same = outputs[i] == TensorForm{values[planned.results[i]].type, values[planned.results[i]].shape};
  if (!same)
    return damaged(root, "step " + std::to_string(number) + " of the plan has results that its kernel does not have",
                   diagnostics);
  for (size_t i = 0; i < planned.operands.size(); ++i)
    for (size_t j = 0; j < planned.results.size(); ++j)
      if (planned.operands[i] >= 0 && overwrites(values[planned.results[j]], valueOf(planned.operands[i])) &&
          !step.launch->overwrite(i, j))
        return damaged(root,
                       "step " + std::to_string(number) + " of the plan writes over an operand of '" +
                           printable(kernels[planned.kernel]->manifest().opType) + "', which may not do that",
                       diagnostics);
  return true;
}

bool LoadedModel::bind(Form &bound, size_t number, Diagnostics &diagnostics) {
  const PlanStep &planned = bound.plan.steps[number];
  const std::vector<PlanValue> &values = bound.plan.values;
  Step step;
  step.first = bound.addresses.size();
  if (planned.kind == PlanStep::Join) {
    bound.steps.push_back(std::move(step));
    return true;
  }
  if (planned.kind == PlanStep::Launch && !bindLaunch(bound, number, step, diagnostics))
    return false;
  for (int32_t operand : planned.operands)
    if (operand < 0)
      bound.addresses.push_back(nullptr);
    else
      addAddress(bound, values[static_cast<size_t>(operand)]);
  for (uint32_t result : planned.results)
    addAddress(bound, values[result]);
  switch (planned.kind) {
  case PlanStep::Launch:
    // Other addresses are the same in each run.
    if (!bound.caller.empty() && bound.caller.back().place >= step.first)
      bound.stepsOfCaller.push_back(number);
    else if (!step.launch->check(bound.addresses.data() + step.first, diagnostics))
      return false;
    keepWeights(bound, planned, step);
    step.direct = step.launch->direct();
    break;
  case PlanStep::Copy:
    step.bytes = values[planned.results[0]].bytes();
    break;
  case PlanStep::Branch:
    step.ifFalse = number + 1 + planned.ifTrue;
    step.behind = step.ifFalse + planned.ifFalse;
    break;
  case PlanStep::Host:
    step.host = HostStep::create(planned, values);
    if (!step.host) {
      diagnostics.error(Code::E0901, {}, "no memory holds what step " + std::to_string(number) + " computes with");
      return false;
    }
    if (hasOtherDevice) {
      ++bound.ofHost;
      bound.onHost.emplace(hostFunctionName(static_cast<HostFunction>(planned.kernel)));
    }
    break;
  case PlanStep::Join:
    break;
  }
  bound.steps.push_back(std::move(step));
  return true;
}

/// Weights are the same in every run.
void LoadedModel::keepWeights(Form &bound, const PlanStep &planned, const Step &step) {
  std::vector<bool> isWeight;
  for (int32_t operand : planned.operands)
    isWeight.push_back(operand >= 0 && bound.plan.values[static_cast<size_t>(operand)].memory == PlanValue::Weights);
  isWeight.resize(isWeight.size() + planned.results.size());
  void *const *tensors = bound.addresses.data() + step.first;
  const PackedConstant *known = bound.packed ? &(*bound.packed)[bound.steps.size()] : nullptr;
  if (known && (!known->memory || step.launch->takePacked(tensors, isWeight, *known)))
    return;
  bound.isRefused |= known != nullptr;
  step.launch->keepConstants(tensors, isWeight);
}

std::unique_ptr<LoadedModel> LoadedModel::open(const std::string &path, std::shared_ptr<Device> device,
                                               Diagnostics &diagnostics, std::shared_ptr<Device> host,
                                               const std::vector<Shape> *shapes, const PackedStore *packed) {
  std::optional<ModelFolder> opened = openModelFolder(path, diagnostics);
  if (!opened)
    return nullptr;
  std::unique_ptr<LoadedModel> model(new LoadedModel());
  model->folder = std::move(*opened);
  model->store = packed;
  model->hasOtherDevice = !device->runsHostCode();
  model->shown = model->folder.manifest;
  const uint64_t arenaBytes = model->shown.arenaBytes;
  if (!model->mapWeights(diagnostics) || !model->loadKernels(device, host, diagnostics))
    return nullptr;
  std::optional<Tensor> arena =
      arenaBytes > INT64_MAX ? std::nullopt : Tensor::create(ElementType::UInt8, {static_cast<int64_t>(arenaBytes)});
  if (!arena) {
    diagnostics.error(Code::E0901, {}, "no memory holds the arena of " + std::to_string(arenaBytes) + " bytes");
    return nullptr;
  }
  model->arena = std::move(*arena);
  const bool isBound =
      shapes ? model->setShapes(*shapes, diagnostics) : model->choose(numForms(model->shown.sizes) - 1, diagnostics);
  return isBound ? std::move(model) : nullptr;
}

/// What packed constants depend on; empty if the forms of the kernels have no name. Which ones there are depends on the
/// plan, their contents on weights and kernels; model.json has the checksums of all of them. Those of plans and kernels
/// are compared at each load, and that of the weights before anything is written under this key.
std::string LoadedModel::packedKey(size_t form) const {
  std::string text;
  for (const std::shared_ptr<Operator> &kernel : kernels)
    text += kernel->device().packedForm() + ",";
  if (text.size() == kernels.size())
    return {};
  return "model " + folder.sha256 + " form " + std::to_string(form) + " of kernels " + sha256(text);
}

std::unique_ptr<LoadedModel::Form> LoadedModel::bindForm(size_t number, Diagnostics &diagnostics) {
  std::optional<ModelPlan> plan = readPlanOf(folder, number, diagnostics);
  if (!plan)
    return nullptr;
  auto bound = std::make_unique<Form>();
  bound->number = number;
  bound->plan = std::move(*plan);
  const std::string key = store ? packedKey(number) : "";
  if (!key.empty())
    bound->packed = store->open(key, bound->plan.steps.size(), diagnostics);
  for (size_t i = 0; i < bound->plan.steps.size(); ++i)
    if (!bind(*bound, i, diagnostics))
      return nullptr;
  if (bound->isRefused)
    store->tellDamage(key, "constants of these kernels", diagnostics);
  if (!key.empty() && (!bound->packed || bound->isRefused) &&
      sha256(weights->bytes()) == folder.manifest.findFile(kModelWeightsName)->sha256) {
    std::vector<PackedConstant> packed;
    for (const Step &step : bound->steps)
      packed.push_back(step.launch ? step.launch->packed() : PackedConstant());
    store->keep(key, packed);
  }
  bound->packed.reset();
  return bound;
}

bool LoadedModel::choose(size_t number, Diagnostics &diagnostics) {
  auto known = std::find_if(forms.begin(), forms.end(), [&](const auto &each) { return each->number == number; });
  if (known == forms.end()) {
    std::unique_ptr<Form> bound = bindForm(number, diagnostics);
    if (!bound)
      return false;
    if (forms.size() == kBoundForms)
      forms.pop_back();
    forms.push_back(std::move(bound));
    known = forms.end() - 1;
  }
  std::rotate(forms.begin(), known, known + 1);
  form = forms.front().get();
  for (size_t i = 0; i < shown.inputs.size(); ++i)
    shown.inputs[i].shape = form->plan.values[form->plan.inputs[i]].shape;
  for (size_t i = 0; i < shown.outputs.size(); ++i)
    shown.outputs[i].shape = form->plan.values[form->plan.outputs[i]].shape;
  return true;
}

bool LoadedModel::setShapes(const std::vector<Shape> &shapes, Diagnostics &diagnostics) {
  std::string why;
  const std::optional<size_t> number = formOfInputs(folder.manifest, shapes, why);
  if (!number) {
    diagnostics.error(Code::E0523, {}, why, {}, "compile the model with --input_shape for other sizes");
    return false;
  }
  return (form && *number == form->number) || choose(*number, diagnostics);
}

const void *LoadedModel::addressOf(const PlanValue &value) const {
  switch (value.memory) {
  case PlanValue::Arena:
    return static_cast<const char *>(arena.data()) + value.offset;
  case PlanValue::Weights:
    return weights->bytes().data() + value.offset;
  case PlanValue::Input:
  case PlanValue::Output:
    break;
  }
  return nullptr;
}

void LoadedModel::replace(const PlanValue &value, const void *elements) {
  if (value.memory == PlanValue::Arena && value.bytes() != 0)
    std::memcpy(static_cast<char *>(arena.data()) + value.offset, elements, value.bytes());
}

/// Puts the addresses of a run in their places and checks the launches that use them.
bool LoadedModel::setCaller(void *const *inputs, void *const *outputs, Diagnostics &diagnostics) {
  bool isSame = form->isChecked;
  for (const Open &open : form->caller) {
    void *address = static_cast<char *>(open.isOutput ? outputs[open.number] : inputs[open.number]) + open.start;
    isSame = isSame && form->addresses[open.place] == address;
    form->addresses[open.place] = address;
  }
  if (isSame)
    return true;
  form->isChecked = true;
  for (size_t number : form->stepsOfCaller) {
    const Step &step = form->steps[number];
    form->isChecked = step.launch->check(form->addresses.data() + step.first, diagnostics) && form->isChecked;
  }
  return form->isChecked;
}

bool LoadedModel::runStep(const Step &step, Diagnostics &diagnostics) {
  void *const *tensors = form->addresses.data() + step.first;
  if (__builtin_expect(step.direct != nullptr, true))
    return step.direct->run(tensors, diagnostics);
  if (step.launch)
    return step.launch->runChecked(tensors, diagnostics);
  if (step.host)
    step.host->run(tensors);
  else if (step.bytes != 0)
    std::memcpy(tensors[1], tensors[0], step.bytes);
  return true;
}

bool LoadedModel::runSteps(size_t first, size_t end, const std::function<void(size_t)> *after,
                           Diagnostics &diagnostics) {
  for (size_t i = first; i < end;) {
    const Step &step = form->steps[i];
    const size_t next = step.behind != 0 ? step.behind : i + 1;
    if (step.behind != 0) {
      // checkPlan limits the nesting of branches.
      const bool isTrue = *static_cast<const uint8_t *>(form->addresses[step.first]) != 0;
      if (!runSteps(isTrue ? i + 1 : step.ifFalse, isTrue ? step.ifFalse : step.behind, after, diagnostics))
        return false;
    } else if (!runStep(step, diagnostics)) {
      // A launch knows its kernel, and not whose step it is.
      const PlanStep &failed = form->plan.steps[i];
      if (diagnostics.hasErrors())
        diagnostics.remark(diagnostics.all().back().code, {},
                           "this is the launch of step " + std::to_string(i) + " of the model" +
                               (failed.node.empty() ? "" : ", node '" + printable(failed.node) + "'"));
      return false;
    }
    if (after)
      (*after)(i);
    i = next;
  }
  return true;
}

Shape LoadedModel::shapeOfOutput(size_t number) const {
  Shape shape = shown.outputs[number].shape;
  const int32_t count = number < form->plan.counts.size() ? form->plan.counts[number] : -1;
  if (count >= 0) {
    int64_t rows = 0;
    std::memcpy(&rows, addressOf(form->plan.values[static_cast<size_t>(count)]), sizeof rows);
    shape[0] = std::clamp<int64_t>(rows, 0, shape[0]);
  }
  return shape;
}

} // namespace opc
