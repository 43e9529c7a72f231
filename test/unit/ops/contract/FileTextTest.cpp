// Files are read in pieces, up to a limit.

#include "ops/contract/read/FileText.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace opc;

/// No two pieces of it are alike: 251 is a prime.
static std::string textOf(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i)
    text[i] = static_cast<char>(i % 251);
  return text;
}

static std::string readOf(const std::string &text, size_t limit) {
  std::istringstream stream(text);
  std::string found = readUpTo(stream, limit);
  EXPECT_FALSE(stream.bad());
  return found;
}

// Around a file's end, the limit and what is read at once (16 KB), each on both sides.
TEST(FileText, IsWholeOrItsFirstBytes) {
  for (size_t size : {0, 1, 16383, 16384, 16385, 32768, 40000, 49152, 50001}) {
    const std::string text = textOf(size);
    for (size_t limit : {size_t(0), size_t(1), size - (size > 0), size, size + 1, size_t(16384), size_t(1) << 20})
      EXPECT_EQ(readOf(text, limit), text.substr(0, limit)) << size << " bytes, " << limit << " at most";
  }
}

// A folder can be opened, and not read.
TEST(FileText, TellsOfAnError) {
  std::ifstream stream(testing::TempDir(), std::ios::binary);
  ASSERT_TRUE(stream);
  EXPECT_EQ(readUpTo(stream, 1 << 20), "");
  EXPECT_TRUE(stream.bad());
}
