// An op folder, or a contract whose kernels come from the cache: inputs given or random, then the launch is bound.

#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/Presence.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/core/tensor/PackedMatrix.h"
#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/OperatorSource.h"
#include "tools/opc/SimFlags.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/profile/ProfiledKernel.h"
#include "tools/opc/run/SimLaunch.h"
#include "tools/opc/tensors/RandomInputs.h"

#include <algorithm>

namespace opc::tool {

namespace {
class FolderKernel final : public ProfiledKernel {
public:
  explicit FolderKernel(const LaunchFlags &options) : options(options) {}
  bool open(const std::string &path, Diagnostics &diagnostics);
  bool simulate(const Target &chip, const SimOptions &simOptions, SimResult &result, Diagnostics &diagnostics) override;

private:
  bool readGiven(Diagnostics &diagnostics);
  bool takeKnown(Diagnostics &diagnostics);
  bool makeInputs(Diagnostics &diagnostics);
  bool findKernels(Diagnostics &diagnostics);
  bool bind(Diagnostics &diagnostics);
  void describe();

  const LaunchFlags options;
  std::optional<OperatorSource> source;
  OpFolder folder;
  std::optional<Target> figures;
  MemoryModel memory;
  std::vector<NamedValue> attributes;
  std::optional<Target> target;
  std::optional<unsigned> row;
  std::vector<std::optional<Tensor>> inputs;
  std::vector<bool> random;
  std::optional<BoundLaunch> bound;
  std::optional<SimulatorProgram> program;
};
} // namespace

bool FolderKernel::readGiven(Diagnostics &diagnostics) {
  const Manifest &manifest = source->manifest();
  std::vector<std::string> names;
  for (const ManifestTensor &input : manifest.inputs)
    names.push_back(input.name);
  for (const TensorFile &file : parseTensorFiles(options.inputs, "input", manifest.opType, names, diagnostics)) {
    const size_t index = size_t(std::find(names.begin(), names.end(), file.name) - names.begin());
    inputs[index] = readInput(file, manifest.opType, diagnostics);
  }
  return !diagnostics.hasErrors();
}

/// The type row of the first kernel; binding the launch refuses a folder without kernels.
static unsigned firstRow(const Manifest &manifest) {
  return manifest.kernels.empty() ? 0 : manifest.kernels.front().typeRow;
}

/// Takes the inputs of another launch, by name.
bool FolderKernel::takeKnown(Diagnostics &diagnostics) {
  const Manifest &manifest = source->manifest();
  const std::string other = "'" + printable(options.like->kernel) + "'";
  auto find = [&](const std::string &name) {
    return std::find_if(options.like->tensors.begin(), options.like->tensors.end(),
                        [&name](const ProfiledTensor &of) { return of.name == name && of.tensor; });
  };
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs.size(); ++i) {
    names.push_back(manifest.inputs[i].name);
    const auto found = find(names.back());
    if (found != options.like->tensors.end() && found->role == ProfiledTensor::Input) {
      const Tensor &known = *found->tensor;
      inputs[i] = Tensor::overPacked(known.type(), known.shape(), known.packedForm(), const_cast<void *>(known.data()));
      random[i] = found->isRandom;
    } else if (manifest.inputs[i].required) {
      diagnostics.error(Code::E0804, {},
                        "expects an input '" + names.back() + "' as '" + printable(manifest.opType) +
                            "' has, found none in " + other);
    }
  }
  for (const ManifestTensor &output : manifest.outputs)
    names.push_back(output.name);
  for (const ProfiledTensor &of : options.like->tensors)
    if (of.role != ProfiledTensor::Workspace && std::find(names.begin(), names.end(), of.name) == names.end())
      diagnostics.error(Code::E0804, {},
                        "expects the tensors of " + other + ", found no '" + printable(of.name) + "' in '" +
                            printable(manifest.opType) + "'");
  return !diagnostics.hasErrors();
}

