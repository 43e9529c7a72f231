// Lines of 64 bytes that the scalar unit and copies access both, one after another.

#include "runtime/ascendc/DataCache.h"

#include <gtest/gtest.h>

#include <string>

using namespace opc;
using namespace opc::ascendc;

namespace {

class DataCacheTest : public testing::Test {
protected:
  /// The rule of an access of `bytes` bytes in each row; "" for none.
  std::string access(Pipe pipe, bool write, int64_t offset, int64_t bytes = 4, int64_t rows = 1, int64_t stride = 0,
                     uint16_t tensor = 0) {
    PipeInstruction instruction;
    instruction.pipe = pipe;
    ProgramOperand operand;
    operand.space = ProgramOperand::GM;
    operand.tensor = tensor;
    SimInstruction op;
    op.instruction = &instruction;
    op.numAccesses = 1;
    op.accesses[0] = {&operand, write, offset, bytes, rows, stride};
    const auto hazard = cache.access(op, Place("kernel.cpp", ++line));
    earlier = hazard ? hazard->earlier.line : 0;
    return hazard ? hazard->rule : "";
  }
  DataCache cache;
  uint32_t line = 0, earlier = 0;
};

TEST_F(DataCacheTest, LinesAreWhole) {
  EXPECT_EQ(access(Pipe::S, true, 60), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 64, 640), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 4), "cache_c2"); // other bytes of the line
  EXPECT_EQ(earlier, 1u);
  EXPECT_EQ(access(Pipe::MTE3, true, 0, 4), "cache_c3");
  EXPECT_EQ(access(Pipe::S, false, 0), "cache_c1");
  EXPECT_EQ(earlier, 4u);
}

TEST_F(DataCacheTest, ReadsAloneAreNone) {
  EXPECT_EQ(access(Pipe::S, false, 8), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 64), "");
  EXPECT_EQ(access(Pipe::S, false, 12), "");
}

TEST_F(DataCacheTest, AScalarStoreAfterACopyOfACachedLine) {
  EXPECT_EQ(access(Pipe::S, false, 0), "");
  EXPECT_EQ(access(Pipe::MTE3, true, 0, 32), "");
  EXPECT_EQ(access(Pipe::S, true, 40), "cache_c3");
}

TEST_F(DataCacheTest, RowsLeaveOutWhatIsBetween) {
  EXPECT_EQ(access(Pipe::S, true, 128), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 32, 3, 256), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 32, 3, 128), "cache_c2");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 0, 3, 128), "");
}

TEST_F(DataCacheTest, TensorsAreApart) {
  EXPECT_EQ(access(Pipe::S, true, 0, 4, 1, 0, 1), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 4096, 1, 0, 0), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 4096, 1, 0, 2), "");
}

TEST_F(DataCacheTest, CleanWritesBack) {
  EXPECT_EQ(access(Pipe::S, true, 0), "");
  EXPECT_EQ(access(Pipe::S, true, 64), "");
  cache.clean(0, 70);
  EXPECT_EQ(access(Pipe::MTE2, false, 64, 64), "");
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 64), "cache_c2");
  cache.clean();
  EXPECT_EQ(access(Pipe::MTE2, false, 0, 64), "");
}

} // namespace
