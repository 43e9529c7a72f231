// Micro-programs with their cycles worked out by hand from the formulae of docs/rationale/timing.md and the figures
// of Ascend310B1. A change of a figure or of the machine's clock must show here, with new arithmetic in the comment:
// no number is copied from a run.
//
//   scalar instruction 1, issue 2, scalar read or write 24; flag 2; barrier 8
//   copy    100 + 4 a row + bytes / 17, rows in whole blocks of 32 B, rounded up to a cycle
//   vector  16 + 1 a repeat of 256 B; exp, div, sqrt 4; a reduction 2
//   what MTE2 and MTE3 did is complete 8 cycles after its end; V completes in order, at its end,
//   and a barrier on it costs nothing
//
// In comments, "12..29 c37" is an instruction that starts at 12, ends at 29, is complete at 37.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;

namespace {
constexpr ElementType kF16 = ElementType::Float16, kF32 = ElementType::Float32;

int64_t cyclesOf(const SimulatorProgram &program, const std::vector<SimTensor> &tensors = {}, int64_t blocks = 1,
                 const Target &target = *findTarget("Ascend310B1")) {
  Outcome outcome = run(program, tensors, {}, {}, blocks, target);
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
  return outcome.result.cycles;
}

/// A buffer of the given elements at an address.
struct Tile {
  uint16_t buffer;
  ElementType type;
};

struct Micro {
  ProgramBuilder b;
  explicit Micro(uint16_t tensors = 0) : b(tensors) {}

  Tile tile(int64_t address, int64_t bytes, ElementType type = kF32) {
    return {b.buffer("t" + std::to_string(address), address, bytes), type};
  }
  /// One constant of its own: the address.
  ProgramOperand at(Tile tile) { return b.ub(tile.buffer, tile.type); }
  /// Three constants, then an issue: handed over at 5 when it comes first.
  ProgramBuilder::Reg fill(Tile tile, int64_t count) {
    const auto elements = b.constant(count), value = b.constant(1.0f);
    b.vector(Intrinsic::vbrc, at(tile), {}, elements, value);
    return elements;
  }
};
} // namespace

// Nothing costs nothing.
TEST(GoldenCycles, Nothing) {
  EXPECT_EQ(cyclesOf(Micro().b.finish()), 0);
}

// Five scalar instructions, one cycle each.
TEST(GoldenCycles, ScalarInstructions) {
  Micro m;
  for (int64_t i = 0; i < 5; ++i)
    m.b.constant(i);
  EXPECT_EQ(cyclesOf(m.b.finish()), 5);
}

static int64_t oneLoad(int64_t floats, int64_t blocks = 1) {
  Micro m(1);
  const Tile t = m.tile(0, 32768);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(floats);
  m.b.load(m.at(t), m.b.gm(0, zero, kF32), count);
  std::vector<float> x(static_cast<size_t>(floats));
  return cyclesOf(m.b.finish(), {tensor("x", x)}, blocks);
}

// Three constants and an issue: 5. 100 + 4 + 4096 / 17 = 344.9, 345 cycles: 5..350 c358.
TEST(GoldenCycles, Load) {
  EXPECT_EQ(oneLoad(1024), 358);
}

// 100 + 4 + 32 / 17 = 105.9: 5..111 c119. All start-up.
TEST(GoldenCycles, LoadOfOneBlock) {
  EXPECT_EQ(oneLoad(8), 119);
}

// Four bytes take a whole block of 32, so the same.
TEST(GoldenCycles, LoadOfOneElement) {
  EXPECT_EQ(oneLoad(1), 119);
}

// 100 + 4 + 32768 / 17 = 2031.5: 5..2037 c2045.
TEST(GoldenCycles, LongLoad) {
  EXPECT_EQ(oneLoad(8192), 2045);
}

