#include "tools/opc/source/SourceRun.h"

#include "runtime/core/File.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/tensor/Npy.h"
#include "tools/opc/source/ConvertTensor.h"
#include "tools/opc/source/SourceBind.h"
#include "tools/opc/tensors/RandomInputs.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace opc::tool {

static constexpr int64_t kLongestTiling = int64_t(1) << 20;

static std::vector<std::string> namesOf(const std::vector<ManifestTensor> &tensors) {
  std::vector<std::string> names;
  for (const ManifestTensor &tensor : tensors)
    names.push_back(tensor.name);
  return names;
}

std::unique_ptr<SourceProject> SourceProject::open(const SourceRunOptions &options, const Target &chip,
                                                   Diagnostics &diagnostics) {
  std::optional<OperatorFiles> files =
      findOperatorFiles(options.source.path, options.host, options.source.kernel, diagnostics);
  if (!files)
    return nullptr;
  std::unique_ptr<SourceProject> project(new SourceProject(options, chip));
  project->files = std::move(*files);
  if (project->files.host.empty()) {
    SourceOptions source = options.source;
    source.path = project->files.kernel;
    source.cann = findCann(options.cann);
    project->alone = compileKernelSource(source, diagnostics);
    return project->alone ? std::move(project) : nullptr;
  }
  HostOptions host;
  host.files = project->files.host;
  host.includes = options.source.includes;
  host.includes.insert(host.includes.end(), project->files.includes.begin(), project->files.includes.end());
  host.defines = options.source.defines;
  host.compiler = options.source.compiler;
  project->host = compileHostSource(host, options.timeout, diagnostics);
  if (project->host)
    project->op =
        findHostOperator(*project->host, std::filesystem::path(project->files.kernel).stem().string(), diagnostics);
  return project->op ? std::move(project) : nullptr;
}

std::string SourceProject::name() const {
  return op ? op->manifest.opType : files.kernel;
}

std::vector<std::string> SourceProject::inputNames() const {
  return op ? namesOf(op->manifest.inputs) : tensorNames(alone->kernel);
}

