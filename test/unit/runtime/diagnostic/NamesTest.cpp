// Nearest names and printable text.

#include "runtime/diagnostic/Diagnostic.h"

#include <gtest/gtest.h>

using namespace opc;

static const std::vector<std::string> names = {"Tan", "Tanh", "float16", "float32", "x1", "inputs", "Ascend310B1"};

// A suggestion is worth its line only when it is what the user meant.
TEST(NearestName, FindsMisspeltNames) {
  EXPECT_EQ(nearestName("Tahn", names), "Tanh") << "a swap is one mistake; equal lengths come first";
  EXPECT_EQ(nearestName("flaot16", names), "float16");
  EXPECT_EQ(nearestName("float6", names), "float16");
  EXPECT_EQ(nearestName("input", names), "inputs");
  EXPECT_EQ(nearestName("ascend310b1", names), "Ascend310B1") << "letter case counts least";
  EXPECT_EQ(nearestName("tanh", names), "Tanh");
  EXPECT_EQ(nearestName("x2", names), "x1");
}

// A far-fetched suggestion is worse than none.
TEST(NearestName, NothingIsNear) {
  EXPECT_EQ(nearestName("softmax", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName("y", names), "") << "no common letter";
  EXPECT_EQ(nearestName("Tanh", {}), "");
}

// Keys come from hostile files: a megabyte long one against many candidates must not take seconds.
TEST(NearestName, LongNamesAreNotCompared) {
  std::string longName(1 << 20, 'a');
  EXPECT_EQ(nearestName(longName, {longName, "a"}), "");
}

// Messages quote files: control characters, bytes that are no UTF-8 and C1 controls must not reach a terminal.
TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a C1 control";
  EXPECT_EQ(printable("\xff\xc0\x80"), "\\xff\\xc0\\x80") << "no UTF-8";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf0\x9f"), "\\xf0\\x9f") << "cut short";
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

// Names in other scripts are text like any other.
TEST(Printable, KeepsUtf8) {
  EXPECT_EQ(printable("gr\xc3\xb6\xc3\x9f"
                      "e \xe6\x98\x87"),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe6\x98\x87");
}

// A cut inside of a character would make bytes that are no UTF-8.
TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("ab\xc3\xb6", 3), "ab...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable(std::string(1000, 'x')).size(), 83u);
}
