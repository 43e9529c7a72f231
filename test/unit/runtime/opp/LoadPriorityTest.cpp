// vendors/config.ini: the list, and everything around it that is not ours.

#include "runtime/opp/LoadPriority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <unistd.h>

using namespace opc;
using ::testing::ElementsAre;

namespace {

class LoadPriorityFile : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("opc-priority-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::optional<LoadPriority> read(const std::string &text) {
    std::ofstream(folder / "config.ini", std::ios::binary) << text;
    diagnostics = Diagnostics();
    return readLoadPriority(folder.string(), diagnostics);
  }
  std::string written(const LoadPriority &priority) {
    EXPECT_TRUE(writeLoadPriority(folder.string(), priority, diagnostics));
    std::ostringstream text;
    text << std::ifstream(folder / "config.ini").rdbuf();
    return text.str();
  }
  std::filesystem::path folder;
  Diagnostics diagnostics;
};

} // namespace

TEST_F(LoadPriorityFile, NoneIsAnEmptyList) {
  std::optional<LoadPriority> priority = readLoadPriority(folder.string(), diagnostics);
  ASSERT_TRUE(priority);
  EXPECT_TRUE(priority->vendors.empty());
  priority->vendors = {"a"};
  EXPECT_EQ(written(*priority), "load_priority=a\n");
}

// Lines of others stay, in their order, around the list.
TEST_F(LoadPriorityFile, KeepsOtherLines) {
  auto priority = read("# one\nload_priority = b, a ,b,\n\nx=1");
  ASSERT_TRUE(priority);
  EXPECT_THAT(priority->vendors, ElementsAre("b", "a"));
  priority->vendors.insert(priority->vendors.begin(), "c");
  EXPECT_EQ(written(*priority), "# one\nload_priority=c,b,a\n\nx=1\n");
}

// Guessing would change which operator a model gets.
TEST_F(LoadPriorityFile, RefusesWhatItDoesNotUnderstand) {
  for (const std::string &text :
       {std::string("load_priority=a\nload_priority=b\n"), std::string("load_priority=../a\n"),
        std::string("load_priority=a\x01\n"), std::string("load_priority=") + std::string(300, 'a'),
        std::string("a\0b\n", 4), std::string(100000, 'x')}) {
    EXPECT_FALSE(read(text)) << text.substr(0, 30);
    EXPECT_EQ(diagnostics.errorCount(), 1u);
  }
}

// Whatever is taken is written and read to the same list.
TEST_F(LoadPriorityFile, RandomTexts) {
  std::mt19937 random(7);
  const std::string alphabet = "load_priority=,ab\n\r\t ./\\#";
  for (int i = 0; i < 2000; ++i) {
    std::string text = random() % 2 ? "load_priority=" : "";
    for (unsigned k = random() % 40; k > 0; --k)
      text += alphabet[random() % alphabet.size()];
    auto priority = read(text);
    if (!priority)
      continue;
    written(*priority);
    auto again = readLoadPriority(folder.string(), diagnostics);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(again->vendors, priority->vendors) << text;
  }
}