// The same 32768 bytes in 64 rows of 512: 100 + 64 * 4 + 1927.5 = 2283.5. Six constants and an issue, 8..2292 c2300:
// bursts of 512 bytes cost 252 cycles more than one of all.
TEST(GoldenCycles, LoadInRows) {
  Micro m(1);
  const Tile t = m.tile(0, 32768);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(128)), rows = m.b.constant(int64_t(64)),
             far = m.b.constant(int64_t(1024)), near = m.b.constant(int64_t(512)), address = m.b.constant(int64_t(0));
  m.b.load(m.b.ub(t.buffer, address, kF32, near), m.b.gm(0, zero, kF32, far), count).rows = rows;
  std::vector<float> x(64 * 256);
  EXPECT_EQ(cyclesOf(m.b.finish(), {tensor("x", x)}), 2300);
}

// The second block starts when the first has run dry: 2 * 358.
TEST(GoldenCycles, BlocksRunInTurn) {
  EXPECT_EQ(oneLoad(1024, 2), 716);
}

// One pipe takes its copies in turn: 5..350, then 350..695 c703; the second was handed over at 8.
TEST(GoldenCycles, TwoLoads) {
  Micro m(1);
  const Tile first = m.tile(0, 4096), second = m.tile(4096, 4096);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(1024));
  m.b.load(m.at(first), m.b.gm(0, zero, kF32), count);
  m.b.load(m.at(second), m.b.gm(0, zero, kF32), count);
  std::vector<float> x(1024);
  EXPECT_EQ(cyclesOf(m.b.finish(), {tensor("x", x)}), 703);
}

// 64 floats are one repeat, 16 + 1: 5..22; 65 are two; 128 halves are one.
TEST(GoldenCycles, FillOfOneRepeat) {
  Micro m;
  m.fill(m.tile(0, 256), 64);
  EXPECT_EQ(cyclesOf(m.b.finish()), 22);
}
TEST(GoldenCycles, FillPastOneRepeat) {
  Micro m;
  m.fill(m.tile(0, 512), 65);
  EXPECT_EQ(cyclesOf(m.b.finish()), 23);
}
TEST(GoldenCycles, FillOfHalves) {
  Micro m;
  m.fill(m.tile(0, 256, kF16), 128);
  EXPECT_EQ(cyclesOf(m.b.finish()), 22);
}

// Independent fills follow each other: 5..22, 22..39.
TEST(GoldenCycles, IndependentFills) {
  Micro m;
  m.fill(m.tile(0, 256), 64);
  m.fill(m.tile(256, 256), 64);
  EXPECT_EQ(cyclesOf(m.b.finish()), 39);
}

/// A fill and an addition to itself, with a barrier between the two or without.
static SimulatorProgram dependentSteps(bool barrier) {
  Micro m;
  const Tile t = m.tile(0, 256);
  const auto count = m.fill(t, 64);
  if (barrier)
    m.b.barrier(Pipe::V);
  m.b.vector(Intrinsic::vadd, m.at(t), {m.at(t), m.at(t)}, count);
  return m.b.finish();
}

// Dependent steps follow each other as independent ones do: fill 5..22, add 22..39. A barrier is no
// instruction of the chip.
TEST(GoldenCycles, DependentSteps) {
  EXPECT_EQ(cyclesOf(dependentSteps(false)), 39);
  EXPECT_EQ(cyclesOf(dependentSteps(true)), 39);
}

// The scalar unit hands out no barrier that is none: of a fill that is handed over at 5 and nothing but such barriers
// the end is the fill's, and its own time that of the fill's three constants and one issue.
TEST(GoldenCycles, BarriersOfAPipeInOrderAreNotIssued) {
  Micro m;
  m.fill(m.tile(0, 256), 64);
  for (unsigned i = 0; i < 100; ++i)
    m.b.barrier(i % 2 ? Pipe::V : Pipe::S);
  Outcome outcome = run(m.b.finish(), {});
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(outcome.result.cycles, 22);
  EXPECT_EQ(outcome.result.usage(Pipe::S).busyCycles, 5);
  EXPECT_EQ(outcome.result.usage(Pipe::V).syncCycles, 0);
  EXPECT_EQ(outcome.result.work.busy(*findTarget("Ascend310B1"))[unsigned(Pipe::S)], 5);
}

