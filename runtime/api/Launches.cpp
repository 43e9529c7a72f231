// Launches of the C interface: one call, or prepared and run.
//
//   opc_launch_once   key of types, shapes, attributes -> launch cache -> run
//                                    on a miss: kernels (of the folder, or by the kernel cache), bind, load, keep

#include "runtime/api/Runtime.h"
#include "runtime/api/Tensors.h"
#include "runtime/core/tensor/DLPack.h"

#include <algorithm>
#include <cstdio>

using namespace opc;
using namespace opc::api;

using OutputTypes = std::vector<std::optional<ElementType>>;

/// The pool of a runtime for workspaces, so that its limit counts them.
class PooledMemory final : public WorkspaceMemory {
public:
  explicit PooledMemory(std::shared_ptr<MemoryPool> pool) : pool(std::move(pool)) {}
  void *allocate(size_t bytes, Diagnostics &diagnostics) override { return pool->allocate(bytes, diagnostics); }
  void release(void *memory) override { pool->release(memory); }

private:
  std::shared_ptr<MemoryPool> pool;
};

/// Binds a launch; null after setting `status`.
static std::shared_ptr<PreparedLaunch> prepare(opc_operator &op, const DLTensor *const *inputs, size_t numInputs,
                                               OutputTypes outputTypes, const opc_attribute *attributes,
                                               size_t numAttributes, opc_status &status) {
  Diagnostics diagnostics;
  ErrorContext context{op.manifest().opType, {}};
  std::shared_ptr<PreparedLaunch> launch;
  if (auto forms = formsOf(inputs, numInputs, diagnostics, &op.manifest())) {
    context.shapes = describe(op.manifest(), *forms);
    auto values = attributesOf(attributes, numAttributes, diagnostics);
    std::shared_ptr<Operator> kernels = op.op;
    if (values && op.compiled)
      kernels = op.compiled->find(*forms, *values, outputTypes, diagnostics);
    if (values && kernels)
      launch = PreparedLaunch::create(std::move(kernels), *forms, *values, diagnostics, std::move(outputTypes),
                                      op.compiled ? &op.compiled->outline() : nullptr,
                                      std::make_shared<PooledMemory>(op.state->pool));
  }
  if (launch)
    for (const TensorForm &form : launch->outputs())
      if (form.shape.size() > OPC_MAX_RANK) {
        diagnostics.error(Code::E0531, {},
                          "expects outputs of rank " + std::to_string(OPC_MAX_RANK) + " at most, found " +
                              shapeText(form.shape));
        launch = nullptr;
        break;
      }
  if (launch && launch->takesMemory())
    op.state->watchMemory();
  status = launch ? OPC_OK : fail(diagnostics, context);
  return launch;
}

/// Whether an array is given or may be missing, since its count is 0.
static bool given(const void *array, size_t count) {
  return array || count == 0;
}

static opc_status failCount(const opc_operator &op, size_t found) {
  const Manifest &manifest = op.manifest();
  return fail(Code::E0529, "'" + manifest.opType + "' has " + std::to_string(manifest.outputs.size()) +
                               " outputs, found " + std::to_string(found));
}

/// Reads the types that the caller gives for the outputs; false after setting `status`.
static bool readTypes(const opc_operator &op, const DLDataType *types, size_t count, OutputTypes &result,
                      opc_status &status) {
  if (count != op.manifest().outputs.size()) {
    status = failCount(op, count);
    return false;
  }
  Diagnostics diagnostics;
  std::optional<OutputTypes> read = typesOf(types, count, diagnostics);
  if (!read)
    status = fail(diagnostics, {op.manifest().opType, {}});
  else
    result = std::move(*read);
  return read.has_value();
}

/// `types` may be null when the inputs determine the types of the outputs.
static opc_status infer(opc_operator *op, const DLTensor *const *inputs, size_t numInputs, const DLDataType *types,
                        const opc_attribute *attributes, size_t numAttributes, opc_form *outputs, size_t numOutputs) {
  if (!op || !given(inputs, numInputs) || !given(attributes, numAttributes) || !given(outputs, numOutputs))
    return failNull(!op                                ? "op"
                    : !given(inputs, numInputs)        ? "inputs"
                    : given(attributes, numAttributes) ? "outputs"
                                                       : "attributes");
  opc_status status = OPC_OK;
  OutputTypes outputTypes;
  if (types && !readTypes(*op, types, numOutputs, outputTypes, status))
    return status;
  auto launch = prepare(*op, inputs, numInputs, std::move(outputTypes), attributes, numAttributes, status);
  if (!launch)
    return status;
  if (numOutputs != launch->outputs().size())
    return failCount(*op, numOutputs);
  for (size_t i = 0; i < numOutputs; ++i)
    outputs[i] = formOf(launch->outputs()[i]);
  return OPC_OK;
}

extern "C" opc_status opc_operator_infer(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                         const opc_attribute *attributes, size_t num_attributes, opc_form *outputs,
                                         size_t num_outputs) {
  return guarded(
      [&] { return infer(op, inputs, num_inputs, nullptr, attributes, num_attributes, outputs, num_outputs); });
}

