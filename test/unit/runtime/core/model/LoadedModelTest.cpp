// Model folders: one that runs, and what nobody may run. The kernels are those of the suite of devices, so that no
// compiler of operators is needed.

#include "runtime/core/model/LoadedModel.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/program/format/Sha256.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

using namespace opc;
namespace fs = std::filesystem;
using testing::HasSubstr;

// The thread sanitizer has its own operators, which cannot be replaced: under it nothing is counted.
#if defined(__SANITIZE_THREAD__)
#define OPC_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OPC_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef OPC_COUNTS_ALLOCATIONS
#define OPC_COUNTS_ALLOCATIONS 1
#endif

/// Allocations of this thread.
static thread_local size_t allocations = 0;

#if OPC_COUNTS_ALLOCATIONS
void *operator new(size_t size) {
  ++allocations;
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    std::abort();
  return memory;
}
void operator delete(void *memory) noexcept {
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
  std::free(memory);
}
#endif

namespace {

constexpr int64_t kElements = 100;

class LoadedModelTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "opc-model-XXXXXX").string();
    folder = mkdtemp(name.data());
    fs::create_directories(folder / "kernels");
    fs::copy(kernel.path(), folder / "kernels/0-add_relu", fs::copy_options::recursive);
    const uint64_t bytes = kElements * sizeof(float);
    // a = relu(x + w), y = relu(a + x)
    plan.arenaBytes = 448;
    plan.weightBytes = bytes;
    plan.kernels = 1;
    plan.values = {{PlanValue::Input, 0, ElementType::Float32, {kElements}, "x"},
                   {PlanValue::Weights, 0, ElementType::Float32, {kElements}, "w"},
                   {PlanValue::Arena, 0, ElementType::Float32, {kElements}, "a"},
                   {PlanValue::Output, 0, ElementType::Float32, {kElements}, "y"},
                   {PlanValue::Output, 1, ElementType::Float32, {4, kElements / 4}, "z"},
                   {PlanValue::Output, 0, ElementType::Float32, {4, kElements / 4}, ""}};
    plan.steps = {{PlanStep::Launch, 0, "first", {}, {0, 1}, {2}},
                  {PlanStep::Launch, 0, "second", {}, {2, 0}, {3}},
                  {PlanStep::Copy, 0, "", {}, {5}, {4}}};
    plan.inputs = {0};
    plan.outputs = {3, 4};
    manifest.name = "two";
    manifest.target = "Ascend310B1";
    manifest.inputs = {{"x", ElementType::Float32, {kElements}}};
    manifest.outputs = {{"y", ElementType::Float32, {kElements}}, {"z", ElementType::Float32, {4, kElements / 4}}};
    manifest.kernels = {"kernels/0-add_relu"};
    std::vector<float> w(kElements, -1.5f);
    weights.assign(reinterpret_cast<const char *>(w.data()), bytes);
  }
  void TearDown() override { fs::remove_all(folder); }

  void writeFile(const std::string &path, const std::string &bytes) {
    std::ofstream(folder / path, std::ios::binary) << bytes;
  }
  static std::string readAll(const fs::path &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void writeAll() {
    std::vector<uint8_t> bytes = writePlan(plan);
    std::string planText(bytes.begin(), bytes.end()), kernelText = readAll(folder / "kernels/0-add_relu/manifest.json");
    kernels.resize(1);
    ASSERT_EQ(readManifest(kernelText, kernels[0]), "");
    kernels.resize(tableKernels, kernels[0]);
    bytes = writeKernelTable(kernels);
    const std::string table(bytes.begin(), bytes.end());
    fs::create_directories(folder / "plans");
    if (forms.empty())
      writeFile("plan.opcplan", planText);
    writeFile("kernels.opckernels", table);
    writeFile("weights.bin", weights);
    manifest.arenaBytes = plan.arenaBytes;
    manifest.files = {{"plan.opcplan", sha256(planText), planText.size()},
                      {"weights.bin", sha256(weights), weights.size()},
                      {"kernels.opckernels", sha256(table), table.size()},
                      {"kernels/0-add_relu/manifest.json", sha256(kernelText), kernelText.size()}};
    for (size_t form = 0; form < forms.size(); ++form) {
      bytes = writePlan(forms[form]);
      const std::string path = "plans/" + std::to_string(form) + ".opcplan", text(bytes.begin(), bytes.end());
      writeFile(path, text);
      manifest.files.push_back({path, sha256(text), text.size()});
      manifest.arenaBytes = std::max(manifest.arenaBytes, forms[form].arenaBytes);
    }
    if (!forms.empty())
      manifest.files.erase(manifest.files.begin());
    writeFile("model.json", writeModelManifest(manifest));
  }
  /// y = relu(relu(x + w) + x), z = y for n = 10, 20, ... 100 elements of w.
  void openTheSizes() {
    for (int64_t n = 10; n <= kElements; n += 10) {
      ModelPlan form = plan;
      for (PlanValue &value : form.values)
        value.shape = {n};
      form.arenaBytes = (static_cast<uint64_t>(n) * sizeof(float) + 63) / 64 * 64;
      forms.push_back(form);
    }
    plan.arenaBytes = 0;
    manifest.sizes = {{"n", 10, kElements, 10}};
    manifest.inputs = {{"x", ElementType::Float32, {kOpenSize}, false, {"n"}}};
    manifest.outputs = {{"y", ElementType::Float32, {kOpenSize}}, {"z", ElementType::Float32, {kOpenSize}}};
    for (int64_t i = 0; i < kElements; ++i) {
      const float element = -float(i) / 16;
      std::memcpy(weights.data() + static_cast<size_t>(i) * sizeof element, &element, sizeof element);
    }
  }
  std::unique_ptr<LoadedModel> open() {
    return LoadedModel::open(folder.string(), std::shared_ptr<Device>(createCpuDevice(1)), diagnostics);
  }
  void expectError(Code code, const std::string &text) {
    EXPECT_FALSE(open());
    ASSERT_TRUE(diagnostics.hasErrors());
    EXPECT_EQ(diagnostics.all().front().code, code) << diagnostics.all().front().message;
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr(text));
  }

  test::ConformanceFolder kernel;
  fs::path folder;
  ModelPlan plan;
  std::vector<ModelPlan> forms; ///< of a model with open sizes, instead of `plan`
  ModelManifest manifest;
  std::string weights;
  std::vector<Manifest> kernels;
  size_t tableKernels = 1;
  Diagnostics diagnostics;
};

} // namespace

