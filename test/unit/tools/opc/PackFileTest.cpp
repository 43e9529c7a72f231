// A weight that is packed by several threads: the checksum of all their tiles, and a write that fails, which is
// reported once and ends all threads.

#include "tools/opc/pack/PackFile.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace opc;
using namespace opc::tool;

/// Writes that succeed before one that fails; negative: all succeed.
static std::atomic<int> before{-1};
/// Whether writes wait.
static std::atomic<bool> isHeld{false};

// In place of that of libc, for files that are written at offsets: no file system fails at a chosen write, and space
// is reserved before the first one.
extern "C" ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
  while (isHeld)
    std::this_thread::yield();
  if (before >= 0 && before-- == 0) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, file, data, size, offset);
}

namespace {

class PackFile : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    // Six tiles, of which most are written column by column.
    std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (4200, 600), }";
    header.resize(128 - 10 - 1, ' ');
    std::string elements(size_t(4200) * 600 * 2, '\0');
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = char(i % 251);
    std::ofstream(npy(), std::ios::binary) << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n'
                                           << elements;
    input.name = "b";
    ManifestDim rows, columns;
    rows.kind = columns.kind = ManifestDim::Fixed;
    rows.size = 4200;
    columns.size = 600;
    input.shape = {rows, columns};
  }
  void TearDown() override {
    before = -1;
    std::filesystem::remove_all(folder);
  }
  std::string npy() const { return folder + "/b.npy"; }

  /// Packs the matrix into a file, of which one write fails after this many.
  bool pack(int writes, Diagnostics &diagnostics, bool isEnded = false) {
    std::optional<AtomicFile> file = AtomicFile::create(folder + "/b.opcw", diagnostics);
    if (!file)
      return false;
    PackedWeight weight;
    weight.opType = "Packed";
    weight.input = "b";
    weight.form = PackedForm::Matrices;
    before = writes;
    isHeld = isEnded;
    auto progress = [&](int64_t, int64_t) {
      isHeld = false;
      return !isEnded;
    };
    const bool isPacked = packFile(npy(), false, input, {ElementType::Float16}, weight, *file, progress, diagnostics);
    before = -1;
    return isPacked && file->commitUnflushed(diagnostics);
  }

  std::string folder = std::filesystem::temp_directory_path() / "opc-pack-XXXXXX";
  ManifestTensor input;
};

} // namespace

TEST_F(PackFile, EndsAtTheFirstWriteThatFails) {
  for (int writes : {0, 1, 40, 114}) { // 38 columns of fractals in three pieces each, and the header
    Diagnostics diagnostics;
    EXPECT_FALSE(pack(writes, diagnostics)) << writes;
    ASSERT_EQ(diagnostics.all().size(), 1U) << writes;
    EXPECT_NE(diagnostics.all().front().message.find("No space left"), std::string::npos)
        << diagnostics.all().front().message;
    EXPECT_FALSE(std::filesystem::exists(folder + "/b.opcw")) << writes;
  }
}

TEST_F(PackFile, HasTheChecksumOfAllTiles) {
  Diagnostics diagnostics;
  ASSERT_TRUE(pack(-1, diagnostics));
  std::ifstream stream(folder + "/b.opcw", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  ASSERT_EQ(bytes.size(), size_t(kPackedStart + 4208 * 38 * 32));
  PackedWeight weight;
  ASSERT_EQ(readPackedHeader(bytes.data(), bytes.size(), weight), "");
  const uint64_t sum = packedSum(bytes.data() + kPackedStart, bytes.size() - kPackedStart, kPackedStart);
  EXPECT_EQ(weight.checksum, packedChecksum(weight, sum));
}

TEST_F(PackFile, IsAbsentIfTheWorkIsEnded) {
  Diagnostics diagnostics;
  EXPECT_FALSE(pack(-1, diagnostics, /*isEnded=*/true));
  EXPECT_FALSE(std::filesystem::exists(folder + "/b.opcw"));
}
