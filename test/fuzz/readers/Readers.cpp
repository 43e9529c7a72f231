#include "test/fuzz/readers/Readers.h"

#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "ops/onnx/Reader.h"
#include "ops/onnx/TensorData.h"
#include "ops/onnx/coverage/Coverage.h"
#include "ops/proto/OperatorJson.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/opp/VendorFolder.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/PackageManifest.h"
#include "runtime/program/SimulatorProgram.h"
#include "runtime/program/model/KernelTable.h"
#include "runtime/program/model/ModelManifest.h"
#include "runtime/program/model/ModelPlan.h"
#include "runtime/program/model/PackedWeight.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace opc::fuzz {

/// Ends the process, so that the fuzzer keeps the input.
static void expect(bool holds, const char *promise) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz: a reader broke its promise: %s\n", promise);
  std::abort();
}

static std::string textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Launches that a manifest may take: small ones and large ones, of each type row.
static void bindSome(const Manifest &manifest) {
  auto withoutMemory = [](ElementType type, const Shape &shape) { return Tensor::over(type, shape, nullptr); };
  static const std::vector<Shape> shapes = {
      {}, {1}, {0}, {3, 5}, {2, 1, 7}, {1, 1, 1, 1, 1, 1, 1, 4}, {INT64_MAX / 16}, {1 << 20, 1 << 20}};
  size_t rows = manifest.outputs.empty() ? 0 : manifest.outputs.front().types.size();
  for (unsigned row = 0; row < std::min<size_t>(rows, 4); ++row)
    for (const Shape &shape : shapes) {
      std::vector<std::optional<Tensor>> tensors;
      std::vector<const Tensor *> inputs;
      for (const ManifestTensor &tensor : manifest.inputs)
        tensors.push_back(row < tensor.types.size() ? Tensor::over(tensor.types[row], shape, nullptr) : std::nullopt);
      for (const std::optional<Tensor> &tensor : tensors)
        inputs.push_back(tensor ? &*tensor : nullptr);
      Diagnostics diagnostics;
      LaunchTarget target;
      target.typeRow = row;
      bindLaunch(manifest, inputs, {}, target, diagnostics, withoutMemory);
    }
}

static void readManifestText(const uint8_t *data, size_t size) {
  Manifest manifest;
  if (!readManifest(textOf(data, size), manifest).empty())
    return;
  expect(checkManifest(manifest).empty(), "a manifest that was read passes its check");
  std::string text = writeManifest(manifest);
  Manifest again;
  expect(readManifest(text, again).empty(), "a manifest that was written is read");
  expect(writeManifest(again) == text, "a manifest keeps its bytes");
  bindSome(manifest);
}

static void readPackage(const uint8_t *data, size_t size) {
  PackageManifest manifest;
  if (!readPackageManifest(textOf(data, size), manifest).empty())
    return;
  expect(checkPackageManifest(manifest).empty(), "a package that was read passes its check");
  for (const PackageEntry &entry : manifest.files)
    expect(!entry.path.empty() && entry.path.front() != '/' &&
               ("/" + entry.path + "/").find("/../") == std::string::npos,
           "files of a package lie in it");
  std::string text = writePackageManifest(manifest);
  PackageManifest again;
  expect(readPackageManifest(text, again).empty(), "a package that was written is read");
  expect(writePackageManifest(again) == text, "a package keeps its bytes");
}

static void readSimulatorProgram(const uint8_t *data, size_t size) {
  SimulatorProgram program;
  if (!readProgram(data, size, program).empty())
    return;
  expect(checkProgram(program).empty(), "a program that was read passes its check");
  std::vector<uint8_t> bytes = writeProgram(program);
  SimulatorProgram again;
  expect(readProgram(bytes.data(), bytes.size(), again).empty(), "a program that was written is read");
  expect(writeProgram(again) == bytes, "a program keeps its bytes");
}

