// Each rule of memcheck, broken by a small program: the code, the rule's label, and what the message names.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

/// A builder with three buffers of 256 bytes and tensors x, i (input), y of 64 floats.
struct Scene {
  ProgramBuilder b{3};
  uint16_t p = b.buffer("p", 0, 256), q = b.buffer("q", 256, 256, 2), r = b.buffer("r", 1024, 256);
  std::vector<float> x = std::vector<float>(64, 1.0f), i = x, y = x;

  ProgramBuilder::Reg c(int64_t value) { return b.constant(value); }
  /// Loads `count` floats of x into a buffer and waits for them.
  void fill(uint16_t buffer, int64_t count) {
    b.load(b.ub(buffer, kFloat), b.gm(0, c(0), kFloat), c(count));
    b.barrier(Pipe::MTE2);
    b.set(Pipe::MTE2, Pipe::V, c(0));
    b.wait(Pipe::MTE2, Pipe::V, c(0));
  }
  Outcome go() { return run(b.finish(), {tensor("x", x), tensor("i", i), tensor("y", y, true)}); }
};

void expectError(Scene &scene, Code code, const std::string &rule, const std::vector<std::string> &words) {
  Outcome outcome = scene.go();
  ASSERT_FALSE(outcome.result.completed);
  ASSERT_EQ(outcome.diagnostics.errorCount(), 1u) << outcome.text();
  EXPECT_EQ(outcome.code(), code) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].rule, rule) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].location.file, "kernel.mlir");
  EXPECT_EQ(outcome.diagnostics.exitCode(), ExitCode::CheckFailed);
  for (const std::string &word : words)
    EXPECT_THAT(outcome.text(), HasSubstr(word));
}

} // namespace

// A negative count would become a huge one in the copy engine.
TEST(MemoryCheck, NegativeCount) {
  Scene s;
  s.b.load(s.b.ub(s.p, kFloat), s.b.gm(0, s.c(0), kFloat), s.c(-1));
  expectError(s, Code::E0563, "sim_c10", {"'load' on pipe mte2", "count of 0 or more", "-1"});
}

// A reduction of nothing has no value to leave.
TEST(MemoryCheck, ReductionOfNothing) {
  Scene s;
  s.fill(s.p, 64);
  s.b.vector(Intrinsic::vreduce_sum, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, s.c(0)).scratch = s.b.ub(s.r, kFloat);
  expectError(s, Code::E0563, "sim_c10", {"'vreduce_sum'", "at least one element"});
}

// DataCopyPad has fields of limited width; beyond them the chip copies something else.
TEST(MemoryCheck, CopyLimits) {
  Scene rows;
  rows.b.load(rows.b.ub(rows.p, kFloat), rows.b.gm(0, rows.c(0), kFloat), rows.c(1)).rows = rows.c(4096);
  expectError(rows, Code::E0563, "sim_c11", {"at most 4095 rows", "4096"});
  Scene bytes;
  bytes.b.load(bytes.b.ub(bytes.p, kFloat), bytes.b.gm(0, bytes.c(0), kFloat), bytes.c(524288));
  expectError(bytes, Code::E0563, "sim_c11", {"at most 2097151 bytes", "524288 elements"});
}

// Rows that run into each other, or start off a block in UB.
TEST(MemoryCheck, Strides) {
  Scene overlap;
  const auto narrow = overlap.c(32);
  overlap.b
      .load(overlap.b.ub(overlap.p, overlap.c(0), kFloat, narrow), overlap.b.gm(0, overlap.c(0), kFloat), overlap.c(9))
      .rows = overlap.c(2);
  expectError(overlap, Code::E0561, "sim_c12", {"rows of buffer 'p' that do not overlap", "36 bytes every 32 bytes"});
  Scene odd;
  odd.b.load(odd.b.ub(odd.p, odd.c(0), kFloat, odd.c(40)), odd.b.gm(0, odd.c(0), kFloat), odd.c(8)).rows = odd.c(2);
  expectError(odd, Code::E0561, "sim_c12", {"multiple of 32 bytes", "every 40"});
}

// 248 KiB and no more.
TEST(MemoryCheck, OutsideOfUnifiedBuffer) {
  Scene s;
  s.b.load(s.b.ub(s.p, s.c(253952 - 32), kFloat), s.b.gm(0, s.c(0), kFloat), s.c(16));
  expectError(s, Code::E0560, "sim_c13", {"253952 bytes of UB", "bytes 253920 to 253984", "'p'"});
  Scene negative;
  negative.b.load(negative.b.ub(negative.p, negative.c(INT64_MIN), kFloat), negative.b.gm(0, negative.c(0), kFloat),
                  negative.c(16));
  expectError(negative, Code::E0560, "sim_c13", {"-9223372036854775808"});
}

