// Launches of one child after another: what stays, what a launch damages, and what is said of it.

#include "tools/opc/run/KernelServer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

using namespace opc;
using namespace opc::tool;
using ::testing::HasSubstr;

namespace {
using Work = std::function<bool(const LaunchArguments &, Diagnostics &)>;

/// Writes to the second tensor which ones it was told to be constant, as bits, and goes on as the test says.
class KeepingKernel : public PreparedKernel {
public:
  explicit KeepingKernel(const Work &work) : work(work) {}
  bool run(void *const *tensors, Diagnostics &diagnostics) override {
    *static_cast<float *>(tensors[1]) = kept;
    return work({}, diagnostics);
  }
  void keepConstants(void *const *, const std::vector<bool> &constant) override {
    for (size_t i = 0; i < constant.size(); ++i)
      kept += constant[i] ? float(1 << i) : 0.0f;
  }

private:
  const Work &work;
  float kept = 0;
};

class WorkKernel : public Kernel {
public:
  WorkKernel(const Work &work, const Work &prepared) : work(work), prepared(prepared) {}
  bool launch(const LaunchArguments &arguments, LaunchReport &, Diagnostics &diagnostics) override {
    return work(arguments, diagnostics);
  }
  std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &, Diagnostics &) override {
    return std::make_unique<KeepingKernel>(prepared);
  }

private:
  const Work &work, &prepared;
};

/// A device with two kernels, which do what the test says, as do prepared launches of them.
class WorkDevice : public Device {
public:
  std::string_view name() const override { return "work"; }
  bool runsHostCode() const override { return true; }
  int64_t maxBlocks() const override { return 1; }
  std::unique_ptr<Kernel> load(const std::string &, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &) override {
    return std::make_unique<WorkKernel>(works[size_t(&kernel - manifest.kernels.data())], prepared);
  }

  Work works[2], prepared;
};

/// Launches of two kernels with an input and an output of 1000 floats.
class KernelServerTest : public ::testing::Test {
protected:
  KernelServerTest() {
    folder.path = "folder";
    folder.manifest.cpuLibrary = "cpu/worker.so";
    folder.manifest.kernels.resize(2);
    folder.manifest.kernels[0].name = "first";
    folder.manifest.kernels[1].name = "second";
    folder.manifest.outputs.resize(1);
    folder.manifest.outputs[0].name = "y";
  }

  bool launch(size_t kernel, std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    server.inputs.reset();
    server.outputs.reset();
    const std::optional<Tensor> given = server.inputs.make(ElementType::Float32, {10, 100});
    BoundLaunch launch;
    launch.kernel = &folder.manifest.kernels[kernel];
    launch.blockNum = 3;
    launch.tiling = {3, -5};
    launch.outputs.push_back(*server.outputs.make(ElementType::Float32, {1000}));
    output = static_cast<float *>(launch.outputs[0].data());
    output[0] = -1;
    const bool done = server.launch(device, {&*given}, launch, found, patience);
    return done && keeps ? server.launchWithConstants(device, {&*given}, launch, found) : done;
  }
  const Diagnostic &last() const { return found.all().back(); }

  WorkDevice device;
  OpFolder folder;
  KernelServer server{folder};
  Diagnostics found;
  float *output = nullptr;
  bool keeps = false; ///< whether each launch is repeated with the constants of the contract given before
};
} // namespace

static float *floats(const LaunchArguments &arguments, size_t tensor) {
  return static_cast<float *>(arguments.tensors[tensor].data);
}

// What breaks without it: each launch forks, or arguments get lost on the way.
TEST_F(KernelServerTest, OneChildServesAllLaunches) {
  int count = 0;
  device.works[0] = [&](const LaunchArguments &arguments, Diagnostics &) {
    floats(arguments, 1)[0] = float(++count);
    return arguments.blockNum == 3 && arguments.tiling == std::vector<int64_t>{3, -5} &&
           arguments.tensors[0].bytes == 4000 && arguments.tensors[0].type == ElementType::Float32;
  };
  device.works[1] = [&](const LaunchArguments &arguments, Diagnostics &) {
    floats(arguments, 1)[0] = float(100 + ++count);
    return true;
  };
  for (auto [kernel, expected] : {std::pair(0, 1.0f), {1, 102.0f}, {0, 3.0f}, {1, 104.0f}}) {
    ASSERT_TRUE(launch(size_t(kernel))) << last().message;
    EXPECT_EQ(output[0], expected);
  }
  EXPECT_EQ(count, 0) << "host code runs in a process of its own";
}

