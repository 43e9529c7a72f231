// The file form of tiling functions: round trip, and every damage answered without harm.

#include "test/unit/runtime/program/Samples.h"

#include <gtest/gtest.h>

using namespace opc;

static std::string readBack(const std::vector<uint8_t> &bytes, TilingFunction &function) {
  return readTiling(bytes.data(), bytes.size(), function);
}

// Writing what was read gives the same bytes: nothing is lost, nothing depends on the machine.
TEST(TilingFile, RoundTrip) {
  std::vector<uint8_t> bytes = writeTiling(sample::tiling());
  TilingFunction function;
  ASSERT_EQ(readBack(bytes, function), "");
  EXPECT_EQ(writeTiling(function), bytes);
  EXPECT_EQ(function.outputs[2].field.name, "last_tile");
  EXPECT_EQ(function.code[0].imm, 8192);
}

// The layout is fixed: a board reads what another machine wrote.
TEST(TilingFile, FirstBytesAreLittleEndian) {
  std::vector<uint8_t> bytes = writeTiling(sample::tiling());
  std::vector<uint8_t> expected = {'O', 'P', 'C', 'T', 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 6, 0, 0, 0};
  ASSERT_GE(bytes.size(), expected.size());
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(expected.size())),
            expected);
}

TEST(TilingFile, SaysWhatIsWrong) {
  std::vector<uint8_t> bytes = writeTiling(sample::tiling());
  TilingFunction function;
  EXPECT_EQ(readTiling(nullptr, 0, function), "expects a tiling function, found other bytes");
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_EQ(readBack(longer, function), "expects the end of the tiling function, found more bytes");
  std::vector<uint8_t> other = bytes;
  other[4] = 9;
  EXPECT_EQ(readBack(other, function), "expects version 1 of tiling functions, found version 9");
  other = bytes;
  other.pop_back();
  EXPECT_EQ(readBack(other, function), "the tiling function is cut short");
}

// A count of four billion must not be believed before the bytes for it are seen.
TEST(TilingFile, CountsThatTheFileDoesNotPayForAreRefused) {
  std::vector<uint8_t> bytes = writeTiling(sample::tiling());
  TilingFunction function;
  for (size_t at : {size_t(8), size_t(19)}) { // inputs, code
    std::vector<uint8_t> damaged = bytes;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at), 4, uint8_t(0xff));
    EXPECT_EQ(readBack(damaged, function), "the tiling function is cut short");
  }
}

// Whatever the bytes: an answer, and a function that is accepted runs within its registers.
TEST(TilingFile, EveryDamageIsAnswered) {
  std::vector<uint8_t> bytes = writeTiling(sample::tiling());
  sample::everyDamage(bytes, 20000, [](const std::vector<uint8_t> &damaged, bool truncated) {
    TilingFunction function;
    std::string problem = readBack(damaged, function);
    if (truncated) {
      ASSERT_NE(problem, "");
    }
    if (!problem.empty())
      return;
    std::vector<int64_t> inputs(function.inputs.size(), 1000), outputs(function.outputs.size());
    runTiling(function, inputs.data(), outputs.data());
  });
}
