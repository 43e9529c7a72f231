#include "runtime/core/launch/Launch.h"

#include "runtime/core/launch/Attributes.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/LaunchShapes.h"

#include <algorithm>
#include <cstring>

namespace opc {

/// The first kernel of a row; all kernels of a row have the same tiling function.
static const ManifestKernel *firstOfRow(const Manifest &manifest, const std::vector<ManifestKernel> &kernels,
                                        unsigned row, Diagnostics &diagnostics) {
  for (const ManifestKernel &kernel : kernels)
    if (kernel.typeRow == row)
      return &kernel;
  const auto ofCpu = std::find_if(manifest.cpuKernels.begin(), manifest.cpuKernels.end(),
                                  [row](const ManifestKernel &kernel) { return kernel.typeRow == row; });
  if (ofCpu != manifest.cpuKernels.end() && &kernels == &manifest.kernels) {
    diagnostics.error(
        Code::E0502, {},
        "expects an op folder with a kernel for the AI Core, found kernels of '" + printable(manifest.opType) +
            "' for the CPU alone: " + "the row " + rowText(manifest, row) +
            (ofCpu->cpuAlone.empty() ? " was compiled without one" : " has " + printable(ofCpu->cpuAlone, 300)),
        "", "--device=cpu");
    return nullptr;
  }
  const bool isOfAicore = std::any_of(manifest.kernels.begin(), manifest.kernels.end(),
                                      [row](const ManifestKernel &kernel) { return kernel.typeRow == row; });
  if (isOfAicore && &kernels == &manifest.cpuKernels) {
    diagnostics.error(Code::E0502, {},
                      "expects inputs that the CPU reads, found a weight that is packed for the AI Core: '" +
                          printable(manifest.opType) + "' has no kernel for the CPU of the row " +
                          rowText(manifest, row),
                      "", "--device=sim, or the .npy file it was packed from");
    return nullptr;
  }
  diagnostics.error(Code::E0522, {}, "the op folder was compiled without the row " + rowText(manifest, row),
                    "launch_c5", "compile it without --dtype and --cpu-levels=none");
  return nullptr;
}

static std::string shapesText(const Manifest &manifest, const std::vector<Shape> &shapes) {
  std::string text;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i < manifest.inputs.size() + manifest.outputs.size())
      text += (text.empty() ? "" : ", ") + printable(manifest.tensorAt(i).name) + " " + shapeText(shapes[i]);
  }
  return text;
}

/// What serves a launch that no key does. Kernels of windows have their sizes in the tiling data, those that sort lines
/// or read places of them the lines' lengths, and those of products the tiles of results.
static std::string withoutKey(const TilingFunction &tiling) {
  // Those of a nest end with its number.
  if (std::any_of(tiling.outputs.begin(), tiling.outputs.end(),
                  [](const TilingFunction::Output &output) { return output.field.name.rfind("window_in0", 0) == 0; }))
    return "windows that reach over fewer elements of a row or plane, or another device: docs/reference/scope.md, "
           "under 'windows', has the limits";
  if (tiling.findOutput("tiles_across") || tiling.findOutput("tile_n"))
    return "shorter rows of the product, which are whole in a tile where they are reduced, or another device; or two "
           "operators: the product, then what follows on its rows";
  auto isLength = [](const TilingFunction::Output &output) {
    constexpr std::string_view kSuffix = "_count";
    const std::string &name = output.field.name;
    return name.size() > kSuffix.size() && name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
  };
  if (std::any_of(tiling.outputs.begin(), tiling.outputs.end(), isLength))
    return "shorter lines, or another device: docs/reference/scope.md has the limits of sorts and gathers";
  return "shapes that mix more ways to broadcast or to reduce than kernels have; write one input out in full, or "
         "reduce in two steps";
}

/// The kernel that the tiling data of a launch selects.
static const ManifestKernel *pickKernel(const Manifest &manifest, const std::vector<ManifestKernel> &kernels,
                                        const std::vector<Shape> &shapes, const BoundLaunch &launch,
                                        Diagnostics &diagnostics) {
  std::optional<size_t> output = launch.kernel->tiling.findOutput(kTilingKeyField);
  if (!output)
    return launch.kernel;
  int64_t key = launch.tiling[*output];
  for (const ManifestKernel &kernel : kernels)
    if (kernel.typeRow == launch.kernel->typeRow && kernel.tilingKey == uint64_t(key))
      return &kernel;
  if (key == kNoTilingKey)
    diagnostics.error(Code::E0534, {},
                      "'" + printable(manifest.opType) + "' has no kernel for " + shapesText(manifest, shapes),
                      "launch_c17", withoutKey(launch.kernel->tiling));
  else
    diagnostics.error(Code::E0528, {},
                      "the tiling function of '" + printable(launch.kernel->name) + "' picks kernel " +
                          std::to_string(key) + ", which is not there",
                      "launch_c17", "compile the operator again");
  return nullptr;
}

