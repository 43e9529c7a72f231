// Programs that never end, never fit or are no programs: a typed error in bounded time and memory, never a
// hang or a crash.

#include "test/unit/runtime/device/sim/AddReluProgram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

Outcome runAlone(ProgramBuilder &b, SimOptions options = {}) {
  std::vector<float> x(64);
  return run(b.finish(), {tensor("x", x, true)}, {}, options);
}

void expectError(const Outcome &outcome, Code code, ExitCode exit, const std::string &rule) {
  EXPECT_FALSE(outcome.result.completed);
  EXPECT_EQ(outcome.code(), code) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.exitCode(), exit);
  EXPECT_THAT(outcome.text(), HasSubstr("[" + rule + "]"));
}

} // namespace

// The scalar unit alone, with the limit that a user gets.
TEST(Limits, EndlessScalarLoop) {
  ProgramBuilder b(1);
  b.jump(0);
  expectError(runAlone(b), Code::E0450, ExitCode::Resources, "sim_c41");
}

// Instructions pile up faster than the pipe works them off: the queue is bounded, and so is the launch.
TEST(Limits, EndlessIssue) {
  ProgramBuilder b(1);
  const auto p = b.buffer("p", 0, 253952);
  const auto count = b.constant(int64_t(63488)), value = b.constant(1.0f);
  const size_t head = b.here();
  b.vector(Intrinsic::vbrc, b.ub(p, b.constant(int64_t(0)), kFloat), {}, count, value);
  b.barrier(Pipe::V);
  b.jump(head);
  SimOptions options;
  options.instructionLimit = 20000;
  expectError(runAlone(b, options), Code::E0451, ExitCode::Resources, "sim_c42");
}

TEST(Limits, TooManyCycles) {
  ProgramBuilder b(1);
  const auto p = b.buffer("p", 0, 253952);
  const auto count = b.constant(int64_t(63488)), value = b.constant(1.0f);
  const size_t head = b.here();
  b.vector(Intrinsic::vbrc, b.ub(p, b.constant(int64_t(0)), kFloat), {}, count, value);
  b.barrier(Pipe::V);
  b.jump(head);
  SimOptions options;
  options.cycleLimit = 1000000;
  expectError(runAlone(b, options), Code::E0452, ExitCode::Resources, "sim_c43");
}

// The largest scalar work in an endless loop: no sum overflows, with times and without.
TEST(Limits, EndlessScalarWork) {
  ProgramBuilder b(1);
  b.work(kMostScalarWork);
  b.jump(0);
  expectError(runAlone(b), Code::E0452, ExitCode::Resources, "sim_c43");
  SimOptions options;
  options.order = SimOrder::Adversarial;
  options.stepLimit = 1000;
  expectError(runAlone(b, options), Code::E0450, ExitCode::Resources, "sim_c41");
}

// A pipe that never moves again while the scalar unit fills its queue.
TEST(Limits, FullQueueIsADeadlock) {
  ProgramBuilder b(1);
  const auto zero = b.constant(int64_t(0));
  b.wait(Pipe::MTE2, Pipe::V, zero);
  const size_t head = b.here();
  b.barrier(Pipe::V);
  b.jump(head);
  Outcome outcome = runAlone(b);
  expectError(outcome, Code::E0572, ExitCode::CheckFailed, "sim_c33");
  EXPECT_THAT(outcome.text(), HasSubstr("room in the queue of pipe v"));
}

// Tiling parameters out of range reach the scalar unit as they are.
TEST(Limits, ScalarArithmetic) {
  ProgramBuilder overflow(1);
  overflow.compute(ScalarOp::Mul, overflow.constant(INT64_MAX), overflow.constant(int64_t(2)));
  overflow.barrier(Pipe::V);
  Outcome outcome = runAlone(overflow);
  expectError(outcome, Code::E0575, ExitCode::CheckFailed, "sim_c40");
  EXPECT_THAT(outcome.text(), HasSubstr("kernel.mlir:1:3"));
  ProgramBuilder division(1);
  division.compute(ScalarOp::Rem, division.constant(int64_t(1)), division.constant(int64_t(0)));
  expectError(runAlone(division), Code::E0575, ExitCode::CheckFailed, "sim_c40");
}