// UB addresses lie on blocks of 32 bytes, GM offsets on elements.
TEST(MemoryCheck, Alignment) {
  Scene ub;
  ub.b.load(ub.b.ub(ub.p, ub.c(16), kFloat), ub.b.gm(0, ub.c(0), kFloat), ub.c(4));
  expectError(ub, Code::E0561, "sim_c14", {"multiple of 32, found 16"});
  Scene gm;
  gm.b.load(gm.b.ub(gm.p, kFloat), gm.b.gm(0, gm.c(2), kFloat), gm.c(4));
  expectError(gm, Code::E0561, "sim_c14", {"whole elements of tensor 'x'", "byte 2"});
}

// The address is legal, the buffer is another: the mistake that the chip never notices.
TEST(MemoryCheck, OutsideOfItsBuffer) {
  Scene neighbour;
  neighbour.b.load(neighbour.b.ub(neighbour.p, neighbour.c(256), kFloat), neighbour.b.gm(0, neighbour.c(0), kFloat),
                   neighbour.c(8));
  expectError(neighbour, Code::E0562, "sim_c15", {"one slot of buffer 'p'", "bytes 256 to 288"});
  Scene slots;
  slots.b.load(slots.b.ub(slots.q, slots.c(384), kFloat), slots.b.gm(0, slots.c(0), kFloat), slots.c(64));
  expectError(slots, Code::E0562, "sim_c15", {"one slot of buffer 'q' (2 of 256 bytes from 256)", "bytes 384 to 640"});
}

// A kernel of one type row over tensors of another reads half of each number.
TEST(MemoryCheck, ElementTypeOfATensor) {
  Scene s;
  s.b.load(s.b.ub(s.p, ElementType::Int32), s.b.gm(0, s.c(0), ElementType::Int32), s.c(4));
  expectError(s, Code::E0563, "sim_c16", {"elements of type int32 in tensor 'x', found float32"});
}

// The last tile reads past the end when its count was not cut.
TEST(MemoryCheck, OutsideOfATensor) {
  Scene s;
  s.b.load(s.b.ub(s.p, kFloat), s.b.gm(0, s.c(4), kFloat), s.c(64));
  expectError(s, Code::E0560, "sim_c17", {"256 bytes of tensor 'x'", "bytes 4 to 260"});
  Scene rows;
  rows.b.load(rows.b.ub(rows.p, kFloat), rows.b.gm(0, rows.c(0), kFloat, rows.c(INT64_MAX)), rows.c(1)).rows =
      rows.c(4000);
  expectError(rows, Code::E0562, "sim_c15", {"'p'"});
}

// A gather may reach the rest of its source's slot, in whole elements.
TEST(MemoryCheck, GatherOffsets) {
  for (uint32_t offset : {254u, 256u}) {
    Scene s;
    s.fill(s.p, 64);
    s.b.vector(Intrinsic::vbrc, s.b.ub(s.r, ElementType::UInt32), {}, s.c(8), s.c(offset));
    s.b.barrier(Pipe::V);
    s.b.vector(Intrinsic::vgather, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat), s.b.ub(s.r, ElementType::UInt32)},
               s.c(8));
    expectError(s, Code::E0560, "sim_c17",
                {"'vgather'", "256 bytes of buffer 'p'", std::to_string(offset) + " in lane 0"});
  }
}

// Rows without whole blocks, or blocks without whole rows, would take each other's numbers.
TEST(MemoryCheck, RowsAndTheirBlocks) {
  auto scene = [](int64_t count, int64_t blocks) {
    Scene s;
    s.fill(s.p, 64);
    s.b.vector(Intrinsic::vbrc, s.b.ub(s.r, kFloat), {}, s.c(64), s.b.constant(1.0f));
    s.b.barrier(Pipe::V);
    ProgramOperand operand = s.b.ub(s.r, kFloat);
    operand.length = s.c(blocks);
    s.b.vector(Intrinsic::vadd, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat), operand}, s.c(count));
    return s;
  };
  for (auto [count, blocks] : {std::pair(64, 8), {13, 8}, {64, 32}, {48, 24}, {0, 0}})
    EXPECT_TRUE(scene(count, blocks).go().result.completed) << count << " " << blocks;
  for (auto [count, blocks] : {std::pair(64, 24), {64, 12}, {60, 16}, {8, 0}, {64, -8}}) {
    Scene s = scene(count, blocks);
    expectError(s, Code::E0563, "sim_c10", {"'vadd'", "a block for each"});
  }
}

