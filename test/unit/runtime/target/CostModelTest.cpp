// The cost model: its shape, not its truth. Constants are figures of the target; what must hold for any
// of them is here.

#include "runtime/target/RowForm.h"
#include "runtime/target/Target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace opc;

static constexpr TypeRow kHalf = {ElementType::Float16, ElementType::Float16};
static constexpr TypeRow kFloat = {ElementType::Float32, ElementType::Float32};
static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// An elementwise kernel of this chip is bound by its loads; were it not so in the model, tile sizes chosen by it
// would be chosen for the wrong pipe.
TEST(CostModel, AddReluIsBoundByItsLoads) {
  for (const Target &target : allTargets()) {
    int64_t bytes = 8192 * 2;
    int64_t load = 2 * target.copyCycles(Pipe::MTE2, 1, bytes);
    int64_t store = target.copyCycles(Pipe::MTE3, 1, bytes);
    int64_t vector = target.vectorCycles(Intrinsic::vaddrelu, kHalf, 8192);
    EXPECT_GT(load, store) << target.name();
    EXPECT_GT(load, 4 * vector) << target.name();
    // The scalar unit and the flags of one tile stay hidden behind the loads.
    int64_t overhead = 40 * target.scalarCycles() + 12 * (target.issueCycles() + target.flagCycles());
    EXPECT_LT(overhead * 5, load) << target.name();
  }
}

// A long copy runs near its rate, a short one pays its start.
TEST(CostModel, CopiesPayTheirStart) {
  const Target &target = *findTarget("Ascend310B1");
  int64_t shortCopy = target.copyCycles(Pipe::MTE2, 1, 32);
  int64_t longCopy = target.copyCycles(Pipe::MTE2, 1, 1 << 20);
  double ideal = (1 << 20) / target.figure("load_rate");
  EXPECT_GT(shortCopy, target.figure("load_start_cycles"));
  EXPECT_LT(static_cast<double>(longCopy), ideal * 1.01);
  EXPECT_GE(static_cast<double>(longCopy), ideal);
  EXPECT_GT(target.copyCycles(Pipe::MTE2, 64, 512), target.copyCycles(Pipe::MTE2, 1, 64 * 512))
      << "rows of a strided copy cost more than one run";
}

// UB is written in blocks of 32 bytes: a tail of one byte costs as much as a whole block.
TEST(CostModel, RowsCostWholeBlocks) {
  const Target &target = *findTarget("Ascend310B4");
  EXPECT_EQ(target.copyCycles(Pipe::MTE3, 100, 1), target.copyCycles(Pipe::MTE3, 100, 32));
  EXPECT_LT(target.copyCycles(Pipe::MTE3, 100, 32), target.copyCycles(Pipe::MTE3, 100, 33));
}

// A repeat is 256 bytes of the wider type; division and exp take several passes.
TEST(CostModel, VectorCostsFollowRepeats) {
  const Target &target = *findTarget("Ascend310B1");
  auto cycles = [&](Intrinsic intrinsic, TypeRow types, int64_t count) {
    return target.vectorCycles(intrinsic, types, count);
  };
  int64_t start = cycles(Intrinsic::vadd, kHalf, 0);
  EXPECT_EQ(cycles(Intrinsic::vadd, kHalf, 1), start + 1);
  EXPECT_EQ(cycles(Intrinsic::vadd, kHalf, 128), start + 1);
  EXPECT_EQ(cycles(Intrinsic::vadd, kHalf, 129), start + 2);
  EXPECT_EQ(cycles(Intrinsic::vadd, kFloat, 128), start + 2);
  EXPECT_EQ(cycles(Intrinsic::vcast, {ElementType::Float16, ElementType::Float32}, 128), start + 2);
  for (Intrinsic slow : {Intrinsic::vdiv, Intrinsic::vexp, Intrinsic::vln, Intrinsic::vsqrt, Intrinsic::vgather})
    EXPECT_GT(cycles(slow, kFloat, 6400), cycles(Intrinsic::vadd, kFloat, 6400));
}

// Eight rows at once cost what one of eight times their width would; where no such call exists, each row has its start.
TEST(CostModel, RowsGoInGroupsOfEight) {
  const Target &target = *findTarget("Ascend310B1");
  auto cycles = [&](int64_t rows, int64_t length) {
    return rowsCycles(target, Intrinsic::vadd, kFloat, rows * length, rows);
  };
  int64_t start = target.vectorCycles(Intrinsic::vadd, kFloat, 0);
  EXPECT_EQ(cycles(1, 1000), target.vectorCycles(Intrinsic::vadd, kFloat, 1000));
  EXPECT_EQ(cycles(8, 128), start + 16);
  EXPECT_EQ(cycles(16, 128), 2 * cycles(8, 128));
  EXPECT_EQ(cycles(4, 128), cycles(8, 128)) << "a group that is not full takes as long";
  EXPECT_EQ(cycles(9, 128), cycles(8, 128) + cycles(1, 128));
  EXPECT_EQ(cycles(4, 1000), 4 * cycles(1, 1000)) << "or each row has its start";
  EXPECT_EQ(cycles(12, 1000), cycles(8, 1000) + 4 * cycles(1, 1000));
  EXPECT_EQ(cycles(8, 255 * 8), start + 255);
  EXPECT_EQ(cycles(8, 256 * 8), 8 * cycles(1, 256 * 8)) << "a stride is a byte";
  EXPECT_EQ(rowsCycles(target, Intrinsic::vdiv, kFloat, 1024, 8), start + 4 * 16);
  EXPECT_EQ(rowsCycles(target, Intrinsic::vadd, kFloat, 0, 0), start);
  EXPECT_GT(rowsCycles(target, Intrinsic::vadd, kFloat, kMost, 3), 0);
  EXPECT_GE(rowsCycles(target, Intrinsic::vadd, kFloat, -kMost, -3), 0);
}