// Where the barrier is real it waits for the completion of the first: fill 5..22 c30, barrier 22..30, add 30..47 c55.
TEST(GoldenCycles, BarrierBetweenDependentSteps) {
  EXPECT_EQ(cyclesOf(dependentSteps(true), {}, 1, findTarget("Ascend310B1")->portable()), 55);
}

// 6400 floats are 100 repeats. Fill 116: 5..121; exp 16 + 4 * 100 = 416: 121..537.
TEST(GoldenCycles, Exp) {
  Micro m;
  const Tile t = m.tile(0, 25600);
  const auto count = m.fill(t, 6400);
  m.b.vector(Intrinsic::vexp, m.at(t), {m.at(t)}, count);
  EXPECT_EQ(cyclesOf(m.b.finish()), 537);
}

// 1280 halves are 10 repeats. Fill 26: 5..31; div 16 + 40 = 56: 31..87.
TEST(GoldenCycles, DivideOfHalves) {
  Micro m;
  const Tile t = m.tile(0, 2560, kF16);
  const auto count = m.fill(t, 1280);
  m.b.vector(Intrinsic::vdiv, m.at(t), {m.at(t), m.at(t)}, count);
  EXPECT_EQ(cyclesOf(m.b.finish()), 87);
}

// 1024 floats are 16 repeats. Fill 32: 5..37; sum 16 + 2 * 16 = 48: 37..85.
TEST(GoldenCycles, ReduceSum) {
  Micro m;
  const Tile t = m.tile(0, 4096), sum = m.tile(4096, 32), scratch = m.tile(8192, 64);
  const auto count = m.fill(t, 1024);
  const ProgramOperand partials = m.at(scratch);
  m.b.vector(Intrinsic::vreduce_sum, m.at(sum), {m.at(t)}, count).scratch = partials;
  EXPECT_EQ(cyclesOf(m.b.finish()), 85);
}

// A cast costs repeats of its wider type: 128 halves are one, as floats two. Fill 5..22; cast 18: 22..40.
TEST(GoldenCycles, CastToTheWiderType) {
  Micro m;
  const Tile half = m.tile(0, 256, kF16), wide = m.tile(256, 512);
  const auto count = m.fill(half, 128);
  m.b.vector(Intrinsic::vcast, m.at(wide), {m.at(half)}, count);
  EXPECT_EQ(cyclesOf(m.b.finish()), 40);
}

// A flag shows when the fill is complete. Fill 5..22; set 22..24, seen at 24; the store's pipe has waited since 10
// and goes on at 26; store 100 + 4 + 256 / 17 = 119.1, 120: 26..146 c154.
TEST(GoldenCycles, FlagThenStore) {
  Micro m(1);
  const Tile t = m.tile(0, 256);
  const auto count = m.fill(t, 64), id = m.b.constant(int64_t(0));
  m.b.set(Pipe::V, Pipe::MTE3, id);
  m.b.wait(Pipe::V, Pipe::MTE3, id);
  m.b.store(m.b.gm(0, id, kF32), m.at(t), count);
  std::vector<float> y(64);
  EXPECT_EQ(cyclesOf(m.b.finish(), {tensor("y", y, true)}), 154);
  EXPECT_EQ(y.back(), 1.0f);
}

// Fill 5..22; the flag is seen at 24, the scalar unit goes on at 26; an address at 27, the read takes 24: 51.
TEST(GoldenCycles, ScalarReadBehindAFlag) {
  Micro m;
  const Tile t = m.tile(0, 256);
  m.fill(t, 64);
  const auto id = m.b.constant(int64_t(0));
  m.b.set(Pipe::V, Pipe::S, id);
  m.b.wait(Pipe::V, Pipe::S, id);
  m.b.read(m.at(t));
  EXPECT_EQ(cyclesOf(m.b.finish()), 51);
}

