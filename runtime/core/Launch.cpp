#include "runtime/core/Launch.h"

#include "runtime/core/Attributes.h"
#include "runtime/core/LaunchShapes.h"

#include <algorithm>
#include <cstring>

namespace opc {

static std::string rowText(const Manifest &manifest, size_t row) {
  std::string text;
  for (const ManifestTensor &tensor : manifest.inputs)
    if (row < tensor.types.size())
      text += (text.empty() ? "" : ", ") + printable(tensor.name) + " " +
              std::string(elementTypeName(tensor.types[row]));
  return text;
}

/// What the contract lacks for inputs of these types: one more entry in the `types` of each tensor.
/// An output follows the input whose type it has in the nearest row.
static std::string rowToAdd(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                            size_t nearest) {
  auto typeOf = [&](size_t i) {
    return inputs[i] ? inputs[i]->type() : manifest.inputs[i].types[nearest];
  };
  std::string text;
  auto add = [&](const ManifestTensor &tensor, ElementType type) {
    text += (text.empty() ? "" : ", ") + printable(tensor.name) + " '- " +
            std::string(elementTypeName(type)) + "'";
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    add(manifest.inputs[i], typeOf(i));
  for (const ManifestTensor &output : manifest.outputs) {
    ElementType type = output.types[nearest];
    for (size_t i = 0; i < inputs.size(); ++i)
      if (manifest.inputs[i].types[nearest] == output.types[nearest]) {
        type = typeOf(i);
        break;
      }
    add(output, type);
  }
  return text;
}

/// The row of the type table that the inputs are; -1, with E0522 and the nearest row, when there is
/// none.
static int pickTypeRow(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                       Diagnostics &diagnostics) {
  size_t rows = SIZE_MAX;
  for (const ManifestTensor &tensor : manifest.inputs)
    rows = std::min(rows, tensor.types.size());
  rows = rows == SIZE_MAX ? 0 : rows;
  size_t nearest = 0, nearestMatches = 0;
  for (size_t row = 0; row < rows; ++row) {
    size_t matches = 0, given = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i])
        continue;
      ++given;
      matches += manifest.inputs[i].types[row] == inputs[i]->type();
    }
    if (matches == given)
      return int(row);
    if (matches > nearestMatches) {
      nearest = row;
      nearestMatches = matches;
    }
  }
  std::string found;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i])
      found += (found.empty() ? "" : ", ") + printable(manifest.inputs[i].name) + " " +
               std::string(elementTypeName(inputs[i]->type()));
  std::string fix = "the nearest row is " + rowText(manifest, nearest) +
                    "; the contract's type table has " + std::to_string(rows) +
                    (rows == 1 ? " row" : " rows");
  bool known = rows != 0;
  for (const ManifestTensor &output : manifest.outputs)
    known &= nearest < output.types.size();
  if (known)
    fix += ". A row for these types adds one line to 'types' of each tensor in op_contract.yaml: " +
           rowToAdd(manifest, inputs, nearest);
  diagnostics.error(Code::E0522, {},
                    "'" + printable(manifest.opType) + "' expects a row of its type table: found " +
                        found,
                    "launch_c5", fix);
  return -1;
}

static const ManifestKernel *pickKernel(const Manifest &manifest, unsigned row,
                                        Diagnostics &diagnostics) {
  for (const ManifestKernel &kernel : manifest.kernels)
    if (kernel.typeRow == row)
      return &kernel;
  diagnostics.error(Code::E0522, {},
                    "the op folder was compiled without the row " + rowText(manifest, row),
                    "launch_c5", "compile it without --dtype");
  return nullptr;
}

