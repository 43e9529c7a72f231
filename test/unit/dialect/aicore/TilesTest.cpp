// Tiles of long rows of a product: what they take of UB and L0C.

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/aicore/tiles/RowTiles.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace opc;

namespace {

class RowTiles : public testing::Test {
protected:
  RowTiles() { context.loadDialect<aicore::AICoreDialect>(); }
  aicore::ScheduleAttr of(int64_t rows, int64_t longest) {
    return aicore::ScheduleAttr::get(&context, rows * longest, rows, /*slots=*/2, /*prefetch=*/false, /*alignment=*/32,
                                     /*alias=*/false, /*expansion=*/32);
  }

  MLIRContext context;
  const Target &target = *findTarget("Ascend310B1");
};

// Without it: the results of a piece after the last row have no room, or a row too many has.
TEST_F(RowTiles, ResultsHaveARowMore) {
  EXPECT_EQ(aicore::resultsOfLongRows(of(16, 1024)), 17 * 1024);
}

// Without it: a piece takes more of UB than there is, and the plan fails; or less, and there are more pieces.
TEST_F(RowTiles, APieceFitsBesideTheResults) {
  const aicore::ScheduleAttr schedule = of(16, 1024);
  const int64_t room = target.ubBytes() - 17 * 1024 * 4;
  EXPECT_EQ(aicore::rowsOfPiece(schedule, {0, room / 16, 0}, target), 16);
  EXPECT_EQ(aicore::rowsOfPiece(schedule, {0, room / 16 + 1, 0}, target), 8);
  EXPECT_EQ(aicore::rowsOfPiece(schedule, {0, room / 16, 32}, target), 8);
  EXPECT_EQ(aicore::rowsOfPiece(schedule, {8 * room / 1024, 0, 0}, target), 1);
  EXPECT_EQ(aicore::rowsOfPiece(schedule, {8 * room / 1024, 0, room - room / 1024 * 1024 + 1}, target), 0);
}

// Without it: L0C has no second tile, and the cube waits for Fixpipe.
TEST_F(RowTiles, TwoTilesFitL0C) {
  const int64_t bytes = target.memoryBytes(Memory::L0C);
  for (int64_t rows : {16, 32, 64}) {
    const aicore::CubeTile tile = aicore::tileOfLongRows(of(rows, 1024), 2, target);
    EXPECT_LE(2 * rows * tile.width * 4, bytes) << rows;
    EXPECT_TRUE(tile.width == aicore::CubeTile::kMostColumns || 4 * rows * tile.width * 4 > bytes) << rows;
    EXPECT_EQ(tile.part, 1024);
  }
}

} // namespace