std::vector<std::string> SourceProject::outputNames() const {
  return op ? namesOf(op->manifest.outputs) : tensorNames(alone->kernel);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The type of an input with random elements; nullopt after an error.
std::optional<ElementType> SourceProject::randomTypeOf(const std::string &input, const SourceInputs &inputs,
                                                       std::optional<unsigned> row, Diagnostics &diagnostics) const {
  if (!op) {
    const std::optional<ElementType> type =
        inputs.dtype.empty() ? ElementType::Float32 : parseElementType(inputs.dtype);
    if (!type)
      diagnostics.error(Code::E0104, {}, "--dtype expects an element type, found '" + printable(inputs.dtype) + "'");
    return type;
  }
  if (!row && !inputs.dtype.empty())
    row = findTypeRow(op->manifest, inputs.dtype, diagnostics);
  for (const ManifestTensor &tensor : op->manifest.inputs)
    if (tensor.name == input && !diagnostics.hasErrors())
      return tensor.types[row.value_or(0)];
  return std::nullopt;
}

/// Copies a known tensor into a launch: an input with its elements, an output with its shape and type.
static bool addKnown(const SourceInputs::Known &known, SourceRun &run, Diagnostics &diagnostics) {
  std::optional<Tensor> tensor = Tensor::create(known.tensor->type(), known.tensor->shape());
  if (!tensor) {
    diagnostics.error(Code::E0527, {}, "there is no memory for '" + known.name + "'");
    return false;
  }
  const auto bytes = size_t(tensor->numBytes());
  if (bytes > 0 && known.isOutput)
    std::memset(tensor->data(), 0, bytes);
  else if (bytes > 0)
    std::memcpy(tensor->data(), known.tensor->data(), bytes);
  run.launch.tensors.emplace(known.name, std::move(*tensor));
  return true;
}

bool SourceProject::readInputs(const SourceInputs &inputs, std::optional<unsigned> row, SourceRun &run,
                               Diagnostics &diagnostics) {
  const std::vector<std::string> names = inputNames(), outputs = outputNames();
  auto &tensors = run.launch.tensors;
  for (const TensorFile &file : parseTensorFiles(inputs.inputs, "input", name(), names, diagnostics))
    if (std::optional<Tensor> tensor = readNpy(file.path, file.bfloat16, diagnostics))
      tensors.emplace(file.name, std::move(*tensor));
  uint64_t seed = inputs.seed;
  for (const auto &[input, shape] : parseShapes(inputs.randomShapes, "--input_shape", names, diagnostics)) {
    if (tensors.count(input)) {
      diagnostics.error(Code::E0109, {}, "input '" + input + "' is given twice: by --input and by --input_shape");
      continue;
    }
    const std::optional<ElementType> type = randomTypeOf(input, inputs, row, diagnostics);
    std::optional<Tensor> tensor = type ? Tensor::create(*type, shape) : std::nullopt;
    if (type && !tensor)
      diagnostics.error(Code::E0527, {}, "no memory for '" + input + "' of shape " + shapeText(shape));
    if (!tensor)
      continue;
    fillRandom(*tensor, seed++);
    tensors.emplace(input, std::move(*tensor));
    run.randomInputs.push_back(input);
  }
  for (const SourceInputs::Known &known : inputs.known) {
    const std::vector<std::string> &fitting = known.isOutput ? outputs : names;
    if (std::find(fitting.begin(), fitting.end(), known.name) != fitting.end()) {
      if (!addKnown(known, run, diagnostics))
        return false;
      continue;
    }
    const std::string near = nearestName(known.name, fitting);
    diagnostics.error(Code::E0804, op ? op->location : alone->kernel.location,
                      "expects a parameter '" + printable(known.name) + "' as " + inputs.knownFrom + " has, found none",
                      {}, near.empty() ? "" : "rename '" + near + "'");
  }
  for (const std::string &each : names)
    if (!inputs.known.empty() && !tensors.count(each))
      diagnostics.error(Code::E0804, op ? op->location : alone->kernel.location,
                        "expects the parameters of " + inputs.knownFrom + ", found '" + printable(each) +
                            "', which it does not have");
  return !diagnostics.hasErrors();
}

std::vector<const Tensor *> SourceProject::inputsOf(const SourceRun &run, Diagnostics &diagnostics) const {
  std::vector<const Tensor *> given;
  for (const ManifestTensor &input : op->manifest.inputs) {
    const auto found = run.launch.tensors.find(input.name);
    given.push_back(found == run.launch.tensors.end() ? nullptr : &found->second);
    if (!given.back() && input.required)
      diagnostics.error(Code::E0804, op->location,
                        "operator '" + printable(op->manifest.opType) + "' expects input '" + printable(input.name) +
                            "', found none",
                        {}, "--input " + input.name + "=@FILE.npy");
  }
  return given;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

const KernelSource *SourceProject::kernelOf(unsigned row, const HostLaunchResult &computed, uint64_t key,
                                            Diagnostics &diagnostics) {
  std::unique_ptr<KernelSource> &kernel = kernels[{row, key, computed.templateArguments}];
  if (kernel)
    return kernel.get();
  SourceOptions source = options.source;
  source.path = files.kernel;
  source.cann = findCann(options.cann);
  source.kernel.clear();
  source.preface = host->kernelHeader(op->manifest.opType, key);
  source.templateArguments = computed.templateArguments;
  source.includes.insert(source.includes.end(), files.includes.begin(), files.includes.end());
  const std::vector<std::string> macros = rowMacros(*op, row);
  source.defines.insert(source.defines.begin(), macros.begin(), macros.end());
  kernel = compileKernelSource(source, diagnostics);
  return kernel.get();
}

bool SourceProject::finish(SourceRun &run, Diagnostics &diagnostics) const {
  run.launch.seconds = options.timeout;
  run.launch.autoSync = options.autoSync == "on";
  if (run.launch.blocks < 1 || run.launch.blocks > chip.maxBlocks())
    diagnostics.error(Code::E0806, op ? op->location : Location(),
                      "TilingFunc sets 1 to " + std::to_string(chip.maxBlocks()) + " blocks, found " +
                          std::to_string(run.launch.blocks),
                      "ascendc_c26", "context->SetBlockDim");
  if (!options.tiling.empty())
    if (std::optional<std::string> bytes = readFile(options.tiling, kLongestTiling, diagnostics))
      run.launch.tiling = std::move(*bytes);
  return !diagnostics.hasErrors();
}

bool SourceProject::prepareOperator(unsigned row, const BoundAttributes &attributes, SourceRun &run,
                                    Diagnostics &diagnostics) {
  const std::vector<const Tensor *> given = inputsOf(run, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  run.row = row;
  const OutputTexts outputs = {options.outputShapes, options.outputTypes};
  const HostQuestion question{row, given, givenOutputShapes(*op, outputs, diagnostics), attributes.values};
  if (diagnostics.hasErrors())
    return false;
  std::optional<HostLaunchResult> computed = runHostFunctions(*host, *op, question, chip, options.timeout, diagnostics);
  if (!computed)
    return false;
  if (!op->hasTiling && options.tiling.empty())
    diagnostics.error(Code::E0806, op->location,
                      "operator '" + printable(op->manifest.opType) + "' has no tiling function", "ascendc_c26",
                      "this->AICore().SetTiling(optiling::TilingFunc), or --tiling=FILE");
  if (diagnostics.hasErrors() || !checkOutputShapes(*op, computed->outputShapes, diagnostics))
    return false;
  run.launch.tiling = std::move(computed->tiling);
  run.launch.tilingKey = options.tilingKey.value_or(computed->tilingKey);
  run.launch.blocks = options.blocks.value_or(computed->numBlocks);
  run.launch.source = kernelOf(row, *computed, run.launch.tilingKey, diagnostics);
  return run.launch.source &&
         bindByDefinition(run.launch.source->kernel, *op, row, *computed, outputs, run.launch, diagnostics) &&
         finish(run, diagnostics);
}

bool SourceProject::prepare(const SourceInputs &inputs, std::optional<unsigned> row, SourceRun &run,
                            Diagnostics &diagnostics) {
  if (!op) {
    if (!inputs.attributes.empty())
      diagnostics.error(Code::E0104, {}, "--attr expects an operator's definition, found a kernel alone", {},
                        "--tiling names a file with the values that the kernel reads");
    if (!readInputs(inputs, row, run, diagnostics))
      return false;
    run.launch.source = alone.get();
    run.launch.tilingKey = options.tilingKey.value_or(0);
    run.launch.blocks = options.blocks.value_or(1);
    std::vector<std::string> outputs;
    for (const SourceInputs::Known &known : inputs.known)
      if (known.isOutput)
        outputs.push_back(known.name);
    return bindByName(alone->kernel, {options.outputShapes, options.outputTypes}, outputs, inputs.stored, run.launch,
                      diagnostics) &&
           finish(run, diagnostics);
  }
  const std::optional<BoundAttributes> attributes =
      bindAttributes(op->manifest, parseAttributes(inputs.attributes, diagnostics), diagnostics);
  if (!attributes || !readInputs(inputs, row, run, diagnostics))
    return false;
  const bool isNamed = row.has_value();
  for (size_t i = 0; isNamed && i < op->manifest.inputs.size(); ++i) {
    const auto found = run.launch.tensors.find(op->manifest.inputs[i].name);
    if (found == run.launch.tensors.end())
      continue;
    std::optional<Tensor> converted = convertTensor(found->second, op->manifest.inputs[i].types[*row]);
    if (!converted) {
      diagnostics.error(Code::E0527, {}, "there is no memory for '" + found->first + "' in another type");
      return false;
    }
    found->second = std::move(*converted);
  }
  if (!isNamed) {
    const std::vector<const Tensor *> given = inputsOf(run, diagnostics);
    if (diagnostics.hasErrors() || !(row = chooseHostRow(*op, given, inputs.dtype, diagnostics)))
      return false;
  }
  return prepareOperator(*row, *attributes, run, diagnostics);
}

} // namespace opc::tool