static std::optional<std::vector<Tensor>> makeOutputs(const Manifest &manifest, unsigned row,
                                                      LaunchShapes &shapes,
                                                      const MakeTensor &makeOutput,
                                                      Diagnostics &diagnostics) {
  std::vector<Tensor> outputs;
  for (const ManifestTensor &tensor : manifest.outputs) {
    std::optional<Shape> shape = shapes.infer(tensor);
    if (!shape)
      return std::nullopt;
    if (row >= tensor.types.size()) {
      diagnostics.error(Code::E0501, {},
                        "output '" + printable(tensor.name) + "' lacks a type in the manifest");
      return std::nullopt;
    }
    std::optional<Tensor> output = makeOutput(tensor.types[row], *shape);
    if (!output) {
      diagnostics.error(Code::E0527, {},
                        "no memory for output '" + printable(tensor.name) + "' of shape " +
                            shapeText(*shape));
      return std::nullopt;
    }
    if (output->numBytes() && output->data())
      std::memset(output->data(), 0, size_t(output->numBytes()));
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

/// What an input register of the tiling function starts with.
static std::optional<int64_t> tilingInput(const TilingInput &input,
                                          const std::vector<Shape> &shapes, int64_t maxBlocks) {
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
  case TilingInput::Dim: {
    int64_t index = input.dim < 0 ? input.dim + int64_t(shape.size()) : input.dim;
    return index >= 0 && index < int64_t(shape.size()) ? shape[size_t(index)] : 1;
  }
  case TilingInput::MaxBlocks:
    break;
  }
  return std::nullopt;
}

static bool runTilingFunction(const Manifest &manifest, const std::vector<Shape> &shapes,
                              int64_t maxBlocks, BoundLaunch &launch, Diagnostics &diagnostics) {
  const TilingFunction &function = launch.kernel->tiling;
  std::string who = "the tiling function of '" + printable(launch.kernel->name) + "'";
  std::string broken = checkTiling(function);
  std::vector<int64_t> inputs;
  for (const TilingInput &input : function.inputs) {
    std::optional<int64_t> value = tilingInput(input, shapes, maxBlocks);
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
    diagnostics.error(Code::E0527, {},
                      who + " has no value for " + sizes + ": " +
                          std::string(evalStatusText(status)));
    return false;
  }
  launch.blockNum = launch.tiling[0];
  if (launch.blockNum < 1) {
    diagnostics.error(Code::E0528, {},
                      who + " expects at least one block: found " + std::to_string(launch.blockNum),
                      "launch_c8");
    return false;
  }
  return true;
}

std::optional<BoundLaunch> bindLaunch(const Manifest &manifest,
                                      const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, int64_t maxBlocks,
                                      Diagnostics &diagnostics, const MakeTensor &makeOutput) {
  size_t before = diagnostics.errorCount();
  for (size_t i = 0; i < manifest.inputs.size(); ++i)
    if (manifest.inputs[i].required && (i >= inputs.size() || !inputs[i]))
      diagnostics.error(Code::E0520, {},
                        "input '" + printable(manifest.inputs[i].name) + "' of '" +
                            printable(manifest.opType) + "' is not given",
                        "launch_c9", "--input " + manifest.inputs[i].name + "=@FILE.npy");
  std::optional<std::map<std::string, int64_t>> slots =
      bindAttributes(manifest, attributes, diagnostics);
  if (diagnostics.errorCount() != before || inputs.size() != manifest.inputs.size())
    return std::nullopt;

  int row = pickTypeRow(manifest, inputs, diagnostics);
  LaunchShapes shapes(manifest, diagnostics);
  bool bound = true;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i])
      bound &= shapes.bind(manifest.inputs[i], inputs[i]->shape());
  if (row < 0 || !bound || !shapes.solve())
    return std::nullopt;

  BoundLaunch launch;
  launch.kernel = pickKernel(manifest, unsigned(row), diagnostics);
  if (!launch.kernel)
    return std::nullopt;
  std::optional<std::vector<Tensor>> outputs =
      makeOutputs(manifest, unsigned(row), shapes, makeOutput, diagnostics);
  if (!outputs)
    return std::nullopt;
  launch.outputs = std::move(*outputs);

  std::vector<Shape> all;
  for (const Tensor *input : inputs)
    all.push_back(input ? input->shape() : Shape{0});
  for (const Tensor &output : launch.outputs)
    all.push_back(output.shape());
  if (!runTilingFunction(manifest, all, maxBlocks, launch, diagnostics))
    return std::nullopt;
  for (const std::string &name : launch.kernel->launchAttributes) {
    auto value = slots->find(name);
    if (value == slots->end()) {
      diagnostics.error(Code::E0501, {},
                        "kernel '" + printable(launch.kernel->name) + "' reads attribute '" +
                            printable(name) + "' that the manifest does not bind at launch");
      return std::nullopt;
    }
    launch.tiling.push_back(value->second);
  }
  return launch;
}

LaunchArguments launchArguments(const std::vector<const Tensor *> &inputs, BoundLaunch &launch) {
  LaunchArguments arguments;
  for (const Tensor *input : inputs) {
    LaunchTensor tensor;
    if (input)
      tensor = {const_cast<void *>(input->data()), input->numBytes(), input->type()};
    arguments.tensors.push_back(tensor);
  }
  for (Tensor &output : launch.outputs)
    arguments.tensors.push_back({output.data(), output.numBytes(), output.type()});
  arguments.tiling = launch.tiling;
  arguments.blockNum = launch.blockNum;
  return arguments;
}

} // namespace opc