extern "C" opc_status opc_operator_infer_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                               const DLDataType *output_types, const opc_attribute *attributes,
                                               size_t num_attributes, opc_form *outputs, size_t num_outputs) {
  return guarded([&] {
    if (op && !output_types)
      return failNull("output_types");
    return infer(op, inputs, num_inputs, output_types, attributes, num_attributes, outputs, num_outputs);
  });
}

static opc_status prepareLaunch(opc_operator *op, const DLTensor *const *inputs, size_t numInputs,
                                const DLDataType *types, size_t numOutputs, const opc_attribute *attributes,
                                size_t numAttributes, opc_launch **launch) {
  if (!op || !launch || !given(inputs, numInputs) || !given(attributes, numAttributes))
    return failNull(!op ? "op" : !launch ? "launch" : given(inputs, numInputs) ? "attributes" : "inputs");
  opc_status status = OPC_OK;
  OutputTypes outputTypes;
  if (types && !readTypes(*op, types, numOutputs, outputTypes, status))
    return status;
  auto made = prepare(*op, inputs, numInputs, std::move(outputTypes), attributes, numAttributes, status);
  if (made)
    *launch = new opc_launch{std::move(made), {}};
  return status;
}

extern "C" opc_status opc_launch_prepare(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                         const opc_attribute *attributes, size_t num_attributes, opc_launch **launch) {
  return guarded([&] { return prepareLaunch(op, inputs, num_inputs, nullptr, 0, attributes, num_attributes, launch); });
}

extern "C" opc_status opc_launch_prepare_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                               const DLDataType *output_types, size_t num_outputs,
                                               const opc_attribute *attributes, size_t num_attributes,
                                               opc_launch **launch) {
  return guarded([&] {
    if (op && !output_types)
      return failNull("output_types");
    return prepareLaunch(op, inputs, num_inputs, output_types, num_outputs, attributes, num_attributes, launch);
  });
}

static opc_status runNow(const PreparedLaunch &launch, void *const *data) {
  Diagnostics diagnostics;
  if (__builtin_expect(launch.run(data, diagnostics), true))
    return OPC_OK;
  return fail(diagnostics, {launch.op().manifest().opType, launch.label()});
}

/// Whether a run has the constants that its launch was given; false after reporting launch_c22.
static bool hasConstants(const opc_launch &launch, void *const *data) {
  for (const auto &[number, address] : launch.constants)
    if (data[number] != address) {
      Diagnostics diagnostics;
      const Manifest &manifest = launch.launch->op().manifest();
      diagnostics.error(Code::E0530, {},
                        "a launch of '" + printable(manifest.opType) + "' expects tensor " + std::to_string(number) +
                            " where its constants were given, found another address",
                        "launch_c22", "prepare a launch for each set of constants");
      fail(diagnostics, {manifest.opType, launch.launch->label()});
      return false;
    }
  return true;
}

/// Why a launch does not take these constants, and how it would; empty texts if it does.
static std::pair<std::string, std::string> refusalOf(const opc_launch &launch, const std::vector<bool> &isConstant) {
  const size_t inputs = isConstant.size() - launch.launch->outputs().size();
  const auto first = std::find(isConstant.begin(), isConstant.end(), true);
  if (first == isConstant.end())
    return {"constants, found none", "the addresses of weights in 'data', and NULL for other tensors"};
  if (std::find(isConstant.begin() + ptrdiff_t(inputs), isConstant.end(), true) != isConstant.end())
    return {"constants among its inputs, found an output", "NULL for outputs in 'data'"};
  if (!launch.constants.empty())
    return {"its constants once, found them again", "prepare a launch for each set of constants"};
  return {};
}

extern "C" opc_status opc_launch_keep_constants(opc_launch *launch, void *const *data, size_t num_tensors) {
  return guarded([&] {
    if (!launch || !given(data, num_tensors))
      return failNull(launch ? "data" : "launch");
    const PreparedLaunch &prepared = *launch->launch;
    if (num_tensors != prepared.numTensors())
      return fail(Code::E0529, "the launch has " + std::to_string(prepared.numTensors()) + " tensors, found " +
                                   std::to_string(num_tensors));
    std::vector<bool> isConstant;
    for (size_t i = 0; i < num_tensors; ++i)
      isConstant.push_back(data[i] != nullptr);
    if (const auto [reason, fix] = refusalOf(*launch, isConstant); !reason.empty())
      return fail(Code::E0530, "a launch of '" + printable(prepared.op().manifest().opType) + "' expects " + reason,
                  "launch_c22", fix);
    for (size_t i = 0; i < num_tensors; ++i)
      if (isConstant[i])
        launch->constants.emplace_back(i, data[i]);
    prepared.keepConstants(data, isConstant);
    return OPC_OK;
  });
}

