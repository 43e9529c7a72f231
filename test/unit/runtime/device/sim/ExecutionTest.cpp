// Copies with rows, strides and padding, masks end to end, scalar float arithmetic, and what observers receive.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include "runtime/device/sim/launch/Observer.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace opc;
using namespace opc::test;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

} // namespace

// Rows start on blocks in UB and fill up with the pad value; without one these bytes are undefined, also where
// something lay before, and reading them is an error.
TEST(Execution, RowsAndPadding) {
  for (bool pad : {false, true}) {
    ProgramBuilder b(2);
    const auto p = b.buffer("p", 0, 96 - 12); // the last row's padding lies behind the buffer's last byte
    const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(5)), rows = b.constant(int64_t(3));
    const auto padValue = b.constant(-1.0f);
    b.vector(Intrinsic::vbrc, b.ub(p, kFloat), {}, b.constant(int64_t(21)), b.constant(7.0f));
    b.set(Pipe::V, Pipe::MTE2, zero);
    b.wait(Pipe::V, Pipe::MTE2, zero);
    PipeInstruction &load = b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat, b.constant(int64_t(24))), count);
    load.rows = rows;
    load.pad = pad ? padValue : kNoRegister;
    b.set(Pipe::MTE2, Pipe::MTE3, zero);
    b.wait(Pipe::MTE2, Pipe::MTE3, zero);
    b.store(b.gm(1, zero, kFloat), b.ub(p, kFloat), b.constant(int64_t(24)));
    std::vector<float> x(18), y(24);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i);
    Outcome outcome = run(b.finish(), {tensor("x", x), tensor("y", y, true)});
    ASSERT_EQ(outcome.result.completed, pad) << outcome.text();
    if (!pad)
      EXPECT_EQ(outcome.diagnostics.all()[0].rule, "sim_c20");
    for (size_t row = 0; pad && row < 3; ++row)
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ(y[row * 8 + i], i < 5 ? float(row * 6 + i) : -1.0f) << row << " " << i;
  }
}

// A compare works on whole vector registers; the select takes the bits of the elements that count.
TEST(Execution, CompareAndSelect) {
  ProgramBuilder b(2);
  const auto x = b.buffer("x", 0, 256), mask = b.buffer("mask", 256, 32), y = b.buffer("y", 512, 256);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(10)), none = b.constant(0.0f);
  b.load(b.ub(x, kFloat), b.gm(0, zero, kFloat), count);
  b.set(Pipe::MTE2, Pipe::V, zero);
  b.wait(Pipe::MTE2, Pipe::V, zero);
  b.vector(Intrinsic::vcmps, b.ub(mask, ElementType::UInt8), {b.ub(x, kFloat)}, count, none).compare = CompareMode::Gt;
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vsels, b.ub(y, kFloat), {b.ub(mask, ElementType::UInt8), b.ub(x, kFloat)}, count, none);
  b.set(Pipe::V, Pipe::MTE3, zero);
  b.wait(Pipe::V, Pipe::MTE3, zero);
  b.store(b.gm(1, zero, kFloat), b.ub(y, kFloat), count);
  std::vector<float> input = {1, -1, 2, -2, NAN, 3, -3, 0, 4, -4}, output(10, 9.0f);
  Outcome outcome = run(b.finish(), {tensor("x", input), tensor("y", output, true)});
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(output, (std::vector<float>{1, 0, 2, 0, 0, 3, 0, 0, 4, 0}));
}

// Launch attributes reach the scalar unit as f32 bits; its float ops round like everyone's.
TEST(Execution, ScalarFloats) {
  ProgramBuilder b(1);
  const auto beta = b.param("beta", TilingField::Float32);
  const auto p = b.buffer("p", 0, 256);
  const auto zero = b.constant(int64_t(0)), one = b.constant(1.0f);
  auto value = b.compute(ScalarOp::FAdd, b.compute(ScalarOp::FDiv, one, beta), b.compute(ScalarOp::FNeg, one, one));
  value = b.compute(ScalarOp::FMax, value, b.compute(ScalarOp::FSub, value, one));
  b.vector(Intrinsic::vbrc, b.ub(p, kFloat), {}, b.constant(int64_t(4)), value);
  b.set(Pipe::V, Pipe::MTE3, zero);
  b.wait(Pipe::V, Pipe::MTE3, zero);
  b.store(b.gm(0, zero, kFloat), b.ub(p, kFloat), b.constant(int64_t(4)));
  std::vector<float> y(4);
  Outcome outcome = run(b.finish(), {tensor("y", y, true)}, {int64_t(floatBits(0.3f))});
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(y[3], 1.0f / 0.3f - 1.0f);
}

