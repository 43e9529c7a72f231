// The model's time: monotonic in the work, equal to the target's formulae where nothing overlaps, the
// same at every run.

#include "test/unit/runtime/device/sim/AddReluProgram.h"

#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {

Outcome addRelu(const AddReluProgram &program, int64_t count, int64_t tile = 8192) {
  std::vector<Half> x(static_cast<size_t>(count)), y(static_cast<size_t>(count));
  return run(program.program, {tensor("x1", x), tensor("x2", x), tensor("y", y, true)}, {tile, count});
}

} // namespace

// More elements never cost less; twice as many cost nearly twice as much once the pipes are full.
TEST(Timing, GrowsWithTheWork) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  int64_t last = 0;
  for (int64_t count = 1; count <= 1 << 20; count *= 2) {
    const int64_t cycles = addRelu(program, count).result.cycles;
    EXPECT_GE(cycles, last) << count;
    last = cycles;
  }
  EXPECT_NEAR(double(addRelu(program, 1 << 21).result.cycles) / double(last), 2.0, 0.05);
}

// Small tiles pay the start-up of each copy.
TEST(Timing, SmallTilesCostMore) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  EXPECT_GT(addRelu(program, 100000, 512).result.cycles, addRelu(program, 100000, 8192).result.cycles);
}

// One load and nothing else: dispatch, the copy by the target's formula, and its completion.
TEST(Timing, OneCopyCostsWhatTheTargetSays) {
  const Target &target = *findTarget("Ascend310B1");
  ProgramBuilder b(1);
  const auto p = b.buffer("p", 0, 4096);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(1024));
  const ProgramOperand to = b.ub(p, ElementType::Float32), from = b.gm(0, zero, ElementType::Float32);
  b.load(to, from, count);
  std::vector<float> x(1024);
  Outcome outcome = run(b.finish(), {tensor("x", x)});
  const int64_t copy = target.copyCycles(Pipe::MTE2, 1, 4096);
  EXPECT_EQ(outcome.result.usage(Pipe::MTE2).busyCycles, copy);
  EXPECT_EQ(outcome.result.usage(Pipe::MTE2).bytes, 2 * 4096);
  EXPECT_EQ(outcome.result.cycles,
            3 * target.scalarCycles() + target.issueCycles() + copy + target.barrierCycles(Pipe::MTE2));
}

// Scalar code that is only counted takes its time on the scalar unit, and what is issued after it waits.
TEST(Timing, ScalarWorkCosts) {
  const Target &target = *findTarget("Ascend310B1");
  auto cycles = [&](int64_t instructions) {
    ProgramBuilder b(1);
    const auto p = b.buffer("p", 0, 4096);
    const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(1024));
    const ProgramOperand to = b.ub(p, ElementType::Float32), from = b.gm(0, zero, ElementType::Float32);
    b.work(instructions);
    b.load(to, from, count);
    std::vector<float> x(1024);
    const SimResult result = run(b.finish(), {tensor("x", x)}).result;
    EXPECT_TRUE(result.completed);
    EXPECT_EQ(result.usage(Pipe::S).busyCycles, (instructions + 3) * target.scalarCycles() + target.issueCycles());
    EXPECT_EQ(result.scalarSteps, instructions + 4);
    return result.cycles;
  };
  EXPECT_EQ(cycles(1000) - cycles(0), 1000 * target.scalarCycles());
}

// Two runs of one launch agree in every number, or traces could not be compared.
TEST(Timing, IsDeterministic) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  const SimResult a = addRelu(program, 123457).result, b = addRelu(program, 123457).result;
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.scalarSteps, b.scalarSteps);
  for (unsigned i = 0; i < kNumPipes; ++i) {
    EXPECT_EQ(a.pipes[i].busyCycles, b.pipes[i].busyCycles);
    EXPECT_EQ(a.pipes[i].syncCycles, b.pipes[i].syncCycles);
    EXPECT_EQ(a.pipes[i].bytes, b.pipes[i].bytes);
  }
}

// No pipe is busy for longer than the launch takes, and their idle shares say the same.
TEST(Timing, PipesAreBusyWithinTheLaunch) {
  const SimResult result = addRelu(addReluProgram(ElementType::Float16), 50000).result;
  for (Pipe pipe : {Pipe::S, Pipe::MTE2, Pipe::V, Pipe::MTE3}) {
    EXPECT_GT(result.usage(pipe).busyCycles, 0);
    EXPECT_LE(result.usage(pipe).busyCycles, result.cycles);
    EXPECT_GE(result.idleShare(pipe), 0);
    EXPECT_LT(result.idleShare(pipe), 1);
  }
}