extern "C" opc_status opc_launch_run(const opc_launch *launch, opc_stream *stream, void *const *data,
                                     size_t num_tensors) {
  return guarded([&] {
    if (!launch || !given(data, num_tensors))
      return failNull(launch ? "data" : "launch");
    if (num_tensors != launch->launch->numTensors())
      return fail(Code::E0529, "the launch has " + std::to_string(launch->launch->numTensors()) + " tensors, found " +
                                   std::to_string(num_tensors));
    if (__builtin_expect(!launch->constants.empty(), false) && !hasConstants(*launch, data))
      return OPC_USAGE;
    if (!stream)
      return runNow(*launch->launch, data);
    stream->stream->put(launch->launch, {data, data + num_tensors});
    return OPC_OK;
  });
}

extern "C" void opc_launch_destroy(opc_launch *launch) {
  delete launch;
}

/// Checks the types and shapes of the caller's outputs against those of the launch.
static opc_status checkOutputs(const PreparedLaunch &launch, const DLTensor *const *outputs, size_t count) {
  const Manifest &manifest = launch.op().manifest();
  if (count != launch.outputs().size())
    return fail(Code::E0529, "'" + manifest.opType + "' has " + std::to_string(launch.outputs().size()) +
                                 " outputs, found " + std::to_string(count));
  Diagnostics diagnostics;
  auto forms = formsOf(outputs, count, diagnostics);
  if (!forms)
    return fail(diagnostics, {manifest.opType, launch.label()});
  for (size_t i = 0; i < count; ++i) {
    const TensorForm &wanted = launch.outputs()[i];
    if ((*forms)[i] && *(*forms)[i] == wanted)
      continue;
    std::string found =
        (*forms)[i] ? std::string(elementTypeName((*forms)[i]->type)) + shapeText((*forms)[i]->shape) : "none";
    diagnostics.error(Code::E0529, {},
                      "expects output '" + printable(manifest.outputs[i].name) + "' of " +
                          std::string(elementTypeName(wanted.type)) + shapeText(wanted.shape) + ", found " + found,
                      {}, "opc_operator_infer gives the types and shapes");
    return fail(diagnostics, {manifest.opType, launch.label()});
  }
  return OPC_OK;
}

/// Up to this many tensors the pointers of a launch are on the stack.
static constexpr size_t kFewTensors = 32;

static opc_status launchOnce(opc_operator &op, opc_stream *stream, const DLTensor *const *inputs, size_t numInputs,
                             const DLTensor *const *outputs, size_t numOutputs, const opc_attribute *attributes,
                             size_t numAttributes) {
  const LaunchCall call{op.id, inputs, numInputs, outputs, numOutputs, attributes, numAttributes};
  const size_t count = numInputs + numOutputs;
  LaunchCache &cache = *op.state->launches;
  void *few[kFewTensors];
  const uint64_t rough = call.rough();
  const std::shared_ptr<PreparedLaunch> *found = nullptr;
  if (count <= kFewTensors)
    found = cache.findAgain(rough, [&](const auto &key) { return call.matches(key, few); });
  if (__builtin_expect(found && !stream && !op.state->settings.logHits, true))
    return runNow(**found, few);
  LaunchKey key;
  const bool keyed = !found && call.addTo(key);
  if (keyed)
    found = cache.find(key, rough);
  std::shared_ptr<PreparedLaunch> fresh;
  if (!found) {
    opc_status status = OPC_OK;
    OutputTypes types(numOutputs);
    for (size_t i = 0; i < numOutputs; ++i)
      if (outputs[i])
        types[i] = elementTypeOf(outputs[i]->dtype);
    fresh = prepare(op, inputs, numInputs, std::move(types), attributes, numAttributes, status);
    if (!fresh)
      return status;
    if ((status = checkOutputs(*fresh, outputs, numOutputs)) != OPC_OK)
      return status;
    if (keyed)
      cache.insert(key, fresh);
    found = &fresh;
  } else if (__builtin_expect(op.state->settings.logHits, false)) {
    std::fprintf(stderr, "Hit kernel cache for %s\n", (*found)->label().c_str());
  }
  std::vector<void *> many;
  void **data = few;
  if (stream || count > kFewTensors) {
    many.resize(count);
    data = many.data();
  }
  for (size_t i = 0; i < numInputs; ++i)
    data[i] = inputs[i] ? dataOf(*inputs[i]) : nullptr;
  for (size_t i = 0; i < numOutputs; ++i)
    data[numInputs + i] = dataOf(*outputs[i]);
  if (!stream)
    return runNow(**found, data);
  stream->stream->put(*found, std::move(many));
  return OPC_OK;
}

extern "C" opc_status opc_launch_once(opc_operator *op, opc_stream *stream, const DLTensor *const *inputs,
                                      size_t num_inputs, const DLTensor *const *outputs, size_t num_outputs,
                                      const opc_attribute *attributes, size_t num_attributes) {
  return guarded([&] {
    if (!op || !given(inputs, num_inputs) || !given(outputs, num_outputs) || !given(attributes, num_attributes))
      return failNull(!op                           ? "op"
                      : !given(inputs, num_inputs)  ? "inputs"
                      : given(outputs, num_outputs) ? "attributes"
                                                    : "outputs");
    return launchOnce(*op, stream, inputs, num_inputs, outputs, num_outputs, attributes, num_attributes);
  });
}