// What breaks without it: a fault of one launch is reported for another, or the session is over.
TEST_F(KernelServerTest, AKernelThatEndsItsProcessIsNamedAndTheNextRuns) {
  device.works[0] = [](const LaunchArguments &, Diagnostics &) { return raise(SIGSEGV) == 0; };
  device.works[1] = [](const LaunchArguments &, Diagnostics &) { return true; };
  for (int before : {0, 2}) {
    for (int i = 0; i < before; ++i)
      ASSERT_TRUE(launch(1)) << last().message;
    const size_t told = found.errorCount();
    EXPECT_FALSE(launch(0));
    ASSERT_EQ(found.errorCount(), told + 1);
    EXPECT_EQ(last().code, Code::E0594);
    EXPECT_THAT(last().message, HasSubstr("'first' ended its process: signal 11 ("));
    EXPECT_EQ(last().location.file, "folder/cpu/worker.so");
    EXPECT_TRUE(last().notes.empty());
  }
}

TEST_F(KernelServerTest, DamageOfALaunchBeforeIsSaid) {
  bool damaged = false;
  device.works[0] = [&](const LaunchArguments &, Diagnostics &) { return damaged = true; };
  device.works[1] = [&](const LaunchArguments &, Diagnostics &) { return !damaged || raise(SIGABRT) == 0; };
  ASSERT_TRUE(launch(0));
  EXPECT_FALSE(launch(1));
  ASSERT_EQ(found.errorCount(), 1u);
  EXPECT_EQ(last().code, Code::E0594);
  ASSERT_EQ(last().notes.size(), 1u);
  EXPECT_THAT(last().notes[0].message, HasSubstr("a launch before it wrote where it must not"));
  EXPECT_TRUE(launch(1)) << "the next child is not damaged";
}

// What breaks without it: `opc test` compares a launch with itself, and no kernel ever reads what it has packed.
TEST_F(KernelServerTest, ConstantsOfTheContractAreGivenBefore) {
  device.works[0] = device.prepared = [](const LaunchArguments &, Diagnostics &) { return true; };
  folder.manifest.inputs.resize(1);
  keeps = folder.manifest.inputs[0].isConstant = true;
  ASSERT_TRUE(launch(0)) << last().message;
  EXPECT_EQ(output[0], 1.0f) << "the input, and not the output";
}

// What breaks without it: a fault of such a launch is not told, or ends the session.
TEST_F(KernelServerTest, AKernelThatEndsItsProcessWithConstantsIsNamed) {
  device.works[0] = [](const LaunchArguments &, Diagnostics &) { return true; };
  device.prepared = [](const LaunchArguments &, Diagnostics &) { return raise(SIGSEGV) == 0; };
  folder.manifest.inputs.resize(1);
  keeps = folder.manifest.inputs[0].isConstant = true;
  EXPECT_FALSE(launch(0));
  ASSERT_EQ(found.errorCount(), 1u);
  EXPECT_EQ(last().code, Code::E0594);
  EXPECT_THAT(last().message, HasSubstr("'first' ended its process: signal 11 ("));
  EXPECT_THAT(last().notes[0].message, HasSubstr("its constants were given before"));
  keeps = false;
  EXPECT_TRUE(launch(0));
}

