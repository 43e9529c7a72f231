// Kernels that end their process, or never end: what `opc run` and `opc test` make of them.

#include "tools/opc/run/KernelProcess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

using namespace opc;
using namespace opc::tool;
using ::testing::HasSubstr;

namespace {
using Work = std::function<bool(const LaunchArguments &, LaunchReport &, Diagnostics &)>;

class WorkKernel : public Kernel {
public:
  explicit WorkKernel(Work work) : work(std::move(work)) {}
  bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) override {
    return work(arguments, report, diagnostics);
  }

private:
  Work work;
};

/// A device whose kernel does what the test says.
class WorkDevice : public Device {
public:
  explicit WorkDevice(Work work, bool hostCode = true) : work(std::move(work)), code(hostCode) {}
  std::string_view name() const override { return "work"; }
  bool runsHostCode() const override { return code; }
  int64_t maxBlocks() const override { return 1; }
  std::unique_ptr<Kernel> load(const std::string &, const Manifest &, const ManifestKernel &, Diagnostics &) override {
    return std::make_unique<WorkKernel>(work);
  }

private:
  Work work;
  bool code;
};

/// One launch of `work` over an output of 10,000 floats.
struct Trial {
  explicit Trial(Work work, unsigned times = 1, bool hostCode = true,
                 std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    WorkDevice device(std::move(work), hostCode);
    kernel.name = "worker";
    folder.path = "folder";
    folder.manifest.cpuLibrary = "cpu/worker.so";
    launch.kernel = &kernel;
    std::optional<Tensor> output = makeSharedTensor(ElementType::Float32, {100, 100});
    launch.outputs.push_back(std::move(*output));
    // An error of before is none of this launch.
    found.error(Code::E0700, {}, "before");
    outcome = launchKernel(device, folder, {}, launch, times, /*trace=*/false, found, patience);
  }
  float element(size_t at) { return static_cast<float *>(launch.outputs[0].data())[at]; }
  Code code() const { return found.all().back().code; }
  std::string message() const { return found.all().back().message; }

  ManifestKernel kernel;
  OpFolder folder;
  BoundLaunch launch;
  Diagnostics found;
  std::optional<LaunchOutcome> outcome;
};
} // namespace

static void write(const LaunchArguments &arguments, size_t at, float value) {
  static_cast<float *>(arguments.tensors[0].data)[at] = value;
}

// What breaks without it: results stay in the child.
TEST(KernelProcess, OutputsAndTimesComeBack) {
  pid_t here = getpid();
  int launches = 0;
  Trial trial(
      [&](const LaunchArguments &arguments, LaunchReport &report, Diagnostics &) {
        ++launches;
        write(arguments, 0, getpid() == here ? -1.0f : 1.0f);
        write(arguments, 9999, float(launches));
        report.seconds = launches / 3.0;
        return true;
      },
      3);
  ASSERT_TRUE(trial.outcome) << trial.message();
  EXPECT_EQ(trial.element(0), 1.0f) << "host code runs in a process of its own";
  EXPECT_EQ(trial.element(9999), 3.0f);
  EXPECT_EQ(trial.outcome->seconds, (std::vector<double>{1 / 3.0, 2 / 3.0, 1.0}));
  EXPECT_EQ(trial.outcome->report.seconds, 1.0);
  EXPECT_EQ(launches, 0);
}

TEST(KernelProcess, DevicesWithoutHostCodeRunHere) {
  pid_t here = getpid();
  Trial trial(
      [&](const LaunchArguments &arguments, LaunchReport &report, Diagnostics &) {
        write(arguments, 0, getpid() == here ? 1.0f : -1.0f);
        report.cycles = 7;
        return true;
      },
      2, /*hostCode=*/false);
  ASSERT_TRUE(trial.outcome);
  EXPECT_EQ(trial.element(0), 1.0f);
  EXPECT_EQ(trial.outcome->report.cycles, 7);
  EXPECT_EQ(trial.outcome->seconds.size(), 2u);
}