// Without it: the wrong memory is read or written, or a run asks for memory each time.
TEST_F(LoadedModelTest, RunsWithoutAllocating) {
  writeAll();
  std::unique_ptr<LoadedModel> model = open();
  ASSERT_TRUE(model) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  std::vector<float> x(kElements), y(kElements), z(kElements);
  void *inputs[] = {x.data()}, *outputs[] = {y.data(), z.data()};
  for (int run = 0; run < 3; ++run) {
    for (int64_t i = 0; i < kElements; ++i)
      x[size_t(i)] = float(i - 50 + run) / 8;
    const size_t before = allocations;
    ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
    if (run > 0) {
      EXPECT_EQ(allocations, before);
    }
    for (size_t i = 0; i < size_t(kElements); ++i) {
      float wanted = std::max(std::max(x[i] - 1.5f, 0.0f) + x[i], 0.0f);
      ASSERT_EQ(y[i], wanted) << i;
      ASSERT_EQ(z[i], wanted) << i;
    }
  }
  size_t told = 0;
  ASSERT_TRUE(model->run(inputs, outputs, [&](size_t step) { told += step; }, diagnostics));
  EXPECT_EQ(told, 3u);
}

// Without it: memory that a run may not use is taken because that of the run before was right, or refused because that
// was wrong; or launches run before the memory of a later one is refused.
TEST_F(LoadedModelTest, MemoryThatChanges) {
  writeAll();
  std::unique_ptr<LoadedModel> model = open();
  ASSERT_TRUE(model);
  std::vector<float> x(kElements, 2), y(kElements), z(kElements), other(kElements), third(kElements);
  auto run = [&](float *input, float *first, float *second) {
    void *inputs[] = {input}, *outputs[] = {first, second};
    return model->run(inputs, outputs, diagnostics);
  };
  auto refuses = [&](float *input, float *first) {
    diagnostics = Diagnostics();
    return !run(input, first, z.data()) && diagnostics.all().front().code == Code::E0530;
  };
  ASSERT_TRUE(run(x.data(), y.data(), z.data()));
  EXPECT_EQ(y[0], 2.5f);
  x.assign(kElements, 3);
  for (int time = 0; time < 2; ++time) {
    EXPECT_TRUE(refuses(x.data(), x.data() + 1));
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr("overlaps"));
    EXPECT_TRUE(refuses(x.data(), nullptr));
    EXPECT_TRUE(refuses(nullptr, y.data()));
  }
  EXPECT_EQ(x, std::vector<float>(kElements, 3));
  const PlanValue &sum = model->plan().values[2];
  EXPECT_EQ(*static_cast<const float *>(model->addressOf(sum)), 0.5f) << "of the run before";
  diagnostics = Diagnostics();
  ASSERT_TRUE(run(x.data(), other.data(), third.data()));
  EXPECT_EQ(other[kElements - 1], 4.5f);
  EXPECT_EQ(third[kElements - 1], 4.5f);
  EXPECT_EQ(y[0], 2.5f);
  ASSERT_TRUE(run(other.data(), y.data(), z.data()));
  EXPECT_EQ(z[kElements - 1], 7.5f);
}

