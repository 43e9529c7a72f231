#include "tools/opc/model/ModelRun.h"

#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/program/model/ModelSizes.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/model/reference/ModelInputs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace opc::tool {

static std::vector<std::string> namesOf(const std::vector<ModelTensor> &tensors) {
  std::vector<std::string> names;
  for (const ModelTensor &tensor : tensors)
    names.push_back(tensor.name);
  return names;
}

/// An output must not overwrite another, or the model.
static void checkOutputs(const ModelFolder &folder, const std::vector<TensorFile> &outputs, Diagnostics &diagnostics) {
  std::vector<std::string> owned = {folder.path + "/" + kModelManifestName};
  for (const ModelFile &file : folder.manifest.files)
    owned.push_back(folder.path + "/" + file.path);
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (isSameFile(outputs[i].path, outputs[j].path))
        diagnostics.error(Code::E0529, {},
                          "expects a file of its own for each output: '" + printablePath(outputs[i].path) +
                              "' is named twice");
    for (const std::string &file : owned)
      if (isSameFile(outputs[i].path, file))
        diagnostics.error(Code::E0529, {},
                          "expects an output apart from the model's files: '" + printablePath(outputs[i].path) +
                              "' is one of them");
  }
}

static std::vector<Shape> shapesOf(const std::vector<Tensor> &tensors) {
  std::vector<Shape> shapes;
  for (const Tensor &tensor : tensors)
    shapes.push_back(tensor.shape());
  return shapes;
}

/// The tensors of the inputs, in the model's order; false after an error.
static bool readInputs(const ModelManifest &manifest, const std::vector<TensorFile> &files, std::vector<Tensor> &inputs,
                       Diagnostics &diagnostics) {
  for (const ModelTensor &wanted : manifest.inputs) {
    auto file =
        std::find_if(files.begin(), files.end(), [&](const TensorFile &each) { return each.name == wanted.name; });
    if (file == files.end()) {
      diagnostics.error(Code::E0520, {},
                        "the model expects the input '" + printable(wanted.name) + "', " +
                            inputText(wanted, manifest.sizes),
                        {}, "--input " + printable(wanted.name) + "=@FILE.npy");
      continue;
    }
    std::optional<Tensor> tensor = readNpy(file->path, file->bfloat16, diagnostics);
    if (!tensor)
      continue;
    if (tensor->type() != wanted.type)
      diagnostics.error(Code::E0522, {},
                        "the model expects '" + printable(wanted.name) + "' to be " +
                            std::string(elementTypeName(wanted.type)) + ": found " +
                            std::string(elementTypeName(tensor->type())) + " " + shapeText(tensor->shape()));
    inputs.push_back(std::move(*tensor));
  }
  // Checked before kernels are loaded; setShapes would report the same error.
  std::string why;
  if (!diagnostics.hasErrors() && !formOfInputs(manifest, shapesOf(inputs), why))
    diagnostics.error(Code::E0523, {}, why, {}, "compile the model with --input_shape for other sizes");
  return !diagnostics.hasErrors();
}

std::optional<std::vector<Shape>> readModelShapes(const std::string &folder, const std::string &text,
                                                  Diagnostics &diagnostics) {
  const std::optional<ModelFolder> opened = openModelFolder(folder, diagnostics);
  if (!opened)
    return std::nullopt;
  const ModelManifest &manifest = opened->manifest;
  std::vector<NamedInput> names;
  for (const ModelTensor &input : manifest.inputs)
    names.push_back({input.name, /*required=*/!input.sizes.empty()});
  const auto given = parseInputShapes(manifest.name, names, text, diagnostics);
  if (!given)
    return std::nullopt;
  std::vector<Shape> shapes;
  for (const ModelTensor &input : manifest.inputs) {
    const auto shape = given->find(input.name);
    shapes.push_back(shape == given->end() ? input.shape : shape->second);
  }
  return shapes;
}

std::unique_ptr<LoadedModel> openWithShapes(const std::string &folder, const std::string &text,
                                            const std::shared_ptr<Device> &device, Diagnostics &diagnostics) {
  std::shared_ptr<Device> host = hostBeside(*device, diagnostics);
  if (text.empty())
    return LoadedModel::open(folder, device, diagnostics, host);
  const std::optional<std::vector<Shape>> shapes = readModelShapes(folder, text, diagnostics);
  return shapes ? LoadedModel::open(folder, device, diagnostics, host, &*shapes) : nullptr;
}

std::shared_ptr<Device> hostBeside(const Device &device, Diagnostics &diagnostics) {
  return device.runsHostCode() ? nullptr : createDevice("cpu", 0, diagnostics);
}

std::string hostStepsText(const LoadedModel &model, const std::string &device) {
  if (model.hostSteps() == 0)
    return {};
  std::string names;
  for (const std::string &name : model.hostOperators())
    names += (names.empty() ? "" : ", ") + printable(name);
  return "; " + std::to_string(model.hostSteps()) + " of " + std::to_string(model.plan().steps.size()) +
         " steps ran on the host, where " + device + " has no kernel: " + names;
}

