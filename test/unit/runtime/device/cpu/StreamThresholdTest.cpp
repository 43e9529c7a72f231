// From how many bytes on kernels write past the caches, for machines as Linux describes them.

#include "runtime/device/cpu/StreamThreshold.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace opc;

namespace {

class Caches {
public:
  Caches() {
    std::string pattern = (std::filesystem::temp_directory_path() / "opc-caches-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~Caches() {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
  void add(int index, const std::string &size) {
    std::string cache = folder + "/index" + std::to_string(index);
    std::filesystem::create_directory(cache);
    std::ofstream(cache + "/size") << size << "\n";
  }
  int64_t threshold() const { return streamThresholdOf(folder); }

private:
  std::string folder;
};

constexpr int64_t kMiB = int64_t(1) << 20;

} // namespace

// Without this a tensor that the shared cache holds goes to memory and back.
TEST(StreamThreshold, HalfOfTheLargestCache) {
  Caches caches;
  caches.add(0, "32K");
  caches.add(3, "32768K");
  caches.add(2, "512K");
  EXPECT_EQ(caches.threshold(), 16 * kMiB);
}

// Without this a guest of two cores takes the cache of its host for its own.
TEST(StreamThreshold, NoMoreThanALaunchKeeps) {
  Caches caches;
  caches.add(3, "491520K");
  EXPECT_EQ(caches.threshold(), 64 * kMiB);
}

// Without this a file of nonsense makes every store stream, or none.
TEST(StreamThreshold, NothingWhereNothingIsSaid) {
  Caches caches;
  EXPECT_EQ(caches.threshold(), 0);
  caches.add(0, "many");
  caches.add(1, "-5K");
  caches.add(2, "99999999999K");
  caches.add(3, "12G");
  EXPECT_EQ(caches.threshold(), 0);
}