namespace {

/// What a PackingDevice has done.
struct Packings {
  int packed = 0, taken = 0;
};

/// A launch that keeps a copy of its second input, if that is constant.
class PackingLaunch : public PreparedKernel {
public:
  PackingLaunch(std::unique_ptr<PreparedKernel> inner, size_t bytes, Packings &done)
      : inner(std::move(inner)), bytes(bytes), done(done) {}
  bool run(void *const *tensors, Diagnostics &diagnostics) override {
    void *own[] = {tensors[0], kept.memory ? const_cast<void *>(kept.memory.get()) : tensors[1], tensors[2]};
    return inner->run(own, diagnostics);
  }
  void keepConstants(void *const *tensors, const std::vector<bool> &constant) override {
    if (!constant[1])
      return;
    ++done.packed;
    kept = {std::shared_ptr<void>(std::aligned_alloc(64, 512), &std::free), bytes};
    std::memcpy(const_cast<void *>(kept.memory.get()), tensors[1], bytes);
  }
  PackedConstant packed() const override { return kept; }
  bool takePacked(const std::vector<bool> &constant, const PackedConstant &given) override {
    if (!constant[1] || given.bytes != bytes)
      return false;
    ++done.taken;
    kept = given;
    return true;
  }

private:
  std::unique_ptr<PreparedKernel> inner;
  size_t bytes;
  Packings &done;
  PackedConstant kept;
};

/// The CPU with launches that keep constants.
class PackingDevice : public Device {
public:
  PackingDevice(Packings &done, std::string form) : inner(createCpuDevice(1)), done(done), form(std::move(form)) {}
  std::string_view name() const override { return "cpu"; }
  bool runsHostCode() const override { return true; }
  int64_t maxBlocks() const override { return inner->maxBlocks(); }
  const std::vector<ManifestKernel> &kernels(const Manifest &manifest) const override {
    return inner->kernels(manifest);
  }
  std::string packedForm() const override { return form; }
  std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &diagnostics) override {
    class Packing : public Kernel {
    public:
      Packing(std::unique_ptr<Kernel> inner, Packings &done) : inner(std::move(inner)), done(done) {}
      bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) override {
        return inner->launch(arguments, report, diagnostics);
      }
      std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &arguments, Diagnostics &diagnostics) override {
        return std::make_unique<PackingLaunch>(inner->prepare(arguments, diagnostics),
                                               size_t(arguments.tensors[1].bytes), done);
      }

    private:
      std::unique_ptr<Kernel> inner;
      Packings &done;
    };
    return std::make_unique<Packing>(inner->load(folder, manifest, kernel, diagnostics), done);
  }

private:
  std::unique_ptr<Device> inner;
  Packings &done;
  std::string form;
};

} // namespace