static void readModelPlan(const uint8_t *data, size_t size) {
  ModelPlan plan;
  if (!readPlan(data, size, plan).empty())
    return;
  expect(checkPlan(plan).empty(), "a plan that was read passes its check");
  std::vector<uint8_t> bytes = writePlan(plan);
  ModelPlan again;
  expect(readPlan(bytes.data(), bytes.size(), again).empty(), "a plan that was written is read");
  expect(writePlan(again) == bytes, "a plan keeps its bytes");
  for (const PlanValue &value : plan.values)
    if (value.memory == PlanValue::Arena || value.memory == PlanValue::Weights)
      expect(value.bytes() <= (value.memory == PlanValue::Arena ? plan.arenaBytes : plan.weightBytes),
             "a value is within its memory");
}

static void readKernelManifests(const uint8_t *data, size_t size) {
  std::vector<Manifest> manifests;
  if (!readKernelTable(data, size, manifests).empty())
    return;
  std::vector<uint8_t> bytes = writeKernelTable(manifests);
  std::vector<Manifest> again;
  expect(readKernelTable(bytes.data(), bytes.size(), again).empty(), "a table of kernels that was written is read");
  expect(writeKernelTable(again) == bytes, "a table of kernels keeps its bytes");
  for (const Manifest &manifest : manifests) {
    expect(checkManifest(manifest).empty(), "a manifest of a table passes its check");
    Manifest text;
    expect(readManifest(writeManifest(manifest), text).empty(), "what a table says, manifest.json can say");
    bindSome(manifest);
  }
}

static void readModelManifestText(const uint8_t *data, size_t size) {
  ModelManifest manifest;
  if (!readModelManifest(textOf(data, size), manifest).empty())
    return;
  expect(checkModelManifest(manifest).empty(), "a manifest of a model that was read passes its check");
  for (const ModelFile &file : manifest.files)
    expect(!file.path.empty() && file.path.front() != '/' && ("/" + file.path + "/").find("/../") == std::string::npos,
           "files of a model lie in its folder");
  std::string text = writeModelManifest(manifest);
  ModelManifest again;
  expect(readModelManifest(text, again).empty(), "a manifest of a model that was written is read");
  expect(writeModelManifest(again) == text, "a manifest of a model keeps its bytes");
}

static void readTilingFunction(const uint8_t *data, size_t size) {
  TilingFunction function;
  if (!readTiling(data, size, function).empty())
    return;
  expect(checkTiling(function).empty(), "a function that was read passes its check");
  std::vector<uint8_t> bytes = writeTiling(function);
  TilingFunction again;
  expect(readTiling(bytes.data(), bytes.size(), again).empty(), "a function that was written is read");
  expect(writeTiling(again) == bytes, "a function keeps its bytes");
  std::vector<int64_t> outputs(function.outputs.size());
  for (int64_t value : {int64_t(0), int64_t(1), int64_t(-1), int64_t(4097), INT64_MAX, INT64_MIN}) {
    std::vector<int64_t> inputs(function.inputs.size(), value);
    EvalStatus status = runTiling(function, inputs.data(), outputs.data());
    expect(status != EvalStatus::BadProgram, "a function that was checked can be run");
  }
}

static void readPacked(const uint8_t *data, size_t size) {
  PackedWeight weight;
  if (!readPackedHeader(data, size, weight).empty())
    return;
  expect(weight.shape.size() >= 2 && weight.shape.size() <= kMostPackedRank, "a packed weight has matrices");
  for (int64_t each : weight.shape)
    expect(each >= 0, "sizes of a packed weight are not negative");
  // Names of a changed file may leave no space for the rest.
  if (weight.opType.size() + weight.input.size() > kLongestPackedName)
    return;
  const std::vector<uint8_t> bytes = writePackedHeader(weight);
  PackedWeight again;
  expect(readPackedHeader(bytes.data(), bytes.size(), again).empty(), "a header that was written is read");
  expect(writePackedHeader(again) == bytes, "a header keeps its bytes");
  packedBytes(weight.type, weight.shape, weight.form);
}

static void readNpyHeader(const uint8_t *data, size_t size) {
  NpyHeader header;
  if (!parseNpyHeader(data, size, header).empty())
    return;
  expect(header.dataOffset <= size, "elements begin inside of what was read");
  std::string text = npyHeader(header.type, header.shape);
  NpyHeader again;
  expect(parseNpyHeader(text.data(), text.size(), again).empty(), "a header that was written is read");
  expect(again.type == header.type && again.shape == header.shape, "a header says what it said");
}

