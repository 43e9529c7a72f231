// Folders that appear at once, and what a killed process leaves.

#include "runtime/opp/StagedFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

namespace {

class Staged : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc-staged-" + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  void put(const fs::path &path, const std::string &text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  static std::string text(const fs::path &path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }
  size_t entries() const { return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }
  fs::path folder;
  Diagnostics diagnostics;
};

} // namespace

TEST_F(Staged, AppearsAtOnceAndReplacesWhole) {
  put(folder / "out" / "old", "old");
  auto staged = StagedFolder::create((folder / "out").string(), diagnostics);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(staged->add("a/b/c", "new", true, diagnostics));
  EXPECT_TRUE(fs::exists(folder / "out" / "old")) << "nothing changes before it is published";
  ASSERT_TRUE(staged->publish(diagnostics));
  EXPECT_EQ(text(folder / "out" / "a/b/c"), "new");
  EXPECT_FALSE(fs::exists(folder / "out" / "old"));
  EXPECT_NE(fs::status(folder / "out" / "a/b/c").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Staged, NothingIsLeftWithoutPublishing) {
  {
    auto staged = StagedFolder::create((folder / "out").string(), diagnostics);
    ASSERT_TRUE(staged);
    ASSERT_TRUE(staged->add("a", "x", false, diagnostics));
    EXPECT_FALSE(staged->add("a", "x", false, diagnostics)) << "a file is written once";
    EXPECT_FALSE(staged->add("../a", "x", false, diagnostics));
    EXPECT_FALSE(staged->add("/tmp/a", "x", false, diagnostics));
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(Staged, AFileInItsPlaceIsNotReplaced) {
  put(folder / "out", "a file");
  auto staged = StagedFolder::create((folder / "out").string(), diagnostics);
  ASSERT_TRUE(staged);
  EXPECT_FALSE(staged->publish(diagnostics));
  EXPECT_EQ(text(folder / "out"), "a file");
}

// Of processes that are gone, or of all where the lock of the place is held.
TEST_F(Staged, RecoverSweepsAndPutsBack) {
  put(folder / (".opc-stage-" + std::to_string(getpid()) + "-9") / "a", "ours");
  put(folder / ".opc-stage-999999999-0" / "a", "of a process that is gone");
  put(folder / ".opc-old-mine" / "a", "stepped aside");
  put(folder / "other" / "a", "not ours");
  recover(folder.string(), /*all=*/false);
  EXPECT_EQ(text(folder / "mine" / "a"), "stepped aside");
  EXPECT_FALSE(fs::exists(folder / ".opc-stage-999999999-0"));
  EXPECT_EQ(entries(), 3u);
  put(folder / ".opc-old-mine" / "a", "older");
  recover(folder.string(), /*all=*/true);
  EXPECT_EQ(text(folder / "mine" / "a"), "stepped aside") << "what is in its place stays";
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Staged, RemovesWhole) {
  put(folder / "out" / "a", "x");
  ASSERT_TRUE(removeFolder((folder / "out").string(), diagnostics));
  EXPECT_EQ(entries(), 0u);
  EXPECT_FALSE(removeFolder((folder / "out").string(), diagnostics));
}