// What breaks without it: other devices get inputs that a kernel of this one has changed.
TEST_F(KernelServerTest, InputsCannotBeWritten) {
  device.works[0] = [](const LaunchArguments &arguments, Diagnostics &) {
    floats(arguments, 0)[0] = 1;
    return true;
  };
  device.works[1] = [](const LaunchArguments &, Diagnostics &) { return true; };
  EXPECT_FALSE(launch(0));
  EXPECT_EQ(last().code, Code::E0594);
  // Behind others it is repeated, where inputs cannot be written either.
  ASSERT_TRUE(launch(1));
  EXPECT_FALSE(launch(0));
  ASSERT_EQ(found.errorCount(), 2u);
  EXPECT_EQ(last().code, Code::E0594);
  EXPECT_TRUE(last().notes.empty());
}

// What breaks without it: a kernel whose last vector is too long passes, since its own bytes are right.
TEST_F(KernelServerTest, BytesAroundAnOutputAreCompared) {
  const std::vector<int64_t> places = {4000, 4099, 8191, -1, -4096, 0, 3999};
  // The child has its own copy, and counts its launches.
  device.works[0] = [places, next = size_t(0)](const LaunchArguments &arguments, Diagnostics &) mutable {
    static_cast<char *>(arguments.tensors[1].data)[places[next++]] = 1;
    return true;
  };
  for (int64_t place : places) {
    const size_t told = found.errorCount();
    const bool isInside = place >= 0 && place < 4000;
    EXPECT_EQ(launch(0), isInside) << place;
    ASSERT_EQ(found.errorCount(), told + !isInside) << place;
    if (isInside)
      continue;
    EXPECT_EQ(last().code, Code::E0592);
    EXPECT_THAT(last().message, HasSubstr("'first' writes outside of output 'y', which has 4000 bytes: byte " +
                                          std::to_string(place) + " has changed"));
  }
}

TEST_F(KernelServerTest, AKernelThatDoesNotEndIsEnded) {
  device.works[0] = [](const LaunchArguments &, Diagnostics &) -> bool {
    for (;;)
      pause();
  };
  device.works[1] = [](const LaunchArguments &, Diagnostics &) { return true; };
  ASSERT_TRUE(launch(1));
  EXPECT_FALSE(launch(0, std::chrono::milliseconds(50)));
  ASSERT_EQ(found.errorCount(), 1u);
  EXPECT_EQ(last().code, Code::E0595);
  EXPECT_TRUE(launch(1));
}

TEST_F(KernelServerTest, ErrorsComeBackAndTheChildStays) {
  int count = 0;
  device.works[0] = [&](const LaunchArguments &arguments, Diagnostics &diagnostics) {
    floats(arguments, 1)[0] = float(++count);
    if (count == 1)
      diagnostics.error(Code::E0592, {"body.mlir", 3, 4}, "says \"this\"\nand that");
    return count > 2;
  };
  EXPECT_FALSE(launch(0));
  EXPECT_EQ(last().message, "says \"this\"\nand that");
  EXPECT_FALSE(launch(0));
  EXPECT_EQ(last().code, Code::E0900);
  EXPECT_TRUE(launch(0));
  EXPECT_EQ(output[0], 3.0f);
}

// Tensors that do not fit are launched as `opc run` does.
TEST_F(KernelServerTest, TensorsElsewhereAreLaunched) {
  device.works[0] = [](const LaunchArguments &arguments, Diagnostics &) {
    floats(arguments, 1)[0] = floats(arguments, 0)[0] + 1;
    return true;
  };
  std::optional<Tensor> given = Tensor::create(ElementType::Float32, {1});
  *static_cast<float *>(given->data()) = 4;
  BoundLaunch launch;
  launch.kernel = &folder.manifest.kernels[0];
  std::optional<Tensor> most = server.outputs.make(ElementType::Int8, {(int64_t(1) << 30) - 3 * 4096});
  ASSERT_TRUE(most);
  launch.outputs.push_back(*server.outputs.make(ElementType::Float32, {1}));
  EXPECT_TRUE(server.outputs.holds(most->data(), most->numBytes()));
  EXPECT_FALSE(server.outputs.holds(launch.outputs[0].data(), 4));
  ASSERT_TRUE(server.launch(device, {&*given}, launch, found)) << last().message;
  EXPECT_EQ(*static_cast<float *>(launch.outputs[0].data()), 5.0f);
}
