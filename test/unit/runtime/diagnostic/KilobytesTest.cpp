// Sizes in messages: whole where they are, and never less than what they stand for.

#include "runtime/diagnostic/Kilobytes.h"

#include "gtest/gtest.h"

using opc::kilobytes;

TEST(Kilobytes, Exact) {
  EXPECT_EQ(kilobytes(0), "0 KB");
  EXPECT_EQ(kilobytes(1024), "1 KB");
  EXPECT_EQ(kilobytes(12 * 1024 + 512), "12.5 KB");
  EXPECT_EQ(kilobytes(253952), "248 KB");
}

// A block more than UB has would else be "248 KB of 248 KB, which does not fit".
TEST(Kilobytes, RoundsUp) {
  EXPECT_EQ(kilobytes(1), "0.1 KB");
  EXPECT_EQ(kilobytes(253952 + 32), "248.1 KB");
  EXPECT_EQ(kilobytes(1023), "1 KB");
  EXPECT_EQ(kilobytes(2 * 1024 - 103), "1.9 KB");
  EXPECT_EQ(kilobytes(2 * 1024 - 102), "2 KB");
  EXPECT_EQ(kilobytes(INT64_MAX), "9007199254740992 KB");
}