// Fewer rows than eight take the cheaper of both ways, whatever their number and length.
TEST(CostModel, FewerRowsThanEightTakeTheCheaperWay) {
  const Target &target = *findTarget("Ascend310B1");
  for (Intrinsic intrinsic : {Intrinsic::vadd, Intrinsic::vdiv})
    for (int64_t rows = 1; rows < 8; ++rows)
      for (int64_t blocks = 1; blocks <= 255; ++blocks) {
        const int64_t length = 8 * blocks, repeat = intrinsic == Intrinsic::vdiv ? 4 : 1;
        int64_t cheaper = std::min(target.vectorCycles(intrinsic, kFloat, 8 * length),
                                   rows * target.vectorCycles(intrinsic, kFloat, length));
        // The rule counts parts of a repeat, a call whole ones.
        EXPECT_LE(rowsCycles(target, intrinsic, kFloat, rows * length, rows), cheaper + rows * repeat)
            << rows << " rows of " << blocks << " blocks";
      }
}

// Reductions of rows use the cheapest of three ways, for any number of rows and any length.
TEST(CostModel, ReductionsOfRowsTakeTheCheapestWay) {
  const Target &target = *findTarget("Ascend310B1");
  for (TypeRow types : {kFloat, kHalf}) {
    const int64_t lanes = 256 / elementSize(types.source), most = 32 / elementSize(types.source);
    auto cost = [&](Intrinsic intrinsic, int64_t count) { return target.vectorCost(intrinsic, types, count); };
    auto reduction = [&](int64_t count) { return cost(Intrinsic::vreduce_max, count); };
    for (int64_t rows = 1; rows <= 120; rows += rows < 20 ? 1 : 7)
      for (int64_t columns = 1; columns <= 34 * lanes; columns += columns % lanes < 2 ? 1 : (lanes - 2) / 2)
        for (int64_t length : {columns, columns + 16}) {
          const int64_t repeats = (columns + lanes - 1) / lanes;
          double cheapest = double(rows) * reduction(columns);
          if (repeats <= most)
            cheapest = std::min(cheapest, double(repeats == 1 ? 1 : repeats + 1) * reduction(rows * lanes));
          double halves = reduction(rows * lanes);
          int64_t parts = repeats;
          for (; parts % 2 == 0; parts /= 2)
            halves += cost(Intrinsic::vmax, rows * parts / 2 * lanes);
          // Calls of more than 255 repeats are several.
          const bool isOneCall = rows * repeats / 2 <= 255;
          if (parts == 1 && columns == length && columns % lanes == 0 && isOneCall)
            cheapest = std::min(cheapest, halves);
          if (parts != 1 || isOneCall)
            EXPECT_EQ(ReducedRows({types.source, rows, columns, length}).cost(Intrinsic::vreduce_max, cost), cheapest)
                << rows << " rows of " << columns << " elements of " << elementSize(types.source);
        }
  }
  auto cycles = [&](Intrinsic intrinsic, int64_t count) { return target.vectorCycles(intrinsic, kFloat, count); };
  auto of = [&](int64_t rows, int64_t columns) {
    return ReducedRows{ElementType::Float32, rows, columns, columns}.cost(Intrinsic::vreduce_sum, cycles);
  };
  EXPECT_EQ(of(0, 8), cycles(Intrinsic::vreduce_sum, 0));
  EXPECT_EQ(of(600, 8), 2 * (16 + 255 * 2) + 16 + 90 * 2) << "the number of repeats is a byte";
  EXPECT_GT(of(kMost, kMost), 0);
  EXPECT_GE(of(-kMost, -kMost), 0);
}

// Counts come from programs that nobody has proved yet: the model must not overflow on any of them.
TEST(CostModel, AbsurdSizesStayFinite) {
  const Target &target = *findTarget("Ascend310B1");
  EXPECT_GT(target.vectorCycles(Intrinsic::vdiv, kFloat, kMost), 0);
  EXPECT_GT(target.copyCycles(Pipe::MTE2, kMost, kMost), 0);
  EXPECT_GE(target.vectorCycles(Intrinsic::vdiv, kFloat, -kMost), 0);
  EXPECT_GE(target.copyCycles(Pipe::MTE3, -1, -kMost), 0);
  EXPECT_GT(target.scratchBytes(Intrinsic::vreduce_max, ElementType::Float32, kMost), 0);
}

// Scratch that is too small would be overrun by the instruction itself, where no checker looks.
TEST(CostModel, ReductionScratchHoldsOnePartialARepeat) {
  const Target &target = *findTarget("Ascend310B1");
  auto bytes = [&](Intrinsic intrinsic, ElementType type, int64_t count) {
    return target.scratchBytes(intrinsic, type, count);
  };
  EXPECT_EQ(bytes(Intrinsic::vreduce_sum, ElementType::Float32, 1), 32);
  EXPECT_EQ(bytes(Intrinsic::vreduce_sum, ElementType::Float32, 64 * 8), 32);
  EXPECT_EQ(bytes(Intrinsic::vreduce_sum, ElementType::Float32, 64 * 8 + 1), 64);
  EXPECT_EQ(bytes(Intrinsic::vreduce_max, ElementType::Float16, 128 * 16), 64);
  EXPECT_EQ(bytes(Intrinsic::vreduce_min, ElementType::Float16, 0), 0);
}
