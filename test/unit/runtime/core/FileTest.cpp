// Files appear whole or not at all.

#include "runtime/core/File.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

namespace {
class AtomicFileTest : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc-file-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path() const { return (folder / "out").string(); }
  std::string content() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  long entries() const { return std::distance(fs::directory_iterator(folder), {}); }
  fs::path folder;
};
} // namespace

// Without it: a failure halfway leaves a file that is neither old nor new, or litter beside it.
TEST_F(AtomicFileTest, WithoutCommitNothingChanges) {
  std::ofstream(path()) << "old";
  Diagnostics diagnostics;
  {
    std::optional<AtomicFile> file = AtomicFile::create(path(), diagnostics);
    ASSERT_TRUE(file);
    file->write("new and longer", 14);
    EXPECT_EQ(content(), "old");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(entries(), 1);
}

// Without it: an old, longer file keeps its tail after the new bytes.
TEST_F(AtomicFileTest, CommitReplaces) {
  std::ofstream(path()) << "an old and long content";
  Diagnostics diagnostics;
  std::optional<AtomicFile> file = AtomicFile::create(path(), diagnostics);
  ASSERT_TRUE(file);
  file->write("new", 3);
  EXPECT_TRUE(file->commit(diagnostics));
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(entries(), 1);
}

// Without it: a process that is killed while it writes leaves a file nobody knows.
TEST_F(AtomicFileTest, BeforeCommitThereIsNoName) {
  int probe = open(folder.c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (probe < 0)
    GTEST_SKIP() << "this file system has no files without a name";
  close(probe);
  Diagnostics diagnostics;
  std::optional<AtomicFile> file = AtomicFile::create(path(), diagnostics);
  ASSERT_TRUE(file);
  file->write("new", 3);
  EXPECT_EQ(entries(), 0);
  EXPECT_TRUE(file->commit(diagnostics));
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(entries(), 1);
}

// Without it: of several files some are replaced, although another one cannot be written.
TEST_F(AtomicFileTest, FailureIsKnownBeforeCommit) {
  Diagnostics diagnostics;
  std::optional<AtomicFile> file = AtomicFile::create("/dev/full", diagnostics);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->failed(diagnostics));
  EXPECT_FALSE(file->write("x", 1));
  EXPECT_TRUE(file->failed(diagnostics));
  ASSERT_TRUE(diagnostics.hasErrors());
  EXPECT_EQ(diagnostics.all().front().code, Code::E0601);
}

// Without it: output to a folder that is not there, or over a folder, is found out after the work.
TEST_F(AtomicFileTest, UnwritablePlacesAreToldAtOnce) {
  for (const fs::path &place : {folder / "missing" / "out", folder}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(AtomicFile::create(place.string(), diagnostics));
    ASSERT_TRUE(diagnostics.hasErrors());
    EXPECT_EQ(diagnostics.all().front().code, Code::E0601);
  }
}

// Without it: renaming over /dev/null would replace the device.
TEST_F(AtomicFileTest, DevicesAreWrittenDirectly) {
  Diagnostics diagnostics;
  std::optional<AtomicFile> file = AtomicFile::create("/dev/null", diagnostics);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write("x", 1));
  EXPECT_TRUE(file->commit(diagnostics));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// Without it: a file beyond the limit fills memory.
TEST_F(AtomicFileTest, ReadFileKeepsToItsLimit) {
  std::ofstream(path()) << "12345";
  Diagnostics diagnostics;
  EXPECT_EQ(readFile(path(), 5, diagnostics), "12345");
  EXPECT_FALSE(readFile(path(), 4, diagnostics));
  EXPECT_FALSE(readFile(folder.string(), 4, diagnostics));
  EXPECT_EQ(diagnostics.errorCount(), 2u);
}
