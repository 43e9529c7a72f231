// What a launch is made of: sums without times, the timeline, tenures of buffers.

#include "runtime/device/sim/profile/Profiler.h"
#include "runtime/target/Sensitivity.h"
#include "test/unit/runtime/device/sim/AddReluProgram.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace opc;
using namespace opc::test;

namespace {
constexpr ElementType kF32 = ElementType::Float32;

SimResult addRelu(const Target &target, SimOptions options = {}, int64_t count = 50'001) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  std::vector<Half> x(static_cast<size_t>(count)), y(static_cast<size_t>(count));
  Diagnostics diagnostics;
  return simulate(program.program, target, {tensor("x1", x), tensor("x2", x), tensor("y", y, true)}, {8192, count}, 1,
                  options, diagnostics);
}
} // namespace

// Were the tally and the machine to differ on one instruction, claims would be checked against another launch than
// the one that ran. Held for the chip and for each of its changed figures.
TEST(WorkTally, GivesTheBusyCyclesOfTheMachine) {
  const Target &b1 = *findTarget("Ascend310B1");
  const SimResult base = addRelu(b1);
  std::vector<ChangedTarget> targets = changedTargets(b1);
  targets.push_back({"", 1, b1});
  for (const ChangedTarget &changed : targets) {
    const SimResult run = addRelu(changed.target);
    const PipeCycles busy = base.work.busy(changed.target);
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
      // Half a cycle is charged as a whole one in a run, and as half a one in the sums.
      if (Pipe(pipe) == Pipe::S && changed.figure == "scalar_cycles" && changed.factor < 1)
        continue;
      EXPECT_EQ(busy[pipe], double(run.pipes[pipe].busyCycles)) << changed.figure << " " << pipeName(Pipe(pipe));
    }
  }
}

// The formulae and what is charged differ by the rounding of each instruction, less than a cycle.
TEST(WorkTally, CostIsBusyWithoutRounding) {
  const Target &b1 = *findTarget("Ascend310B1");
  const SimResult run = addRelu(b1);
  const PipeCycles busy = run.work.busy(b1), cost = run.work.cost(b1);
  for (Pipe pipe : {Pipe::MTE2, Pipe::V, Pipe::MTE3, Pipe::S}) {
    const auto index = static_cast<unsigned>(pipe);
    EXPECT_LE(cost[index], busy[index]);
    EXPECT_GT(cost[index], busy[index] - double(run.usage(pipe).instructions) - 1);
  }
}

// Reads and writes of the scalar unit are its own: counted once, as work.
TEST(WorkTally, CountsTheScalarUnit) {
  ProgramBuilder b(0);
  const auto t = b.buffer("t", 0, 32);
  const auto value = b.constant(2.0f), address = b.constant(int64_t(0));
  b.write(b.ub(t, address, kF32), value);
  b.read(b.ub(t, address, kF32));
  const Outcome outcome = run(b.finish(), {});
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  // Two constants, an issue of 2, a write and a read of 24.
  EXPECT_EQ(outcome.result.usage(Pipe::S).busyCycles, 52);
  EXPECT_EQ(outcome.result.work.busy(*findTarget("Ascend310B1"))[0], 52);
}