// What breaks without it: a damaged library ends `opc run` by a signal, without a word.
TEST(KernelProcess, ASignalIsTold) {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGKILL}) {
    Trial trial([&](const LaunchArguments &, LaunchReport &, Diagnostics &) { return raise(signal) == 0; });
    EXPECT_FALSE(trial.outcome);
    EXPECT_EQ(trial.code(), Code::E0594);
    EXPECT_THAT(trial.message(), HasSubstr("'worker' ended its process: signal " + std::to_string(signal) + " ("));
    ASSERT_EQ(trial.found.errorCount(), 2u);
    EXPECT_EQ(trial.found.all()[1].location.file, "folder/cpu/worker.so");
  }
}

TEST(KernelProcess, AnExitIsTold) {
  for (int status : {0, 3}) {
    Trial trial([&](const LaunchArguments &, LaunchReport &, Diagnostics &) -> bool { _exit(status); });
    EXPECT_FALSE(trial.outcome);
    EXPECT_EQ(trial.code(), Code::E0594);
    EXPECT_THAT(trial.message(), HasSubstr("exit status " + std::to_string(status)));
  }
}

TEST(KernelProcess, AnExceptionIsAnExit) {
  Trial trial([](const LaunchArguments &, LaunchReport &, Diagnostics &) -> bool { throw std::runtime_error("no"); });
  EXPECT_FALSE(trial.outcome);
  EXPECT_EQ(trial.code(), Code::E0594);
}

// What breaks without it: damaged code that loops hangs the tool.
TEST(KernelProcess, AKernelThatDoesNotEndIsEnded) {
  Trial trial(
      [](const LaunchArguments &, LaunchReport &, Diagnostics &) -> bool {
        for (;;)
          pause();
      },
      1, /*hostCode=*/true, std::chrono::milliseconds(50));
  EXPECT_FALSE(trial.outcome);
  EXPECT_EQ(trial.code(), Code::E0595);
  EXPECT_THAT(trial.message(), HasSubstr("'worker' expects to end within 0.05"));
}

// The limit is one of each launch, not of all of them.
TEST(KernelProcess, PatienceIsThatOfOneLaunch) {
  Trial trial(
      [](const LaunchArguments &, LaunchReport &, Diagnostics &) {
        usleep(300'000);
        return true;
      },
      4, /*hostCode=*/true, std::chrono::milliseconds(1000));
  EXPECT_TRUE(trial.outcome) << trial.message();
}

// Errors of the device keep everything they say.
TEST(KernelProcess, ErrorsComeBackWhole) {
  Trial trial([](const LaunchArguments &, LaunchReport &, Diagnostics &diagnostics) {
    diagnostics.error(Code::E0592, {"body.mlir", 3, 4}, "says \"this\"\nand that", "rule_c1", "the fix")
        .notes.push_back({{"other.mlir", 5, 6}, "a note"});
    return false;
  });
  EXPECT_FALSE(trial.outcome);
  ASSERT_EQ(trial.found.errorCount(), 2u);
  const Diagnostic &error = trial.found.all()[1];
  EXPECT_EQ(error.code, Code::E0592);
  EXPECT_EQ(error.location.file, "body.mlir");
  EXPECT_EQ(error.location.column, 4u);
  EXPECT_EQ(error.message, "says \"this\"\nand that");
  EXPECT_EQ(error.rule, "rule_c1");
  EXPECT_EQ(error.fix, "the fix");
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_EQ(error.notes[0].message, "a note");
  EXPECT_EQ(error.notes[0].location.line, 5u);
}

TEST(KernelProcess, AFailureWithoutAReasonIsAnError) {
  for (bool hostCode : {false, true}) {
    Trial trial([](const LaunchArguments &, LaunchReport &, Diagnostics &) { return false; }, 1, hostCode);
    EXPECT_FALSE(trial.outcome);
    EXPECT_EQ(trial.code(), Code::E0900);
  }
}
