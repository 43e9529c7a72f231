// Shapes are those of `opc test`, and larger ones of the same kind: a dimension of all inputs times as many as
// make some tiles.

#include "test/mutants/Launches.h"

#include "runtime/core/tensor/PackedMatrix.h"
#include "tools/opc/test/TestCases.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

namespace opc::mutants {

/// Elements of a launch of many tiles, of its inputs and of its outputs: some tiles of a kernel that fills the unified
/// buffer, and a millisecond or two of simulation.
static constexpr int64_t kMostElements = 400'000;

/// Elements of a launch of a kernel that no smaller one reaches.
static constexpr int64_t kLargestElements = 8 * kMostElements;

/// Launches of a kernel that are looked at.
static constexpr size_t kLaunches = 20;

/// Sizes that take the place of a dimension's in launches for mutants that no other one kills: some tiles, and an end
/// of five elements.
static constexpr int64_t kOtherSizes[] = {5, 13, 37, 69, 133, 261, 517, 1029, 4101};

/// Axes and keep_dims of a reduction, as a user types them.
static std::vector<NamedValue> attributesOf(const Contract &contract, const tool::TestCase &testCase) {
  std::vector<NamedValue> values;
  // Outputs may share them.
  auto isTaken = [&](const ContractAttribute &attribute) {
    return std::any_of(values.begin(), values.end(), [&](auto &value) { return value.first == attribute.name; });
  };
  for (const ContractTensor &output : contract.outputs) {
    if (!output.reduces)
      continue;
    const ContractAttribute *axes = contract.findAttribute(output.reduces->axes);
    if (axes && axes->binding == Binding::Shape && !isTaken(*axes)) {
      std::string text;
      for (int64_t axis : testCase.axes)
        text += (text.empty() ? "" : ", ") + std::to_string(axis);
      values.emplace_back(axes->name, axes->type == AttributeType::ListInt ? "[" + text + "]" : text);
    }
    const ContractAttribute *keep = contract.findAttribute(output.reduces->keepDims);
    if (keep && keep->binding == Binding::Shape && testCase.keepDims && !isTaken(*keep))
      values.emplace_back(keep->name, *testCase.keepDims ? "true" : "false");
  }
  return values;
}

static int64_t elementsOf(const std::vector<Shape> &shapes) {
  int64_t sum = 0;
  for (const Shape &shape : shapes)
    sum += checkedElements(shape).value_or(kMostElements);
  return sum;
}

/// The shapes with the dimension `place` from the right `factor` times as long, in all inputs that have it.
static std::vector<Shape> stretched(std::vector<Shape> shapes, size_t place, int64_t factor) {
  for (Shape &shape : shapes)
    if (place < shape.size() && shape[shape.size() - 1 - place] != 1)
      shape[shape.size() - 1 - place] *= factor;
  return shapes;
}

std::optional<BoundLaunch> LaunchMaker::bindCandidate(const Candidate &candidate, const std::vector<Tensor> &inputs,
                                                      int64_t blocks, const MakeTensor &makeOutput) const {
  std::vector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  Diagnostics ignored;
  return bindLaunch(manifest, pointers, candidate.attributes, LaunchTarget{blocks, nullptr, candidate.typeRow, {}},
                    ignored, makeOutput);
}

/// Values that no operator of the library makes infinite, and indices of nothing.
static void fill(Tensor &tensor, std::mt19937_64 &random) {
  const size_t size = size_t(elementSize(tensor.type()));
  auto *bytes = static_cast<uint8_t *>(tensor.data());
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    // The upper half of a float between 1 and 2; of an integer a small number.
    const uint32_t draw = uint32_t(random());
    uint32_t bits = draw % 7;
    if (tensor.type() == ElementType::Bool)
      bits = draw % 2;
    else if (tensor.type() == ElementType::Float32)
      bits = 0x3f800000u | (draw & 0x7fffffu);
    else if (tensor.type() == ElementType::Float16)
      bits = 0x3c00u | (draw & 0x3ffu);
    else if (tensor.type() == ElementType::BFloat16)
      bits = 0x3f80u | (draw & 0x7fu);
    uint64_t wide = bits;
    std::memcpy(bytes + size_t(i) * size, &wide, std::min(size, sizeof(wide)));
  }
}

std::unique_ptr<KernelLaunch> LaunchMaker::make(const Candidate &candidate, int64_t blocks) const {
  std::mt19937_64 random(seed);
  auto launch = std::make_unique<KernelLaunch>();
  for (size_t i = 0; i < candidate.shapes.size(); ++i) {
    std::optional<Tensor> tensor = Tensor::create(manifest.inputs[i].types[candidate.typeRow], candidate.shapes[i]);
    if (!tensor)
      return nullptr;
    fill(*tensor, random);
    const PackedForm form = manifest.inputs[i].packedForm(candidate.typeRow);
    if (form != PackedForm::None && !(tensor = packedCopy(*tensor, form)))
      return nullptr;
    launch->inputs.push_back(std::move(*tensor));
  }
  std::optional<BoundLaunch> bound = bindCandidate(candidate, launch->inputs, blocks, Tensor::create);
  if (!bound)
    return nullptr;
  launch->bound = std::move(*bound);
  for (size_t i = 0; i < launch->inputs.size(); ++i) {
    Tensor &tensor = launch->inputs[i];
    launch->tensors.push_back({manifest.inputs[i].name, tensor.data(), tensor.numBytes(), tensor.type(), false});
  }
  for (size_t i = 0; i < launch->bound.outputs.size(); ++i) {
    Tensor &tensor = launch->bound.outputs[i];
    launch->tensors.push_back({manifest.outputs[i].name, tensor.data(), tensor.numBytes(), tensor.type(), true});
  }
  for (Tensor &tensor : launch->bound.workspace)
    launch->tensors.push_back({"the workspace", tensor.data(), tensor.numBytes(), tensor.type(), true});
  return launch;
}