// Rows with a block each are calls of eight rows or of one: the tally has to know how many.
TEST(WorkTally, CountsTheCallsOfRows) {
  for (auto [rows, length] : {std::pair<int64_t, int64_t>(1, 100), {11, 16}, {16, 8}, {3, 2048}}) {
    ProgramBuilder b(0);
    const auto t = b.buffer("t", 0, 32768), r = b.buffer("r", 32768, 1024);
    const ProgramOperand tile = b.ub(t, b.constant(int64_t(0)), kF32);
    ProgramOperand blocks = b.ub(r, b.constant(int64_t(32768)), kF32);
    const auto one = b.constant(1.0f);
    b.vector(Intrinsic::vbrc, tile, {}, b.constant(rows * length), one);
    b.vector(Intrinsic::vbrc, blocks, {}, b.constant(rows * 8), one);
    b.barrier(Pipe::V);
    blocks.length = b.constant(rows * 8);
    b.vector(Intrinsic::vmul, tile, {tile, blocks}, b.constant(rows * length));
    const Outcome outcome = run(b.finish(), {});
    ASSERT_TRUE(outcome.result.completed) << outcome.text();
    const Target &b1 = *findTarget("Ascend310B1");
    const double charged = double(outcome.result.usage(Pipe::V).busyCycles);
    EXPECT_EQ(outcome.result.work.busy(b1)[unsigned(Pipe::V)], charged) << rows << " " << length;
    EXPECT_EQ(outcome.result.work.cost(b1)[unsigned(Pipe::V)], charged) << rows << " " << length;
  }
}

// A reduction of rows is a call on a repeat of all of them, or a call for each row: the tally must have their number.
TEST(WorkTally, CountsTheCallsOfReducedRows) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>(1, 100), {40, 8}, {300, 8}, {16, 200}, {3, 2048}}) {
    ProgramBuilder b(0);
    const auto t = b.buffer("t", 0, 32768), r = b.buffer("r", 32768, 16384), w = b.buffer("w", 65536, 32768);
    ProgramOperand tile = b.ub(t, b.constant(int64_t(0)), kF32), results = b.ub(r, b.constant(int64_t(32768)), kF32);
    const auto all = b.constant((columns + 7) / 8 * 8 * rows), one = b.constant(1.0f);
    b.vector(Intrinsic::vbrc, tile, {}, all, one);
    b.barrier(Pipe::V);
    tile.length = b.constant((columns + 7) / 8 * 8 * rows), results.length = b.constant(rows * 8);
    const auto count = b.constant(columns), number = b.constant(rows);
    const ProgramOperand scratch = b.ub(w, b.constant(int64_t(65536)), kF32);
    PipeInstruction &op = b.vector(Intrinsic::vreduce_sum, results, {tile}, count);
    op.rows = number;
    op.scratch = scratch;
    const Outcome outcome = run(b.finish(), {});
    ASSERT_TRUE(outcome.result.completed) << outcome.text();
    const Target &b1 = *findTarget("Ascend310B1");
    const double charged = double(outcome.result.usage(Pipe::V).busyCycles);
    EXPECT_EQ(outcome.result.work.busy(b1)[unsigned(Pipe::V)], charged) << rows << " " << columns;
    EXPECT_EQ(outcome.result.work.cost(b1)[unsigned(Pipe::V)], charged) << rows << " " << columns;
  }
}

// 7 loads of two operands at 1068 cycles against 7 vector steps of 80: no half and no double turns it.
TEST(WorkTally, NamesWhatDecidesTheBound) {
  const Target &b1 = *findTarget("Ascend310B1");
  const SimResult run = addRelu(b1);
  EXPECT_EQ(busiestPipe(run.work.busy(b1)), Pipe::MTE2);
  EXPECT_TRUE(figuresThatDecideBound(run.work, b1).empty());
  // A chip whose vector unit takes nearly as long as the loads: then half the rate of one, or double the cycles of
  // the other, decides.
  const Target near = b1.withFigure("vector_compound_cycles", 30);
  EXPECT_EQ(busiestPipe(run.work.busy(near)), Pipe::MTE2);
  const std::vector<std::string_view> figures = figuresThatDecideBound(run.work, near);
  EXPECT_EQ(figures, (std::vector<std::string_view>{"load_rate", "vector_compound_cycles"}));
}

