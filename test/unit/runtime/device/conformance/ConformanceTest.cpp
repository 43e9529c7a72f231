// What every device does, whichever it is: load, launch, prepare, refuse. A new device is added to the list at
// the end and passes.

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/cpu/KernelLibrary.h"
#include "runtime/device/registry/Devices.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {
class Conformance : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    device = createDevice(GetParam(), 0, diagnostics);
    ASSERT_TRUE(device);
  }
  /// The null device writes nothing: its outputs keep what they held.
  bool computes() const { return GetParam() != "null"; }
  std::unique_ptr<Kernel> load() {
    return device->load(folder.path(), folder.manifest(), folder.addRelu(), diagnostics);
  }
  std::string firstError() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }
  ConformanceFolder folder;
  std::unique_ptr<Device> device;
  Diagnostics diagnostics;
};

/// x1, x2 and y of a launch, with guards around y.
struct Data {
  explicit Data(int64_t n, unsigned seed = 1) : x1(size_t(n)), x2(size_t(n)), y(size_t(n) + 2, -7) {
    for (size_t i = 0; i < x1.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      x1[i] = float(int(seed >> 8) % 2001 - 1000) / 8;
      x2[i] = float(int(seed >> 16) % 2001 - 1000) / 16;
    }
  }
  int64_t bytes() const { return int64_t(x1.size() * sizeof(float)); }
  std::vector<void *> pointers() { return {x1.data(), x2.data(), y.data() + 1}; }
  /// Bit for bit what a device that computes leaves.
  void check(bool computed) const {
    EXPECT_EQ(y.front(), -7);
    EXPECT_EQ(y.back(), -7);
    for (size_t i = 0; i < x1.size(); ++i)
      ASSERT_EQ(y[i + 1], computed ? std::max(x1[i] + x2[i], 0.0f) : -7.0f) << i;
  }
  std::vector<float> x1, x2, y;
};
} // namespace

static LaunchArguments argumentsFor(Data &data, const Device &device) {
  LaunchArguments arguments;
  for (void *pointer : data.pointers())
    arguments.tensors.push_back({pointer, data.bytes(), ElementType::Float32});
  int64_t inputs[] = {int64_t(data.x1.size()), device.maxBlocks()};
  arguments.tiling.resize(4);
  EXPECT_EQ(runTiling(conformanceTiling(), inputs, arguments.tiling.data()), EvalStatus::Ok);
  arguments.blockNum = arguments.tiling[0];
  return arguments;
}

// Without it: --device=NAME starts another device, or a launch is cut into no blocks.
TEST_P(Conformance, SaysWhoItIs) {
  EXPECT_EQ(device->name(), GetParam());
  EXPECT_GE(device->maxBlocks(), 1);
}

// Without it: sizes around tiles and blocks, or empty tensors, are computed wrongly on one device.
TEST_P(Conformance, LaunchesEverySize) {
  std::unique_ptr<Kernel> kernel = load();
  ASSERT_TRUE(kernel) << firstError();
  for (int64_t n : {0, 1, 7, 8, 1023, 1024, 1025, 4096, 100003}) {
    Data data(n, unsigned(n) + 1);
    LaunchReport report;
    ASSERT_TRUE(kernel->launch(argumentsFor(data, *device), report, diagnostics)) << firstError();
    data.check(computes());
    EXPECT_GE(report.seconds, 0);
  }
}

// Without it: a kernel carries something from one launch to the next.
TEST_P(Conformance, LaunchesAgainAndAgain) {
  std::unique_ptr<Kernel> kernel = load();
  ASSERT_TRUE(kernel);
  for (unsigned seed = 0; seed < 20; ++seed) {
    Data data(2000 - int64_t(seed) * 97, seed);
    LaunchReport report;
    ASSERT_TRUE(kernel->launch(argumentsFor(data, *device), report, diagnostics));
    data.check(computes());
  }
}

// Without it: what was prepared remembers the memory it was prepared with.
TEST_P(Conformance, PreparedLaunchesTakeOtherMemory) {
  std::unique_ptr<Kernel> kernel = load();
  ASSERT_TRUE(kernel);
  Data first(5000), second(5000, 9);
  LaunchArguments arguments = argumentsFor(first, *device);
  for (LaunchTensor &tensor : arguments.tensors)
    tensor.data = nullptr;
  std::unique_ptr<PreparedKernel> prepared = kernel->prepare(arguments, diagnostics);
  ASSERT_TRUE(prepared) << firstError();
  for (Data *data : {&first, &second}) {
    ASSERT_TRUE(prepared->run(data->pointers().data(), diagnostics)) << firstError();
    data->check(computes());
  }
}