static void readContract(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  std::optional<Contract> contract = parseContract(textOf(data, size), "fuzz.yaml", diagnostics);
  expect(contract.has_value() != diagnostics.hasErrors(), "a contract is there or an error is");
  if (!contract)
    return;
  std::string hash = contractHash(*contract);
  expect(hash.size() == 64, "a contract has a hash");
  std::string reason;
  if (contractKind(*contract, reason))
    expect(!shapeKeys(*contract).empty(), "a contract with a kind has keys");
  exportOperatorJson({&*contract});
}

static void readProto(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  std::vector<ImportedContract> contracts = importOperatorJson(textOf(data, size), "fuzz.json", diagnostics);
  expect(contracts.empty() || !diagnostics.hasErrors(), "contracts come without errors");
  for (const ImportedContract &imported : contracts) {
    Diagnostics none;
    expect(parseContract(imported.text, "imported.yaml", none).has_value(),
           "an imported contract keeps the rules of contracts");
  }
}

/// Decodes every tensor of a graph, and of its subgraphs.
static void decode(const onnx::Model &model, const onnx::Graph &graph) {
  auto expectBytes = [&](const onnx::Tensor &tensor) {
    auto elements = static_cast<uint64_t>(tensor.elements());
    if (tensor.type == onnx::ElementType::String)
      expect(tensorStrings(tensor).size() == elements, "a tensor has the strings of its shape");
    else if (tensor.storage != onnx::Tensor::External)
      expect(tensorBytes(model, tensor).get().size() == (elements * elementBits(tensor.type) + 7) / 8,
             "a tensor has the bytes of its shape");
    tensorIntegers(model, tensor);
  };
  for (const onnx::Tensor &tensor : graph.initializers)
    expectBytes(tensor);
  for (const onnx::Node &node : graph.nodes)
    for (const onnx::Attribute &attribute : node.attributes) {
      for (const onnx::Tensor &tensor : attribute.tensors)
        expectBytes(tensor);
      for (const onnx::Graph &inner : attribute.graphs)
        decode(model, inner);
    }
}

static void readOnnx(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  std::string bytes = textOf(data, size);
  std::unique_ptr<onnx::Model> model = onnx::readModel(bytes, "fuzz.onnx", diagnostics);
  expect((model != nullptr) != diagnostics.hasErrors(), "a model is there or an error is");
  for (const Diagnostic &diagnostic : diagnostics.all())
    expect(!diagnostic.rule.empty(), "an error of a model names its rule");
  if (!model)
    return;
  decode(*model, model->graph);
  std::set<std::string_view> written;
  for (const onnx::Node &node : model->graph.nodes) {
    for (std::string_view name : node.inputs)
      for (const onnx::Node &other : model->graph.nodes)
        expect(&other == &node || written.count(name) != 0 || name.empty() || size > 10000 ||
                   std::find(other.outputs.begin(), other.outputs.end(), name) == other.outputs.end(),
               "a node comes after those whose values it reads");
    written.insert(node.outputs.begin(), node.outputs.end());
  }
  coverModel(*model, onnx::FormIndex());
}

static void readOpsInfo(const uint8_t *data, size_t size) {
  std::optional<std::vector<std::string>> names = operatorNames(textOf(data, size));
  if (names)
    for (const std::string &name : *names)
      expect(name.size() <= 256, "names of operators are short");
}

const std::vector<NamedReader> &readers() {
  static const std::vector<NamedReader> all = {
      {"manifest", readManifestText},
      {"package", readPackage},
      {"program", readSimulatorProgram},
      {"tiling", readTilingFunction},
      {"npy", readNpyHeader},
      {"packed", readPacked},
      {"contract", readContract},
      {"proto", readProto},
      {"opsinfo", readOpsInfo},
      {"onnx", readOnnx},
      {"plan", readModelPlan},
      {"model", readModelManifestText},
      {"kernels", readKernelManifests},
  };
  return all;
}

} // namespace opc::fuzz