// Checkers of the future live on these calls: order of issue, times that never run backwards, accesses
// with their buffers.
TEST(Execution, ObserversSeeEveryStep) {
  struct Watcher final : SimObserver {
    std::vector<int> issuedLines, performedLines;
    int64_t last = 0, ends = 0;
    bool stop = false;
    bool issued(const SimInstruction &op) override {
      issuedLines.push_back(int(op.index));
      return true;
    }
    bool performs(const SimInstruction &op) override {
      performedLines.push_back(int(op.index));
      EXPECT_GE(op.start, op.dispatched);
      EXPECT_GE(op.start, last);
      EXPECT_GE(op.complete, op.end);
      last = op.start;
      return !stop;
    }
    bool blockEnds(int64_t, int64_t) override {
      ++ends;
      return true;
    }
  };
  ProgramBuilder b(1);
  const auto p = b.buffer("p", 0, 4096), q = b.buffer("q", 4096, 4096);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(1024));
  b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), count);
  b.vector(Intrinsic::vbrc, b.ub(q, kFloat), {}, count, b.constant(1.0f));
  b.barrier(Pipe::V);
  std::vector<float> x(1024);
  const SimulatorProgram program = b.finish();
  Watcher watcher;
  SimOptions options;
  options.observers = {&watcher};
  EXPECT_TRUE(run(program, {tensor("x", x)}, {}, options, 2).result.completed);
  EXPECT_EQ(watcher.issuedLines, (std::vector<int>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(watcher.performedLines.size(), 6u);
  EXPECT_EQ(watcher.ends, 2);
  watcher.stop = true;
  watcher.last = 0;
  EXPECT_FALSE(run(program, {tensor("x", x)}, {}, options).result.completed);
}

// The register's value in the form of the tile: floats rounded, integers cut; neighbours stay.
TEST(Execution, ScalarWritesRoundToTheirType) {
  ProgramBuilder b(2);
  const auto h = b.buffer("h", 0, 32), w = b.buffer("w", 32, 32);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(16));
  b.vector(Intrinsic::vbrc, b.ub(h, ElementType::Float16), {}, count, b.constant(1.0f));
  b.vector(Intrinsic::vbrc, b.ub(w, ElementType::Int16), {}, count, b.constant(int64_t(7)));
  b.set(Pipe::V, Pipe::S, zero);
  b.wait(Pipe::V, Pipe::S, zero);
  b.write(b.ub(h, b.constant(int64_t(6)), ElementType::Float16), b.constant(2049.0f));
  b.write(b.ub(w, b.constant(int64_t(32 + 10)), ElementType::Int16), b.constant(int64_t(-2)));
  b.set(Pipe::S, Pipe::MTE3, zero);
  b.wait(Pipe::S, Pipe::MTE3, zero);
  b.store(b.gm(0, zero, ElementType::Float16), b.ub(h, ElementType::Float16), count);
  b.store(b.gm(1, zero, ElementType::Int16), b.ub(w, ElementType::Int16), count);
  std::vector<Half> y(16);
  std::vector<int16_t> z(16);
  Outcome outcome = run(b.finish(), {tensor("y", y, true), tensor("z", z, true)});
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(toFloat(y[i]), i == 3 ? 2048.0f : 1.0f) << i;
    EXPECT_EQ(z[i], i == 5 ? -2 : 7) << i;
  }
}

// A write outside of its buffer, or of half an element, ends the launch.
TEST(Execution, ScalarWritesStayInTheirBuffer) {
  for (auto [address, code] :
       {std::pair{int64_t(64), Code::E0562}, {int64_t(2), Code::E0561}, {int64_t(253952), Code::E0560}}) {
    ProgramBuilder b(1);
    const auto p = b.buffer("p", 0, 64);
    b.write(b.ub(p, b.constant(address), kFloat), b.constant(1.0f));
    std::vector<float> x(8);
    Outcome outcome = run(b.finish(), {tensor("x", x)});
    EXPECT_FALSE(outcome.result.completed);
    EXPECT_EQ(outcome.code(), code) << outcome.text();
  }
}
