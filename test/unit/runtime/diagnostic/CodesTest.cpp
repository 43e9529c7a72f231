// The families of codes as their owners fill them: numbers, titles, explanations, look-up.

#include "runtime/diagnostic/Diagnostic.h"

#include <gtest/gtest.h>

using namespace opc;

static int numberOf(const CodeInfo &info) {
  return std::stoi(std::string(info.name.substr(5)));
}

// Two owners who take one number would give one code two meanings; look-up by enumerator relies on the order.
TEST(Codes, NumbersAscendAndAreUnique) {
  int previous = 0;
  for (const CodeInfo &info : allCodes()) {
    EXPECT_GT(numberOf(info), previous) << info.name << " stands after a larger or equal number";
    previous = numberOf(info);
  }
}

// A code's row is found by its enumerator's value; a gap between the two lists would explain the wrong error.
TEST(Codes, EachEnumeratorFindsItsRow) {
  for (const CodeInfo &info : allCodes())
    EXPECT_EQ(codeInfo(info.code).name, info.name);
}

// The first two digits are the family; a code in the wrong file would end up in the wrong chapter of the reference.
TEST(Codes, FamiliesAreKnown) {
  for (const CodeInfo &info : allCodes()) {
    int family = numberOf(info) / 100;
    EXPECT_TRUE(family >= 1 && family <= 10) << info.name;
  }
}

// `opc explain` prints titles and explanations; one that is empty explains nothing.
TEST(Codes, TitlesAndExplanationsHaveTheirForm) {
  for (const CodeInfo &info : allCodes()) {
    ASSERT_FALSE(info.title.empty()) << info.name;
    EXPECT_NE(info.title.back(), '.') << info.name;
    EXPECT_EQ(info.title.find('\n'), std::string_view::npos) << info.name;
    EXPECT_GE(info.explanation.size(), 20u) << info.name << " has no useful explanation";
  }
}

// No error ends a command with status 0.
TEST(Codes, NoCodeMeansDone) {
  for (const CodeInfo &info : allCodes())
    EXPECT_NE(info.exit, ExitCode::Done) << info.name;
}

// People type a code as they saw it, or as much of it as they remember.
TEST(Codes, FoundInEverySpelling) {
  for (const char *spelling : {"OPC-E0100", "opc-e0100", "E0100", "e0100", "0100"}) {
    const CodeInfo *info = findCode(spelling);
    ASSERT_NE(info, nullptr) << spelling;
    EXPECT_EQ(info->name, "OPC-E0100");
  }
}

// A look-up that matches parts would explain another error than the one asked for.
TEST(Codes, NotFound) {
  for (const char *spelling : {"", "E", "OPC-", "100", "E01000", "OPC-E9999", "OPC-OPC-E0100", "0x64"})
    EXPECT_EQ(findCode(spelling), nullptr) << spelling;
}