static void summarise(const ModelRunFlags &flags, const LoadedModel &model, double load, std::vector<double> seconds,
                      Context &context) {
  std::sort(seconds.begin(), seconds.end());
  double median = seconds[seconds.size() / 2] * 1e3;
  char text[160];
  std::snprintf(text, sizeof text, "ran %zu steps on %s: %.3f ms", model.plan().steps.size(), flags.device.c_str(),
                median);
  context.info(text + (seconds.size() > 1 ? ", median of " + std::to_string(seconds.size()) + " runs" : std::string()) +
               hostStepsText(model, flags.device));
  if (!context.json())
    return;
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (size_t i = 0; i < model.manifest().outputs.size(); ++i)
    outputs.push_back({{"name", model.manifest().outputs[i].name},
                       {"type", elementTypeName(model.manifest().outputs[i].type)},
                       {"shape", model.shapeOfOutput(i)}});
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"model", model.manifest().name},
                                   {"device", flags.device},
                                   {"steps", model.plan().steps.size()},
                                   {"host_steps", model.hostSteps()},
                                   {"runs", seconds.size()},
                                   {"median_ms", median},
                                   {"min_ms", seconds.front() * 1e3},
                                   {"load_ms", load * 1e3},
                                   {"arena_bytes", model.plan().arenaBytes},
                                   {"outputs", std::move(outputs)}};
  std::cout << writeJson(record) << '\n';
}

ExitCode runModelFolder(const ModelRunFlags &flags, Context &context) {
  Diagnostics diagnostics;
  std::shared_ptr<Device> device = createDevice(flags.device, 0, diagnostics);
  if (device && flags.sim.given())
    device = createSimDevice(simSettings(flags.sim, flags.device, diagnostics));
  std::optional<ModelFolder> folder = openModelFolder(flags.folder, diagnostics);
  if (!device || !folder || diagnostics.hasErrors())
    return context.finish(diagnostics);
  const ModelManifest &manifest = folder->manifest;
  std::vector<TensorFile> inputFiles =
      parseTensorFiles(flags.inputs, "input", manifest.name, namesOf(manifest.inputs), diagnostics);
  std::vector<TensorFile> outputFiles =
      parseTensorFiles(flags.outputs, "output", manifest.name, namesOf(manifest.outputs), diagnostics);
  checkOutputs(*folder, outputFiles, diagnostics);
  std::vector<Tensor> inputs, outputs;
  if (diagnostics.hasErrors() || !readInputs(manifest, inputFiles, inputs, diagnostics))
    return context.finish(diagnostics);
  // Files that cannot be written are reported before the model runs.
  std::vector<AtomicFile> files;
  for (const TensorFile &file : outputFiles) {
    std::optional<AtomicFile> made = AtomicFile::create(file.path, diagnostics);
    if (!made)
      return context.finish(diagnostics);
    files.push_back(std::move(*made));
  }
  auto opening = std::chrono::steady_clock::now();
  const std::vector<Shape> shapes = shapesOf(inputs);
  const std::optional<PackedStore> packed = packedStore(diagnostics);
  std::unique_ptr<LoadedModel> model;
  if (!diagnostics.hasErrors())
    model = LoadedModel::open(flags.folder, device, diagnostics, hostBeside(*device, diagnostics), &shapes,
                              packed ? &*packed : nullptr);
  if (!model || !addModelTensors(model->manifest().outputs, outputs, diagnostics))
    return context.finish(diagnostics);
  const double load = std::chrono::duration<double>(std::chrono::steady_clock::now() - opening).count();
  std::vector<void *> inputData, outputData;
  for (Tensor &tensor : inputs)
    inputData.push_back(tensor.data());
  for (Tensor &tensor : outputs)
    outputData.push_back(tensor.data());
  std::vector<double> seconds;
  for (unsigned i = 0; i < flags.loop; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (!model->run(inputData.data(), outputData.data(), diagnostics))
      return context.finish(diagnostics);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::vector<std::string> names = namesOf(manifest.outputs);
  for (size_t i = 0; i < files.size(); ++i) {
    const auto number = static_cast<size_t>(std::find(names.begin(), names.end(), outputFiles[i].name) - names.begin());
    // If the number of rows depends on data, only the actual rows: at most the maximum in memory.
    if (auto rows = Tensor::over(outputs[number].type(), model->shapeOfOutput(number), outputs[number].data()))
      writeNpy(files[i], *rows);
  }
  for (const AtomicFile &file : files)
    if (file.failed(diagnostics))
      return context.finish(diagnostics);
  for (AtomicFile &file : files)
    if (!file.commit(diagnostics))
      return context.finish(diagnostics);
  context.print(diagnostics);
  summarise(flags, *model, load, std::move(seconds), context);
  return ExitCode::Done;
}

} // namespace opc::tool