// Without it: constants are packed in each process although a file has them; another model, other kernels or a damaged
// file give wrong ones; or a file that does not fit stops a model.
TEST_F(LoadedModelTest, TakesPackedConstants) {
  writeAll();
  const PackedStore store((folder / "store").string(), 1 << 20, 0);
  Packings done;
  auto loads = [&](const std::string &form, int packed, int taken, float weight = -1.5f) {
    done = {};
    auto model = LoadedModel::open(folder.string(), std::make_shared<PackingDevice>(done, form), diagnostics, nullptr,
                                   nullptr, &store);
    ASSERT_TRUE(model);
    EXPECT_EQ(done.packed, packed);
    EXPECT_EQ(done.taken, taken);
    std::vector<float> x(kElements, 2), y(kElements), z(kElements);
    void *inputs[] = {x.data()}, *outputs[] = {y.data(), z.data()};
    ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
    EXPECT_EQ(y[kElements - 1], 4 + weight);
  };
  loads("", 1, 0);
  EXPECT_EQ(store.list().files, 0u) << "forms without a name";
  loads("one", 1, 0);
  loads("one", 0, 1);
  loads("two", 1, 0);
  EXPECT_EQ(store.list().files, 2u);
  loads("one", 0, 1);
  fs::remove_all(folder / "store");
  loads("one", 1, 0);
  const std::string file = fs::directory_iterator(folder / "store")->path().string(), whole = readAll(file);
  EXPECT_TRUE(diagnostics.all().empty());
  std::string damaged = whole;
  damaged[4096] ^= 1; // the first constant
  std::ofstream(file, std::ios::binary) << damaged;
  loads("one", 1, 0);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_THAT(diagnostics.all().front().message, HasSubstr(file));
  loads("one", 0, 1);
  EXPECT_EQ(readAll(file), whole) << "written again";
  // A file for this key whose constants are too short.
  const std::string key = whole.substr(20, static_cast<unsigned char>(whole[16]));
  store.keep(key, {{std::shared_ptr<const void>(&file, [](const void *) {}), 4}, {}, {}});
  loads("one", 1, 0);
  diagnostics = Diagnostics();
  manifest.name = "another";
  std::vector<float> other(kElements, 0.5f);
  weights.assign(reinterpret_cast<const char *>(other.data()), kElements * sizeof(float));
  writeAll();
  loads("one", 1, 0, 0.5f);
  EXPECT_TRUE(diagnostics.all().empty());
}