// The steps of a pipe add up to what the machine counted; a limit drops steps and no sums.
TEST(Profiler, StepsAddUpAndALimitDropsNoSums) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  Profiler all(program.program, 1'000'000), few(program.program, 10);
  SimOptions options;
  options.observers = {&all, &few};
  const SimResult result = addRelu(*findTarget("Ascend310B1"), options);
  std::array<int64_t, kNumPipes> busy{}, sync{};
  for (const ProfiledStep &step : all.steps()) {
    const PipeInstruction &instruction = program.program.instructions[step.instruction];
    const bool work = instruction.kind == PipeInstruction::Load || instruction.kind == PipeInstruction::Store ||
                      instruction.kind == PipeInstruction::Vector;
    (work ? busy : sync)[static_cast<unsigned>(instruction.pipe)] += step.end - step.start;
  }
  for (Pipe pipe : {Pipe::MTE2, Pipe::V, Pipe::MTE3}) {
    EXPECT_EQ(busy[static_cast<unsigned>(pipe)], result.usage(pipe).busyCycles);
    EXPECT_EQ(sync[static_cast<unsigned>(pipe)], result.usage(pipe).syncCycles);
  }
  EXPECT_EQ(few.steps().size(), 10u);
  EXPECT_EQ(few.droppedSteps() + 10, int64_t(all.steps().size()));
  int64_t calls = 0;
  for (size_t i = 0; i < all.sums().size(); ++i) {
    EXPECT_EQ(all.sums()[i].cycles, few.sums()[i].cycles);
    calls += all.sums()[i].calls;
  }
  EXPECT_EQ(calls, int64_t(all.steps().size()));
  EXPECT_LE(all.workedCycles(), result.cycles);
  EXPECT_GE(all.workedCycles(), result.usage(Pipe::MTE2).busyCycles);
}

// Seven tiles: a tenure of each operand for each tile, from the start of its load to the end of the last
// instruction that reads it.
TEST(Profiler, ATenureLastsFromTheFirstWriteToTheLastRead) {
  const AddReluProgram program = addReluProgram(ElementType::Float16);
  Profiler profiler(program.program, 1'000'000);
  SimOptions options;
  options.observers = {&profiler};
  addRelu(*findTarget("Ascend310B1"), options);
  std::array<int, 3> lives{};
  for (const BufferLife &life : profiler.lives()) {
    ++lives[life.buffer];
    EXPECT_LT(life.start, life.end);
    const auto last = program.program.instructions[life.last].kind;
    EXPECT_EQ(last, life.buffer == 2 ? PipeInstruction::Store : PipeInstruction::Vector);
    for (const BufferLife &other : profiler.lives()) // one holder of a byte at a time
      if (&other != &life && other.address < life.address + life.bytes && life.address < other.address + other.bytes) {
        EXPECT_TRUE(other.end <= life.start || life.end <= other.start);
      }
  }
  EXPECT_EQ(lives, (std::array<int, 3>{7, 7, 7}));
  // Two slots of three operands of 16384 bytes are held at most, and a tile's three at least.
  EXPECT_LE(profiler.peakBytes(Memory::UB), 6 * 16384);
  EXPECT_GE(profiler.peakBytes(Memory::UB), 3 * 16384);
}

// In place, a buffer keeps its tenant; written anew after a read, it has another one.
TEST(Profiler, InPlaceKeepsTheTenant) {
  ProgramBuilder b(0);
  const auto t = b.buffer("t", 0, 256);
  const auto count = b.constant(int64_t(64)), value = b.constant(1.0f);
  const auto at = b.ub(t, kF32);
  b.vector(Intrinsic::vbrc, at, {}, count, value);
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vadd, at, {at, at}, count);
  b.barrier(Pipe::V);
  b.vector(Intrinsic::vbrc, at, {}, count, value);
  const SimulatorProgram program = b.finish();
  Profiler profiler(program, 100);
  SimOptions options;
  options.observers = {&profiler};
  ASSERT_TRUE(run(program, {}, {}, options).result.completed);
  ASSERT_EQ(profiler.lives().size(), 2u);
  EXPECT_EQ(profiler.lives()[0].last, 2u);
  EXPECT_EQ(profiler.lives()[1].writer, 4u);
  EXPECT_EQ(profiler.peakBytes(Memory::UB), 256);
}