/// Makes the inputs: the given ones, and random ones with the shapes of --input_shape and the types of the selected
/// row, by default the folder's first.
bool FolderKernel::makeInputs(Diagnostics &diagnostics) {
  const Manifest &manifest = source->manifest();
  inputs.resize(manifest.inputs.size());
  random.assign(manifest.inputs.size(), false);
  if (options.like)
    return takeKnown(diagnostics);
  if (!readGiven(diagnostics))
    return false;
  std::vector<NamedInput> named;
  std::string missing;
  for (size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({manifest.inputs[i].name, manifest.inputs[i].required && !inputs[i]});
    if (named.back().required && missing.empty())
      missing = named.back().name;
  }
  if (options.shapes.empty()) {
    if (!missing.empty())
      diagnostics.error(Code::E0103, {}, "expects --input for every input, or --input_shape for random ones", {},
                        "--input_shape=\"" + missing + ":1024,1024\"");
    return missing.empty();
  }
  auto shapes = parseInputShapes(manifest.opType, named, options.shapes, diagnostics);
  if (!shapes)
    return false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto found = shapes->find(manifest.inputs[i].name);
    if (found == shapes->end())
      continue;
    if (inputs[i]) {
      diagnostics.error(Code::E0109, {},
                        "input '" + manifest.inputs[i].name + "' is given twice: by --input and by --input_shape");
      return false;
    }
    const ElementType type = manifest.inputs[i].types[row.value_or(firstRow(manifest))];
    inputs[i] = Tensor::create(type, found->second);
    if (!inputs[i]) {
      diagnostics.error(Code::E0527, {},
                        "no memory for '" + manifest.inputs[i].name + "' of shape " + shapeText(found->second));
      return false;
    }
    fillRandom(*inputs[i], options.seed + i, manifest.inputs[i]);
    const PackedForm form = manifest.inputs[i].packedForm(row.value_or(firstRow(manifest)));
    if (form != PackedForm::None && !(inputs[i] = packedCopy(*inputs[i], form))) {
      diagnostics.error(Code::E0527, {}, "expects a matrix that can be packed at '" + manifest.inputs[i].name + "'");
      return false;
    }
    random[i] = true;
  }
  return true;
}

static std::vector<const Tensor *> given(const std::vector<std::optional<Tensor>> &inputs) {
  std::vector<const Tensor *> list;
  for (const std::optional<Tensor> &input : inputs)
    list.push_back(input ? &*input : nullptr);
  return list;
}

bool FolderKernel::findKernels(Diagnostics &diagnostics) {
  attributes = parseAttributes(options.attributes, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  // Random inputs have the types of the selected row, by default the first.
  if (!row && !options.like && std::all_of(random.begin(), random.end(), [](bool value) { return value; }))
    row = firstRow(source->manifest());
  std::optional<OpFolder> found = source->folderFor(given(inputs), row, attributes, diagnostics);
  if (!found)
    return false;
  folder = std::move(*found);
  inputs = takePlaces(folder.manifest, source->manifest(), std::move(inputs));
  random = takePlaces(folder.manifest, source->manifest(), std::move(random));
  target = targetOf(folder.manifest.target, figures, options.figures, diagnostics);
  if (target)
    target = withRates(*target, memory);
  return target.has_value();
}

bool FolderKernel::bind(Diagnostics &diagnostics) {
  const Manifest &manifest = folder.manifest;
  bound = bindLaunch(manifest, given(inputs), attributes, {1, nullptr, row}, diagnostics);
  if (!bound)
    return false;
  program = loadSimulatorProgram(folder.path, manifest, *bound->kernel, diagnostics);
  return program.has_value();
}

bool FolderKernel::simulate(const Target &chip, const SimOptions &simOptions, SimResult &result,
                            Diagnostics &diagnostics) {
  return simulateLaunch(folder.manifest, *program, chip, given(inputs), *bound, simOptions, result, diagnostics);
}

void FolderKernel::describe() {
  const Manifest &manifest = folder.manifest;
  about.operatorName = manifest.opType;
  about.kernel = bound->kernel->name;
  about.typeRow = typeRowName(manifest, bound->kernel->typeRow);
  about.isStatic = manifest.isStatic;
  about.program = &*program;
  about.target = &*target;
  for (size_t i = 0; i < inputs.size(); ++i)
    about.tensors.push_back(
        {manifest.inputs[i].name, inputs[i] ? &*inputs[i] : nullptr, ProfiledTensor::Input, bool(random[i])});
  for (size_t i = 0; i < bound->outputs.size(); ++i)
    about.tensors.push_back({manifest.outputs[i].name, &bound->outputs[i], ProfiledTensor::Output, false});
  for (size_t i = 0; i < bound->workspace.size(); ++i)
    about.tensors.push_back({manifest.workspace[i].name, &bound->workspace[i], ProfiledTensor::Workspace, false});
  about.figuresFile = options.figures;
  about.memory = memory;
  about.blocks = bound->blockNum;
  about.seed = options.seed;
}

bool FolderKernel::open(const std::string &path, Diagnostics &diagnostics) {
  figures = readFigures(options.figures, diagnostics);
  memory = memoryModel(options.memory, options.figures, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  source = OperatorSource::open(path, options.cache, diagnostics);
  if (source && !options.dtype.empty())
    row = findTypeRow(source->manifest(), options.dtype, diagnostics);
  if (diagnostics.hasErrors() || !makeInputs(diagnostics) || !findKernels(diagnostics) || !bind(diagnostics))
    return false;
  describe();
  return true;
}

std::unique_ptr<ProfiledKernel> openFolderKernel(const std::string &folder, const LaunchFlags &flags,
                                                 Diagnostics &diagnostics) {
  auto kernel = std::make_unique<FolderKernel>(flags);
  return kernel->open(folder, diagnostics) ? std::move(kernel) : nullptr;
}

} // namespace opc::tool