// Shapes alone say which kernel runs, so no tensor has memory. Results of indices can have many more elements than the
// inputs have.
void LaunchMaker::consider(const Candidate &candidate, ByKernel &found) const {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < candidate.shapes.size(); ++i) {
    if (std::optional<Tensor> tensor =
            Tensor::overPacked(manifest.inputs[i].types[candidate.typeRow], candidate.shapes[i],
                               manifest.inputs[i].packedForm(candidate.typeRow), nullptr))
      inputs.push_back(std::move(*tensor));
  }
  if (inputs.size() != candidate.shapes.size())
    return;
  int64_t left = kMostElements;
  auto makeOutput = [&left](ElementType type, const Shape &shape) -> std::optional<Tensor> {
    left -= checkedElements(shape).value_or(kMostElements + 1);
    return left >= 0 ? Tensor::over(type, shape, nullptr, {}) : std::nullopt;
  };
  if (std::optional<BoundLaunch> bound = bindCandidate(candidate, inputs, 1, makeOutput)) {
    std::vector<Candidate> &list = found[bound->kernel->name];
    list.push_back(candidate);
    list.back().number = list.size();
  }
}

void LaunchMaker::sortBySize(std::vector<Candidate> &list) {
  std::sort(list.begin(), list.end(), [](const Candidate &a, const Candidate &b) {
    return std::pair(a.elements, a.number) < std::pair(b.elements, b.number);
  });
}

// A dimension is known by its size: where two have one size, both get the other one.
void LaunchMaker::findOthers() const {
  others.emplace();
  for (const Candidate &candidate : cases) {
    std::set<int64_t> sizes;
    for (const Shape &shape : candidate.shapes)
      sizes.insert(shape.begin(), shape.end());
    for (int64_t size : sizes)
      for (int64_t instead : kOtherSizes) {
        Candidate other = candidate;
        for (Shape &shape : other.shapes)
          std::replace(shape.begin(), shape.end(), size, instead);
        other.elements = elementsOf(other.shapes);
        if (other.elements <= kMostElements)
          consider(other, *others);
      }
  }
  for (auto &[name, list] : *others)
    sortBySize(list);
}

LaunchMaker::LaunchMaker(const Contract &contract, const Manifest &manifest, uint64_t seed)
    : manifest(manifest), seed(seed) {
  tool::TestPlan plan;
  plan.seed = seed;
  plan.sizes = {1, 17, 33, 129, 4097, 20011, 60000, 130001};
  size_t refused = 0;
  const std::vector<tool::TestCase> testCases = tool::makeTestCases(contract, plan, refused);
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    for (const tool::TestCase &testCase : testCases) {
      const int64_t elements = elementsOf(testCase.inputs);
      if (testCase.special || elements < 1 || elements > kLargestElements)
        continue;
      const Candidate candidate = {testCase.inputs, attributesOf(contract, testCase), row, elements};
      cases.push_back(candidate);
      consider(candidate, candidates);
      for (size_t place = 0; place < 2; ++place) {
        Candidate larger = candidate;
        const int64_t factor = std::max<int64_t>(1, kMostElements / 2 / elements);
        larger.shapes = stretched(candidate.shapes, place, factor);
        larger.elements = elementsOf(larger.shapes);
        if (larger.elements > 2 * elements && larger.elements <= kMostElements)
          consider(larger, candidates);
      }
    }
  for (auto &[name, list] : candidates) {
    sortBySize(list);
    while (list.size() > 1 && list.back().elements > kMostElements)
      list.pop_back();
  }
}

std::vector<std::unique_ptr<KernelLaunch>> LaunchMaker::launchesOf(const std::string &kernel) const {
  std::vector<std::unique_ptr<KernelLaunch>> launches;
  auto list = candidates.find(kernel);
  if (list == candidates.end())
    return launches;
  const size_t count = std::min(kLaunches, list->second.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t place = count == 1 ? 0 : i * (list->second.size() - 1) / (count - 1);
    if (std::unique_ptr<KernelLaunch> launch = make(list->second[place], i % 2 ? 3 : 1))
      launches.push_back(std::move(launch));
  }
  return launches;
}

void LaunchMaker::forEachLaunch(const std::string &kernel, const std::function<bool(KernelLaunch &)> &visit) const {
  if (!others)
    findOthers();
  for (const ByKernel *each : std::initializer_list<const ByKernel *>{&candidates, &*others})
    if (auto list = each->find(kernel); list != each->end())
      for (const Candidate &candidate : list->second)
        for (int64_t blocks : {1, 3})
          if (std::unique_ptr<KernelLaunch> launch = make(candidate, blocks); launch && !visit(*launch))
            return;
}

} // namespace opc::mutants