// Rows that are not whole, or shorter than the reduced elements, and results without a block each. Buffers have 64
// floats.
TEST(MemoryCheck, ReductionsOfRows) {
  struct Sizes {
    int64_t rows, columns, source, results;
  };
  auto scene = [](const Sizes &sizes, bool sameTile = false) {
    Scene s;
    s.fill(s.p, 64);
    ProgramOperand from = s.b.ub(s.p, kFloat), to = s.b.ub(sameTile ? s.r : s.q, kFloat);
    from.length = s.c(sizes.source), to.length = s.c(sizes.results);
    const auto rows = s.c(sizes.rows), columns = s.c(sizes.columns);
    const ProgramOperand scratch = s.b.ub(s.r, kFloat);
    PipeInstruction &reduction = s.b.vector(Intrinsic::vreduce_max, to, {from}, columns);
    reduction.scratch = scratch;
    reduction.rows = rows;
    return s;
  };
  for (const Sizes &sizes : {Sizes{4, 16, 64, 32}, {4, 13, 64, 64}, {8, 8, 64, 64}, {1, 64, 64, 1}, {0, 1, 0, 0}})
    EXPECT_TRUE(scene(sizes).go().result.completed) << sizes.rows << " " << sizes.columns;
  for (const Sizes &sizes : {Sizes{5, 8, 64, 40}, {4, 17, 64, 32}, {-4, 16, 64, 32}, {0, 1, 8, 0}, {1, 9, 8, 8}}) {
    Scene s = scene(sizes);
    expectError(s, Code::E0563, "sim_c10", {"'vreduce_max'"});
  }
  for (const Sizes &sizes : {Sizes{4, 8, 64, 4}, {4, 8, 64, 33}, {4, 8, 64, 16}, {5, 5, 60, 40}}) {
    Scene s = scene(sizes);
    expectError(s, Code::E0561, "sim_c12", {"'vreduce_max'"});
  }
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  for (const Sizes &sizes : {Sizes{most, 1, most, most},
                             {1, most, most, 1},
                             {most, most, most, most},
                             {2, 8, most - 1, 16},
                             {4, 16, 64, most - 3}})
    EXPECT_FALSE(scene(sizes).go().result.completed) << sizes.rows << " " << sizes.columns;
  Scene s = scene({4, 16, 64, 32}, /*sameTile=*/true);
  expectError(s, Code::E0564, "sim_c19", {"'vreduce_max'"});
}

// Inputs stay as they were.
TEST(MemoryCheck, StoreToAnInput) {
  Scene s;
  s.b.store(s.b.gm(1, s.c(0), kFloat), s.b.ub(s.p, kFloat), s.c(8));
  expectError(s, Code::E0560, "sim_c18", {"'store' on pipe mte3", "input tensor 'i'"});
}

// In place is fine; half in place is not, and neither is a cast over its own source.
TEST(MemoryCheck, OperandsOverlap) {
  Scene fine;
  fine.fill(fine.p, 64);
  fine.b.vector(Intrinsic::vadd, fine.b.ub(fine.p, kFloat), {fine.b.ub(fine.p, kFloat), fine.b.ub(fine.p, kFloat)},
                fine.c(64));
  EXPECT_TRUE(fine.go().result.completed);
  Scene shifted;
  shifted.fill(shifted.p, 64);
  shifted.b.vector(Intrinsic::vabs, shifted.b.ub(shifted.p, shifted.c(32), kFloat), {shifted.b.ub(shifted.p, kFloat)},
                   shifted.c(16));
  expectError(shifted, Code::E0564, "sim_c19", {"bytes 32 to 96 of buffer 'p' written", "bytes 0 to 64"});
  Scene cast;
  cast.fill(cast.p, 64);
  cast.b.vector(Intrinsic::vcast, cast.b.ub(cast.p, ElementType::Float16), {cast.b.ub(cast.p, kFloat)}, cast.c(64))
      .rounding = RoundingMode::Rint;
  expectError(cast, Code::E0564, "sim_c19", {"'vcast'"});
}

// Registers at the ends of 64 bits must not overflow inside the checks.
TEST(MemoryCheck, AbsurdRegisters) {
  const int64_t absurd[] = {INT64_MIN, INT64_MIN + 1, -1, INT64_MAX - 1, INT64_MAX, int64_t(1) << 61};
  for (int64_t count : absurd)
    for (int64_t address : absurd)
      for (int64_t stride : absurd) {
        Scene s;
        s.b.load(s.b.ub(s.p, s.c(address), kFloat, s.c(stride)), s.b.gm(0, s.c(address), kFloat, s.c(stride)),
                 s.c(count))
            .rows = s.c(count);
        EXPECT_EQ(s.go().diagnostics.errorCount(), 1u);
        for (Intrinsic intrinsic : {Intrinsic::vcmps, Intrinsic::vsels, Intrinsic::vreduce_sum, Intrinsic::vgather}) {
          Scene v;
          const auto n = v.c(count);
          ProgramOperand from = v.b.ub(v.p, v.c(address), kFloat), to = v.b.ub(v.q, v.c(address), kFloat);
          if (intrinsic == Intrinsic::vcmps)
            v.b.vector(intrinsic, v.b.ub(v.q, v.c(address), ElementType::UInt8), {from}, n, n);
          else if (intrinsic == Intrinsic::vsels)
            v.b.vector(intrinsic, to, {v.b.ub(v.r, v.c(address), ElementType::UInt8), from}, n, n);
          else if (intrinsic == Intrinsic::vreduce_sum)
            v.b.vector(intrinsic, to, {from}, n).scratch = v.b.ub(v.r, v.c(address), kFloat);
          else
            v.b.vector(intrinsic, to, {from, v.b.ub(v.r, v.c(address), ElementType::UInt32)}, n);
          EXPECT_EQ(v.go().diagnostics.errorCount(), 1u);
        }
      }
}