// Without it: both lists of a branch run, or none, or a run asks for memory; boxes are counted wrongly.
TEST_F(LoadedModelTest, BranchesAndBoxes) {
  // y = c ? relu(x + w) : x, and the boxes of two classes.
  plan.values = {{PlanValue::Input, 0, ElementType::Float32, {kElements}, "x"},
                 {PlanValue::Weights, 0, ElementType::Float32, {kElements}, "w"},
                 {PlanValue::Input, 1, ElementType::Bool, {}, "c"},
                 {PlanValue::Output, 0, ElementType::Float32, {kElements}, "y"},
                 {PlanValue::Weights, 0, ElementType::Float32, {1, 3, 4}, "boxes"},
                 {PlanValue::Input, 2, ElementType::Float32, {1, 2, 3}, "scores"},
                 {PlanValue::Input, 3, ElementType::Int64, {1}, "most"},
                 {PlanValue::Output, 1, ElementType::Int64, {4, 3}, "kept"},
                 {PlanValue::Arena, 0, ElementType::Int64, {}, ""}};
  plan.steps = {{PlanStep::Branch, 0, "if", {}, {2}, {3}, 1, 1},
                {PlanStep::Launch, 0, "taken", {}, {0, 1}, {3}},
                {PlanStep::Copy, 0, "", {}, {0}, {3}},
                {PlanStep::Host, 0, "nms", {}, {4, 5, 6}, {7, 8}}};
  plan.inputs = {0, 2, 5, 6};
  plan.outputs = {3, 7};
  plan.counts = {-1, 8};
  manifest.inputs = {{"x", ElementType::Float32, {kElements}},
                     {"c", ElementType::Bool, {}},
                     {"scores", ElementType::Float32, {1, 2, 3}},
                     {"most", ElementType::Int64, {1}}};
  manifest.outputs = {{"y", ElementType::Float32, {kElements}}, {"kept", ElementType::Int64, {4, 3}, true}};
  // The second box is the first with its corners in another order, the third is apart.
  const float boxes[] = {0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 3, 3};
  std::memcpy(weights.data(), boxes, sizeof boxes);
  writeAll();
  std::unique_ptr<LoadedModel> model = open();
  ASSERT_TRUE(model) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  std::vector<float> x(kElements, -2.0f), y(kElements);
  std::vector<float> scores = {0.5f, 0.75f, 0.25f, 0.5f, 0.5f, NAN};
  int64_t most = 2;
  uint8_t condition = 0;
  std::vector<int64_t> kept(12, -1);
  void *inputs[] = {x.data(), &condition, scores.data(), &most}, *outputs[] = {y.data(), kept.data()};
  for (int run = 0; run < 4; ++run) {
    condition = run % 2;
    std::vector<size_t> told;
    const size_t before = allocations;
    ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
    if (run > 0) {
      EXPECT_EQ(allocations, before);
    }
    EXPECT_EQ(y[5], condition ? 0.0f : -2.0f);
    // Of equal scores the first; NaN is the last.
    EXPECT_EQ(kept, (std::vector<int64_t>{0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 2}));
    EXPECT_EQ(model->shapeOfOutput(0), (Shape{kElements}));
    EXPECT_EQ(model->shapeOfOutput(1), (Shape{4, 3}));
    ASSERT_TRUE(model->run(inputs, outputs, [&](size_t step) { told.push_back(step); }, diagnostics));
    EXPECT_EQ(told, (std::vector<size_t>{condition ? size_t(1) : size_t(2), 0, 3}));
  }
  // Rows that are not there are 0, and the count says so; more than there is room for are not written.
  most = 1;
  ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
  EXPECT_EQ(kept, (std::vector<int64_t>{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(model->shapeOfOutput(1), (Shape{2, 3}));
  most = INT64_MIN;
  ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
  EXPECT_EQ(model->shapeOfOutput(1), (Shape{0, 3}));
  most = INT64_MAX;
  std::fill_n(weights.data(), sizeof boxes, '\0');
  writeAll();
  model = open();
  ASSERT_TRUE(model);
  kept.push_back(77);
  outputs[1] = kept.data();
  ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
  EXPECT_EQ(model->shapeOfOutput(1), (Shape{4, 3}));
  EXPECT_EQ(kept.back(), 77);
}
// Without it: sizes beside a 0 overflow what a step asks of memory, or are counted one by one for years.
TEST(HostStep, TensorsWithoutElements) {
  constexpr int64_t kHuge = int64_t(1) << 62, kMany = int64_t(1) << 27;
  for (const Shape &sizes : {Shape{0, 1, kHuge}, Shape{1, 0, kHuge}, Shape{kMany, kMany, 0}, Shape{kHuge, 0, 0}}) {
    const std::vector<PlanValue> values = {
        {PlanValue::Input, 0, ElementType::Float32, {sizes[0], sizes[2], 4}, "boxes"},
        {PlanValue::Input, 1, ElementType::Float32, sizes, "scores"},
        {PlanValue::Input, 2, ElementType::Int64, {}, "most"},
        {PlanValue::Output, 0, ElementType::Int64, {0, 3}, "kept"},
        {PlanValue::Arena, 0, ElementType::Int64, {}, "count"}};
    const PlanStep step = {PlanStep::Host, 0, "nms", {}, {0, 1, 2}, {3, 4}};
    std::unique_ptr<HostStep> host = HostStep::create(step, values);
    ASSERT_TRUE(host) << sizes[0] << " " << sizes[1] << " " << sizes[2];
    int64_t most = 1, count = -1;
    void *tensors[] = {nullptr, nullptr, &most, nullptr, &count};
    host->run(tensors);
    EXPECT_EQ(count, 0);
  }
}

// Without it: zeros with a sign, NaN and types of other sizes are taken for one another, or rows beyond those that
// there are stay.
TEST(HostStep, ElementsThatAreNotZero) {
  const auto indices = [](ElementType type, const Shape &shape, const void *data, int64_t room) {
    const std::vector<PlanValue> values = {
        {PlanValue::Input, 0, type, shape, "x"},
        {PlanValue::Output, 0, ElementType::Int64, {room, static_cast<int64_t>(shape.size())}, "y"},
        {PlanValue::Arena, 0, ElementType::Int64, {}, "count"}};
    const PlanStep step = {PlanStep::Host, 1, "nonzero", {}, {0}, {1, 2}};
    std::vector<int64_t> rows(static_cast<size_t>(room) * shape.size(), 77);
    int64_t count = -1;
    void *tensors[] = {const_cast<void *>(data), rows.data(), &count};
    HostStep::create(step, values)->run(tensors);
    rows.push_back(count);
    return rows;
  };
  const float reals[] = {-0.0f, 0.0f, NAN, 1.0f, 0.0f, -1e-40f};
  EXPECT_EQ(indices(ElementType::Float32, {2, 3}, reals, 6),
            (std::vector<int64_t>{0, 2, 1, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3}));
  const uint16_t halves[] = {0x8000, 0x0001, 0x0000, 0xfe00};
  EXPECT_EQ(indices(ElementType::Float16, {4}, halves, 4), (std::vector<int64_t>{1, 3, 0, 0, 2}));
  EXPECT_EQ(indices(ElementType::BFloat16, {4}, halves, 1), (std::vector<int64_t>{1, 1}));
  const int64_t wholes[] = {int64_t(1) << 40, 0};
  EXPECT_EQ(indices(ElementType::Int64, {2, 1, 1}, wholes, 2), (std::vector<int64_t>{0, 0, 0, 0, 0, 0, 1}));
  const uint8_t truths[] = {0, 1};
  EXPECT_EQ(indices(ElementType::Bool, {2}, truths, 2), (std::vector<int64_t>{1, 0, 1}));
  constexpr int64_t kHuge = int64_t(1) << 62;
  EXPECT_EQ(indices(ElementType::Float32, {kHuge, 0, kHuge}, nullptr, 0), (std::vector<int64_t>{0}));
}

// Without it: a run has the plan of other sizes, forms that were bound before are wrong, or a run allocates memory.
TEST_F(LoadedModelTest, OpenSizes) {
  openTheSizes();
  writeAll();
  std::unique_ptr<LoadedModel> model = open();
  ASSERT_TRUE(model) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  EXPECT_EQ(model->manifest().inputs[0].shape, (Shape{kElements}));
  // More forms than stay bound, in both directions, and a form that is already bound.
  std::vector<int64_t> order;
  for (int64_t n = 10; n <= kElements; n += 10)
    order.insert(order.end(), {n, kElements + 10 - n, n});
  for (int64_t n : order) {
    ASSERT_TRUE(model->setShapes({{n}}, diagnostics)) << n;
    EXPECT_EQ(model->formNumber(), static_cast<size_t>(n / 10 - 1));
    EXPECT_EQ(model->manifest().inputs[0].shape, (Shape{n}));
    EXPECT_EQ(model->manifest().outputs[0].shape, (Shape{n}));
    EXPECT_EQ(model->shapeOfOutput(1), (Shape{n}));
    const auto count = static_cast<size_t>(n);
    std::vector<float> x(count), y(count + 1, 7.0f), z(count + 1, 7.0f);
    for (size_t i = 0; i < count; ++i)
      x[i] = float(i) / 8 - float(n) / 32;
    void *inputs[] = {x.data()}, *outputs[] = {y.data(), z.data()};
    ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
    const size_t before = allocations;
    ASSERT_TRUE(model->run(inputs, outputs, diagnostics));
    EXPECT_EQ(allocations, before);
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(y[i], std::max(std::max(x[i] - float(i) / 16, 0.0f) + x[i], 0.0f)) << n << " " << i;
    EXPECT_EQ(std::vector<float>(z.begin(), z.end()), y);
    EXPECT_EQ(y.back(), 7.0f);
  }
  // Shapes that it was not compiled for do not change the form.
  const size_t form = model->formNumber();
  ASSERT_FALSE(model->setShapes({{15}}, diagnostics));
  EXPECT_EQ(diagnostics.all().back().code, Code::E0523);
  EXPECT_THAT(diagnostics.all().back().message,
              HasSubstr("'x' to be float32 [n] with n 10, 20, ... 100: found float32 [15]"));
  EXPECT_EQ(model->formNumber(), form);
}
// Without each: shapes run with the plan of others, or memory after the arena is written.
TEST_F(LoadedModelTest, PlanOfAnotherForm) {
  openTheSizes();
  std::swap(forms[3], forms[4]);
  writeAll();
  std::unique_ptr<LoadedModel> model = open();
  ASSERT_TRUE(model);
  ASSERT_FALSE(model->setShapes({{40}}, diagnostics));
  EXPECT_THAT(diagnostics.all().front().message, HasSubstr("'plans/3.opcplan' cannot be run: its inputs or outputs"));
  EXPECT_EQ(model->formNumber(), 9u);
}
TEST_F(LoadedModelTest, LargerArena) {
  openTheSizes();
  writeAll();
  manifest.arenaBytes = forms[4].arenaBytes;
  writeFile("model.json", writeModelManifest(manifest));
  expectError(Code::E1021, "it asks for a larger arena than model.json");
}
TEST_F(LoadedModelTest, ArenaThatMemoryHasNot) {
  writeAll();
  for (uint64_t bytes : {uint64_t(1) << 62, UINT64_MAX}) {
    manifest.arenaBytes = bytes;
    writeFile("model.json", writeModelManifest(manifest));
    diagnostics = {};
    expectError(Code::E0901, "no memory holds the arena");
  }
}
TEST_F(LoadedModelTest, CountThatTheManifestLacks) {
  manifest.outputs[0].rowsDependOnData = true;
  writeAll();
  expectError(Code::E1021, "its inputs or outputs are not those of model.json");
}

// Without each: a folder that is not what was compiled is run.
TEST_F(LoadedModelTest, Refused) {
  expectError(Code::E1020, "has no model.json");
}
TEST_F(LoadedModelTest, OtherPlan) {
  writeAll();
  writeFile("plan.opcplan", "OPCP");
  expectError(Code::E1021, "'plan.opcplan' is no longer the file that was compiled");
}
TEST_F(LoadedModelTest, OtherTable) {
  writeAll();
  writeFile("kernels.opckernels", "OPCK");
  expectError(Code::E1021, "'kernels.opckernels' is no longer the file that was compiled");
}
TEST_F(LoadedModelTest, TableOfOtherKernels) {
  tableKernels = 2;
  writeAll();
  expectError(Code::E1021, "the table of kernels cannot be taken: it has another number of kernels");
}
TEST_F(LoadedModelTest, FewerWeights) {
  plan.weightBytes = 4096;
  writeAll();
  expectError(Code::E1021, "it asks for more weights than there are");
}
TEST_F(LoadedModelTest, OtherEnds) {
  manifest.outputs[0].shape = {kElements + 1};
  writeAll();
  expectError(Code::E1021, "its inputs or outputs are not those of model.json");
}
TEST_F(LoadedModelTest, MoreKernels) {
  plan.kernels = 2;
  writeAll();
  expectError(Code::E1021, "it asks for more kernels than model.json has");
}

// A plan that claims a smaller result than its kernel has would have the kernel write past it.
TEST_F(LoadedModelTest, SmallerResult) {
  plan.values[2].shape = {kElements / 2};
  plan.steps[1].operands = {0, 1};
  writeAll();
  expectError(Code::E1021, "step 0 of the plan has results that its kernel does not have");
}

// Without it: a kernel that reads an element after it wrote another one overwrites its operand.
TEST_F(LoadedModelTest, OverwritesAnOperand) {
  plan.steps[1].results = {2};
  plan.steps.insert(plan.steps.begin() + 2, {PlanStep::Launch, 0, "third", {}, {2, 0}, {3}});
  writeAll();
  expectError(Code::E1021, "step 1 of the plan writes over an operand of 'AddRelu', which may not do that");
}

// An operand of another shape than the contract allows is reported as with any launch.
TEST_F(LoadedModelTest, OtherOperand) {
  plan.values[1].shape = {kElements / 2};
  writeAll();
  EXPECT_FALSE(open());
  EXPECT_TRUE(diagnostics.hasErrors());
}

// Without it: a link leads to kernels of somebody else.
TEST_F(LoadedModelTest, KernelThatIsALink) {
  writeAll();
  fs::rename(folder / "kernels/0-add_relu", folder.string() + "-elsewhere");
  fs::create_directory_symlink(folder.string() + "-elsewhere", folder / "kernels/0-add_relu");
  expectError(Code::E1021, "leads out of the folder");
  fs::remove_all(folder.string() + "-elsewhere");
}