// Without it: two threads that share a prepared launch disturb each other.
TEST_P(Conformance, PreparedLaunchesRunOnManyThreads) {
  std::unique_ptr<Kernel> kernel = load();
  ASSERT_TRUE(kernel);
  Data shape(3001);
  std::unique_ptr<PreparedKernel> prepared = kernel->prepare(argumentsFor(shape, *device), diagnostics);
  ASSERT_TRUE(prepared);
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      for (unsigned turn = 0; turn < 10; ++turn) {
        Data data(3001, seed * 100 + turn);
        Diagnostics own;
        EXPECT_TRUE(prepared->run(data.pointers().data(), own));
        data.check(computes());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Without it: a device reads tensors or fields that are not there.
TEST_P(Conformance, RefusesOtherNumbers) {
  std::unique_ptr<Kernel> kernel = load();
  ASSERT_TRUE(kernel);
  Data data(100);
  LaunchReport report;
  LaunchArguments fewTensors = argumentsFor(data, *device);
  fewTensors.tensors.pop_back();
  EXPECT_FALSE(kernel->launch(fewTensors, report, diagnostics));
  EXPECT_TRUE(diagnostics.hasErrors());
  diagnostics = {};
  LaunchArguments fewFields = argumentsFor(data, *device);
  fewFields.tiling.pop_back();
  EXPECT_FALSE(kernel->launch(fewFields, report, diagnostics));
  EXPECT_TRUE(diagnostics.hasErrors());
  data.check(false);
}

// Without it: a launch from the folder, bound by the contract's rules, differs between devices.
TEST_P(Conformance, RunsAnOpenedFolder) {
  std::optional<OpFolder> opened = openOpFolder(folder.path(), diagnostics);
  ASSERT_TRUE(opened) << firstError();
  std::shared_ptr<Operator> op = Operator::create(std::move(*opened), std::shared_ptr<Device>(std::move(device)));
  TensorForm form{ElementType::Float32, {3, 41, 17}};
  auto launch = PreparedLaunch::create(op, {form, form}, {}, diagnostics);
  ASSERT_TRUE(launch) << firstError();
  ASSERT_EQ(launch->outputs().size(), 1u);
  EXPECT_EQ(launch->outputs().front(), form);
  EXPECT_EQ(launch->label(), "AddRelu_3x41x17");
  Data data(3 * 41 * 17);
  ASSERT_TRUE(launch->run(data.pointers().data(), diagnostics)) << firstError();
  data.check(computes());
}

// Without it: a launch writes over an input, through null, or across an element's boundary.
TEST_P(Conformance, RefusesMemoryThatDoesNotFit) {
  std::optional<OpFolder> opened = openOpFolder(folder.path(), diagnostics);
  ASSERT_TRUE(opened);
  std::shared_ptr<Operator> op = Operator::create(std::move(*opened), std::shared_ptr<Device>(std::move(device)));
  TensorForm form{ElementType::Float32, {100}};
  auto launch = PreparedLaunch::create(op, {form, form}, {}, diagnostics);
  ASSERT_TRUE(launch);
  Data data(200);
  auto refused = [&](std::vector<void *> pointers, const char *rule, const char *text) {
    Diagnostics own;
    EXPECT_FALSE(launch->run(pointers.data(), own));
    ASSERT_EQ(own.errorCount(), 1u);
    EXPECT_EQ(own.all().front().code, Code::E0530);
    EXPECT_EQ(own.all().front().rule, rule);
    EXPECT_THAT(own.all().front().message, HasSubstr(text));
  };
  std::vector<void *> good = {data.x1.data(), data.x2.data(), data.y.data() + 1};
  refused({nullptr, good[1], good[2]}, "launch_c10", "memory for 'x1'");
  refused({good[0], static_cast<char *>(good[1]) + 2, good[2]}, "launch_c11", "'x2' aligned");
  refused({good[0], good[1], data.x1.data() + 99}, "launch_c12", "'y' overlaps 'x1'");
  data.check(false);
}

INSTANTIATE_TEST_SUITE_P(Devices, Conformance, testing::ValuesIn(deviceNames()));

// ---- what the CPU device promises beyond that ----

// Without it: the number of threads shows in a result.
TEST(CpuConformance, ThreadsChangeNoResult) {
  ConformanceFolder folder;
  Diagnostics diagnostics;
  for (int threads : {1, 2, 4}) {
    std::unique_ptr<Device> device = createCpuDevice(threads);
    std::unique_ptr<Kernel> kernel = device->load(folder.path(), folder.manifest(), folder.addRelu(), diagnostics);
    ASSERT_TRUE(kernel);
    Data data(70001);
    LaunchReport report;
    ASSERT_TRUE(kernel->launch(argumentsFor(data, *device), report, diagnostics));
    data.check(true);
  }
}

// Without it: blocks that add to common elements run side by side.
TEST(CpuConformance, InOrderBlocksRunInOrder) {
  ConformanceFolder folder;
  Diagnostics diagnostics;
  std::unique_ptr<Device> device = createCpuDevice(0);
  std::unique_ptr<Kernel> kernel = device->load(folder.path(), folder.manifest(), folder.trail(), diagnostics);
  ASSERT_TRUE(kernel);
  Data data(64 * 1024);
  std::fill(data.y.begin() + 1, data.y.end() - 1, 0.0f);
  LaunchArguments arguments = argumentsFor(data, *device);
  ASSERT_EQ(arguments.blockNum, 64);
  LaunchReport report;
  ASSERT_TRUE(kernel->launch(arguments, report, diagnostics));
  EXPECT_EQ(data.y[1], 64);
  for (size_t block = 0; block < 64; ++block)
    EXPECT_EQ(data.y[2 + block], float(block));
}

// Without it: the suite's library drifts from the suite's manifest, and the device's check of it goes untested.
TEST(CpuConformance, LibraryHasTheTilingFunctionOfTheManifest) {
  Diagnostics diagnostics;
  auto library = KernelLibrary::open(conformanceLibrary(), diagnostics);
  ASSERT_TRUE(library) << diagnostics.all().front().message;
  const opc_kernel_entry *entry = library->find("add_relu_float32");
  ASSERT_TRUE(entry);
  std::vector<uint8_t> wanted = writeTiling(conformanceTiling());
  std::vector<uint8_t> found(entry->tiling_code, entry->tiling_code + entry->tiling_size);
  std::string text;
  for (uint8_t byte : wanted)
    text += std::to_string(byte) + ", ";
  EXPECT_EQ(found, wanted) << "conformance_tiling.inc: " << text;
}