// What the caller binds is held against the program before anything runs.
TEST(Limits, LaunchArguments) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  std::vector<Half> x(16), y(16);
  const std::vector<SimTensor> good = {tensor("x1", x), tensor("x2", x), tensor("y", y, true)};
  const std::vector<int64_t> tiling = {16, 16};
  EXPECT_TRUE(run(program, good, tiling).result.completed);
  auto broken = good;
  broken.pop_back();
  expectError(run(program, broken, tiling), Code::E0551, ExitCode::Usage, "sim_c2");
  broken = good;
  broken[0].data = nullptr;
  expectError(run(program, broken, tiling), Code::E0551, ExitCode::Usage, "sim_c2");
  broken = good;
  broken[0].bytes = 31;
  expectError(run(program, broken, tiling), Code::E0551, ExitCode::Usage, "sim_c2");
  broken = good;
  broken[0].data = reinterpret_cast<char *>(x.data()) + 1;
  broken[0].bytes = 30;
  expectError(run(program, broken, tiling), Code::E0551, ExitCode::Usage, "sim_c2");
  expectError(run(program, good, {16}), Code::E0551, ExitCode::Usage, "sim_c3");
  expectError(run(program, good, tiling, {}, 0), Code::E0551, ExitCode::Usage, "sim_c4");
  expectError(run(program, good, tiling, {}, int64_t(1) << 40), Code::E0551, ExitCode::Usage, "sim_c4");
  SimulatorProgram other = program;
  other.target = "Ascend310B4";
  expectError(run(other, good, tiling), Code::E0551, ExitCode::Usage, "sim_c1");
  other.instructions[0].flagId = 9999;
  expectError(run(other, good, tiling), Code::E0550, ExitCode::Environment, "sim_c1");
}

// An unwritable trace is reported before the launch, and a failed launch leaves no trace behind.
TEST(Limits, TraceFiles) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  std::vector<Half> x(16), y(16);
  std::vector<SimTensor> tensors = {tensor("x1", x), tensor("x2", x), tensor("y", y, true)};
  SimOptions options;
  options.traceFile = "/no/such/folder/t.json";
  EXPECT_EQ(run(program, tensors, {16, 16}, options).code(), Code::E0601);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "opc_sim_no_trace";
  std::filesystem::create_directories(folder);
  options.traceFile = folder / "t.json";
  tensors[2].writable = false;
  EXPECT_FALSE(run(program, tensors, {16, 16}, options).result.completed);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

// Any program that passes its check ends, whatever it does: single fields of a good one set to random values.
TEST(Limits, MutatedProgramsEnd) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16, 256).program;
  std::mt19937_64 random(9);
  const int64_t values[] = {0, 1, -1, 2, 16, 31, 4096, INT64_MAX, INT64_MIN, 253952, 1 << 20};
  SimOptions options;
  options.stepLimit = 20000;
  int ran = 0;
  for (int i = 0; i < 3000; ++i) {
    SimulatorProgram mutant = program;
    ScalarInstruction &scalar = mutant.code[random() % mutant.code.size()];
    PipeInstruction &pipe = mutant.instructions[random() % mutant.instructions.size()];
    const uint16_t reg = uint16_t(random() % program.numRegisters);
    switch (random() % 8) {
    case 0:
      scalar.imm = values[random() % std::size(values)];
      break;
    case 1:
      scalar.dst = reg;
      break;
    case 2:
      scalar.a = reg;
      break;
    case 3:
      scalar.op = ScalarOp(random() % 55);
      break;
    case 4:
      pipe.count = reg;
      break;
    case 5:
      pipe.destination.address = reg;
      break;
    case 6:
      pipe.flagId = reg;
      break;
    case 7:
      pipe.sources[0].address = reg;
      break;
    }
    std::vector<Half> x(1500), y(1500);
    Outcome outcome = run(mutant, {tensor("x1", x), tensor("x2", x), tensor("y", y, true)}, {256, 1500}, options);
    EXPECT_EQ(outcome.result.completed, !outcome.diagnostics.hasErrors());
    ran += outcome.result.scalarSteps != 0;
  }
  EXPECT_GT(ran, 1000);
}