// Two constants, an issue, 24 cycles: 28.
TEST(GoldenCycles, ScalarWrite) {
  Micro m;
  const Tile t = m.tile(0, 32);
  const auto value = m.b.constant(2.0f);
  m.b.write(m.at(t), value);
  EXPECT_EQ(cyclesOf(m.b.finish()), 28);
}

// One tile of an AddRelu in f16, 16384 bytes an operand: a copy is 100 + 4 + 963.8 = 1068. Loads 5..1073, 1073..2141
// c2149; V goes on at 2151, 64 repeats: 2151..2231; its flag is seen at 2233, the store goes on at 2235: ..3303 c3311.
TEST(GoldenCycles, LoadsAddStore) {
  Micro m(3);
  const Tile x1 = m.tile(0, 16384, kF16), x2 = m.tile(16384, 16384, kF16), y = m.tile(32768, 16384, kF16);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(8192));
  m.b.load(m.at(x1), m.b.gm(0, zero, kF16), count);
  m.b.load(m.at(x2), m.b.gm(1, zero, kF16), count);
  m.b.set(Pipe::MTE2, Pipe::V, zero);
  m.b.wait(Pipe::MTE2, Pipe::V, zero);
  m.b.vector(Intrinsic::vaddrelu, m.at(y), {m.at(x1), m.at(x2)}, count);
  m.b.set(Pipe::V, Pipe::MTE3, zero);
  m.b.wait(Pipe::V, Pipe::MTE3, zero);
  m.b.store(m.b.gm(2, zero, kF16), m.at(y), count);
  std::vector<Half> a(8192), b(8192), c(8192);
  EXPECT_EQ(cyclesOf(m.b.finish(), {tensor("x1", a), tensor("x2", b), tensor("y", c, true)}), 3311);
}

// Pipes overlap. Load 5..350 c358; set 350..352, seen at 358; second load 352..697 c705. V goes on at 360 and takes
// 16 + 4 * 16 = 80 for the exp of the first, to 440, all of it beside the second load.
TEST(GoldenCycles, VectorWorkBesideALoad) {
  Micro m(1);
  const Tile first = m.tile(0, 4096), second = m.tile(4096, 4096);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(1024));
  m.b.load(m.at(first), m.b.gm(0, zero, kF32), count);
  m.b.set(Pipe::MTE2, Pipe::V, zero);
  m.b.load(m.at(second), m.b.gm(0, zero, kF32), count);
  m.b.wait(Pipe::MTE2, Pipe::V, zero);
  m.b.vector(Intrinsic::vexp, m.at(first), {m.at(first)}, count);
  std::vector<float> x(1024);
  EXPECT_EQ(cyclesOf(m.b.finish(), {tensor("x", x)}), 705);
}

// On B4 a cycle moves 8 bytes: 100 + 4 + 512 = 616: 5..621 c629.
TEST(GoldenCycles, LoadOnB4) {
  Micro m(1);
  const Tile t = m.tile(0, 4096);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(1024));
  m.b.load(m.at(t), m.b.gm(0, zero, kF32), count);
  SimulatorProgram program = m.b.finish();
  program.target = "Ascend310B4";
  std::vector<float> x(1024);
  Diagnostics diagnostics;
  EXPECT_EQ(simulate(program, *findTarget("Ascend310B4"), {tensor("x", x)}, {}, 1, {}, diagnostics).cycles, 629);
}

// Half the rate, by a figure and not by the chip: 100 + 4 + 4096 / 8.5 = 585.9: 5..591 c599.
TEST(GoldenCycles, LoadAtAnotherRate) {
  Micro m(1);
  const Tile t = m.tile(0, 4096);
  const auto zero = m.b.constant(int64_t(0)), count = m.b.constant(int64_t(1024));
  m.b.load(m.at(t), m.b.gm(0, zero, kF32), count);
  std::vector<float> x(1024);
  Diagnostics diagnostics;
  const Target slow = findTarget("Ascend310B1")->withFigure("load_rate", 8.5);
  EXPECT_EQ(simulate(m.b.finish(), slow, {tensor("x", x)}, {}, 1, {}, diagnostics).cycles, 599);
}
