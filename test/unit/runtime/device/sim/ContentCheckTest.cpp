// Reads of what was never written, or was written for somebody else.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

/// Loads `count` floats into p, then computes |p| over `used` floats into q.
Outcome loadAndUse(int64_t count, int64_t used) {
  ProgramBuilder b(2);
  const auto p = b.buffer("p", 0, 256), q = b.buffer("q", 256, 256);
  const auto zero = b.constant(int64_t(0));
  b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), b.constant(count));
  b.set(Pipe::MTE2, Pipe::V, zero);
  b.wait(Pipe::MTE2, Pipe::V, zero);
  b.vector(Intrinsic::vabs, b.ub(q, kFloat), {b.ub(p, kFloat)}, b.constant(used));
  std::vector<float> x(64), y(64);
  return run(b.finish(), {tensor("x", x), tensor("y", y, true)});
}

} // namespace

// One element too many is one too many, also within a block that was written in part.
TEST(ContentCheck, NeverWritten) {
  EXPECT_TRUE(loadAndUse(17, 17).result.completed);
  for (auto [count, used] : {std::pair<int64_t, int64_t>{17, 18}, {8, 64}, {16, 24}, {0, 1}}) {
    Outcome outcome = loadAndUse(count, used);
    EXPECT_EQ(outcome.code(), Code::E0566) << outcome.text();
    EXPECT_THAT(outcome.text(), HasSubstr("[sim_c20]"));
    EXPECT_THAT(outcome.text(), HasSubstr("'vabs' on pipe v expects buffer 'p' to hold what it reads"));
  }
}

// Two buffers at one address: each load is in bounds, nothing races, and the first is gone.
TEST(ContentCheck, WrittenThroughAnotherBuffer) {
  ProgramBuilder b(2);
  const auto p = b.buffer("p", 0, 256), q = b.buffer("q", 0, 256), r = b.buffer("r", 256, 256);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(64));
  b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), count);
  b.barrier(Pipe::MTE2);
  b.load(b.ub(q, kFloat), b.gm(0, zero, kFloat), count);
  b.set(Pipe::MTE2, Pipe::V, zero);
  b.wait(Pipe::MTE2, Pipe::V, zero);
  b.vector(Intrinsic::vadd, b.ub(r, kFloat), {b.ub(q, kFloat), b.ub(p, kFloat)}, count);
  std::vector<float> x(64), y(64);
  Outcome outcome = run(b.finish(), {tensor("x", x), tensor("y", y, true)});
  EXPECT_EQ(outcome.code(), Code::E0566);
  EXPECT_THAT(outcome.text(), HasSubstr("[sim_c21]"));
  EXPECT_THAT(outcome.text(), HasSubstr("expects what was written through buffer 'p'"));
  EXPECT_THAT(outcome.text(), HasSubstr("last written through buffer 'q'"));
  EXPECT_THAT(outcome.text(), HasSubstr("kernel.mlir:3:3")); // the second load
}

// What a reduction leaves in its scratch is not to be relied on.
TEST(ContentCheck, ScratchHoldsNothing) {
  ProgramBuilder b(2);
  const auto p = b.buffer("p", 0, 256), q = b.buffer("q", 256, 256), scratch = b.buffer("scratch", 512, 256);
  const auto count = b.constant(int64_t(64));
  b.vector(Intrinsic::vbrc, b.ub(p, kFloat), {}, count, b.constant(1.0f));
  b.vector(Intrinsic::vbrc, b.ub(scratch, kFloat), {}, count, b.constant(1.0f));
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vreduce_sum, b.ub(q, kFloat), {b.ub(p, kFloat)}, count).scratch = b.ub(scratch, kFloat);
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vabs, b.ub(p, kFloat), {b.ub(scratch, kFloat)}, b.constant(int64_t(1)));
  std::vector<float> x(64), y(64);
  Outcome outcome = run(b.finish(), {tensor("x", x), tensor("y", y, true)});
  EXPECT_THAT(outcome.text(), HasSubstr("[sim_c20]"));
  EXPECT_THAT(outcome.text(), HasSubstr("buffer 'scratch'"));
}

// A block of the launch sees nothing of the one before it.
TEST(ContentCheck, BlocksDoNotShareContents) {
  ProgramBuilder b(2);
  const auto p = b.buffer("p", 0, 256), q = b.buffer("q", 256, 256);
  const auto count = b.constant(int64_t(8));
  const size_t second = b.jumpIfZero(b.compute(ScalarOp::Eq, b.blockIndex(), b.constant(int64_t(0))));
  b.vector(Intrinsic::vbrc, b.ub(p, kFloat), {}, count, b.constant(1.0f));
  b.aim(second);
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vabs, b.ub(q, kFloat), {b.ub(p, b.constant(int64_t(0)), kFloat)}, count);
  std::vector<float> x(64), y(64);
  const SimulatorProgram program = b.finish();
  EXPECT_TRUE(run(program, {tensor("x", x), tensor("y", y, true)}).result.completed);
  Outcome outcome = run(program, {tensor("x", x), tensor("y", y, true)}, {}, {}, 2);
  EXPECT_THAT(outcome.text(), HasSubstr("[sim_c20]"));
}