/// Makes outputs or the workspace, and fills each byte. Bytes of the workspace are no number that a kernel computes.
static std::optional<std::vector<Tensor>> makeTensors(const Manifest &manifest, bool isWorkspace, unsigned row,
                                                      LaunchShapes &shapes, const MakeTensor &makeOutput,
                                                      Diagnostics &diagnostics) {
  std::vector<Tensor> outputs;
  for (const ManifestTensor &tensor : isWorkspace ? manifest.workspace : manifest.outputs) {
    const std::string who = (isWorkspace ? "workspace '" : "output '") + printable(tensor.name) + "'";
    std::optional<Shape> shape = shapes.infer(tensor);
    if (!shape)
      return std::nullopt;
    if (row >= tensor.types.size()) {
      diagnostics.error(Code::E0501, {}, who + " lacks a type in the manifest");
      return std::nullopt;
    }
    if (!checkedElements(*shape, elementSize(tensor.types[row]))) {
      diagnostics.error(Code::E0527, {}, who + " of shape " + shapeText(*shape) + " has more bytes than 63 bits count",
                        "launch_c16");
      return std::nullopt;
    }
    std::optional<Tensor> output = makeOutput(tensor.types[row], *shape);
    if (!output) {
      const int64_t bytes =
          *checkedElements(*shape, elementSize(tensor.types[row])) * int64_t(elementSize(tensor.types[row]));
      diagnostics.error(Code::E0527, {},
                        "no memory for " + who + " of shape " + shapeText(*shape) + " of '" +
                            printable(manifest.opType) + "', which has " + std::to_string(bytes) + " bytes");
      return std::nullopt;
    }
    if (output->numBytes() && output->data())
      std::memset(output->data(), isWorkspace ? 0xff : 0, size_t(output->numBytes()));
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

/// The value of an input register of the tiling function.
static std::optional<int64_t> tilingInput(const Manifest &manifest, const TilingInput &input,
                                          const std::vector<Shape> &shapes, const LaunchShapes &bound,
                                          int64_t maxBlocks) {
  if (input.kind == TilingInput::MaxBlocks)
    return maxBlocks;
  if (input.tensor >= shapes.size())
    return std::nullopt;
  const Shape &shape = shapes[input.tensor];
  switch (input.kind) {
  case TilingInput::NumElements:
    return checkedElements(shape);
  case TilingInput::Rank:
    return int64_t(shape.size());
  case TilingInput::Dim:
  case TilingInput::Reduced: {
    bool size = input.kind == TilingInput::Dim;
    int64_t index = input.dim < 0 ? input.dim + int64_t(shape.size()) : input.dim;
    if (index < 0 || index >= int64_t(shape.size()))
      return size ? 1 : 0;
    if (size)
      return shape[size_t(index)];
    if (input.tensor >= manifest.inputs.size())
      return std::nullopt;
    const std::vector<bool> &reduced = bound.reduced(manifest.inputs[input.tensor].name);
    return size_t(index) < reduced.size() && reduced[size_t(index)];
  }
  case TilingInput::MaxBlocks:
    break;
  }
  return std::nullopt;
}

static bool runTilingFunction(const Manifest &manifest, const std::vector<Shape> &shapes, const LaunchShapes &bound,
                              int64_t maxBlocks, BoundLaunch &launch, Diagnostics &diagnostics) {
  const TilingFunction &function = launch.kernel->tiling;
  std::string who = "the tiling function of '" + printable(launch.kernel->name) + "'";
  std::string broken = checkTiling(function);
  std::vector<int64_t> inputs;
  for (const TilingInput &input : function.inputs) {
    std::optional<int64_t> value = tilingInput(manifest, input, shapes, bound, maxBlocks);
    if (!value)
      broken = "it reads a tensor that is not there";
    inputs.push_back(value.value_or(0));
  }
  if (broken.empty() && function.outputs.empty())
    broken = "it has no output";
  if (!broken.empty()) {
    diagnostics.error(Code::E0528, {}, who + " is damaged: " + broken);
    return false;
  }
  launch.tiling.resize(function.outputs.size());
  EvalStatus status = runTiling(function, inputs.data(), launch.tiling.data());
  if (status != EvalStatus::Ok) {
    std::string sizes;
    for (int64_t value : inputs)
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(value);
    diagnostics.error(Code::E0527, {}, who + " has no value for " + sizes + ": " + std::string(evalStatusText(status)));
    return false;
  }
  launch.blockNum = launch.tiling[0];
  if (launch.blockNum < 1) {
    diagnostics.error(Code::E0528, {}, who + " expects at least one block: found " + std::to_string(launch.blockNum),
                      "launch_c8");
    return false;
  }
  return true;
}

/// Finds the inputs whose values a launch checks, and checks those that have memory.
static bool bindValues(const Manifest &manifest, const std::vector<const Tensor *> &inputs, const LaunchShapes &shapes,
                       BoundLaunch &launch, Diagnostics &diagnostics) {
  std::vector<const void *> memory;
  bool isThere = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    memory.push_back(inputs[i] ? inputs[i]->data() : nullptr);
    const std::optional<ManifestValues> &values = manifest.inputs[i].values;
    if (!values || !inputs[i])
      continue;
    const int64_t size = manifest.isStatic ? values->size : shapes.sizeOf(values->along);
    launch.bounds.push_back({i, inputs[i]->type(), inputs[i]->shape(), values->fromEnd ? -size : 0, size});
    isThere &= memory.back() || inputs[i]->numBytes() == 0;
  }
  return !isThere || checkValues(manifest, launch.bounds, memory.data(), diagnostics);
}

std::optional<BoundLaunch> bindLaunch(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, const LaunchTarget &target,
                                      Diagnostics &diagnostics, const MakeTensor &makeOutput) {
  const std::vector<ManifestKernel> &kernels = target.kernels ? *target.kernels : manifest.kernels;
  size_t before = diagnostics.errorCount();
  for (size_t i = 0; i < manifest.inputs.size(); ++i)
    if (manifest.inputs[i].required && (i >= inputs.size() || !inputs[i]))
      diagnostics.error(Code::E0520, {},
                        "input '" + printable(manifest.inputs[i].name) + "' of '" + printable(manifest.opType) +
                            "' is not given",
                        "launch_c9", "--input " + manifest.inputs[i].name + "=@FILE.npy");
  std::optional<BoundAttributes> values = bindAttributes(manifest, attributes, diagnostics);
  if (diagnostics.errorCount() != before || inputs.size() != manifest.inputs.size())
    return std::nullopt;

  std::optional<unsigned> row =
      pickTypeRow(manifest, inputs,
                  target.typeRow ? target.typeRow : rowOfOutputs(manifest, inputs, target.outputTypes), diagnostics);
  LaunchShapes shapes(manifest, values->values, diagnostics);
  bool bound = true;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i])
      bound &= shapes.bind(manifest.inputs[i], inputs[i]->shape());
  if (!row || !bound || !shapes.solve())
    return std::nullopt;

  BoundLaunch launch;
  launch.kernel = firstOfRow(manifest, kernels, *row, diagnostics);
  if (!launch.kernel)
    return std::nullopt;
  auto outputs = makeTensors(manifest, /*isWorkspace=*/false, *row, shapes, makeOutput, diagnostics);
  if (!outputs)
    return std::nullopt;
  launch.outputs = std::move(*outputs);
  auto workspace = makeTensors(manifest, /*isWorkspace=*/true, *row, shapes, makeOutput, diagnostics);
  if (!workspace)
    return std::nullopt;
  launch.workspace = std::move(*workspace);

  std::vector<Shape> all;
  for (const Tensor *input : inputs)
    all.push_back(input ? input->shape() : Shape{0});
  for (const auto *tensors : {&launch.outputs, &launch.workspace})
    for (const Tensor &tensor : *tensors)
      all.push_back(tensor.shape());
  if (!runTilingFunction(manifest, all, shapes, target.maxBlocks, launch, diagnostics))
    return std::nullopt;
  launch.kernel = pickKernel(manifest, kernels, all, launch, diagnostics);
  if (!launch.kernel || !bindValues(manifest, inputs, shapes, launch, diagnostics))
    return std::nullopt;
  for (const std::string &name : launch.kernel->launchAttributes) {
    auto value = values->slots.find(name);
    if (value == values->slots.end()) {
      diagnostics.error(Code::E0501, {},
                        "kernel '" + printable(launch.kernel->name) + "' reads attribute '" + printable(name) +
                            "' that the manifest does not bind at launch");
      return std::nullopt;
    }
    launch.tiling.push_back(value->second);
  }
  return launch;
}

std::optional<BoundLaunch> bindLaunch(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, int64_t maxBlocks,
                                      Diagnostics &diagnostics, const MakeTensor &makeOutput) {
  return bindLaunch(manifest, inputs, attributes, LaunchTarget{maxBlocks, nullptr, std::nullopt}, diagnostics,
                    makeOutput);
}

LaunchArguments launchArguments(const std::vector<const Tensor *> &inputs, BoundLaunch &launch) {
  LaunchArguments arguments;
  for (const Tensor *input : inputs) {
    LaunchTensor tensor;
    if (input)
      tensor = {const_cast<void *>(input->data()), input->numBytes(), input->type()};
    arguments.tensors.push_back(tensor);
  }
  for (auto *tensors : {&launch.outputs, &launch.workspace})
    for (Tensor &tensor : *tensors)
      arguments.tensors.push_back({tensor.data(), tensor.numBytes(), tensor.type()});
  arguments.tiling = launch.tiling;
  arguments.blockNum = launch.blockNum;
  return arguments;
}

} // namespace opc
