// Disks that are full, read-only or gone, for real: a file system of a few pages in a process of its own. Where a
// process may mount nothing, the tests are skipped and say so.

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "test/unit/runtime/core/cache/CacheHarness.h"

#include <cerrno>
#include <cstring>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

using namespace opc;
using namespace opc::test;
namespace fs = std::filesystem;

static constexpr int kCannotMount = 77;

/// Mounts a file system of its own for this process; false when that is not allowed.
static bool mountSmall(const std::string &path, const char *size) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return false;
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("opc", path.c_str(), "tmpfs", 0, size) == 0;
}

/// Runs `body` in a process with a file system of `size` at its folder. What it returns tells what went wrong; empty
/// when nothing did.
static void onSmallDisk(const char *size, const std::function<std::string(const std::string &)> &body) {
  TemporaryFolder folder;
  std::string path = folder.path + "/disk";
  fs::create_directory(path);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (!mountSmall(path, size))
      _exit(kCannotMount);
    registerKernelCompiler(std::make_shared<CountingCompiler>(folder.path + "/compiles", 0));
    std::string problem = body(path);
    ssize_t written = write(ends[1], problem.data(), problem.size());
    _exit(problem.empty() && written == 0 ? 0 : 1);
  }
  close(ends[1]);
  std::string problem;
  char part[256];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
    problem.append(part, size_t(count));
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotMount)
    GTEST_SKIP() << "this process may not mount a file system";
  EXPECT_EQ(problem, "");
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

/// Gets a kernel and runs it; empty when it came from `from` and computes.
static std::string use(KernelCache &cache, const std::string &contract, KernelCache::From from, bool warns) {
  Diagnostics diagnostics;
  KernelCache::Result result = cache.get(requestFor(contract), "AddRelu_4", diagnostics);
  bool warned = false;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (diagnostic.code != Code::E0620 || diagnostic.severity != Severity::Warning)
      return contract + ": " + diagnostic.message;
    warned = true;
  }
  if (warned != warns)
    return contract + (warned ? ": warns" : ": does not warn");
  if (!result.op || result.from != from)
    return contract + ": is not served as it should be";
  TensorForm form{ElementType::Float32, {4}};
  auto launch = PreparedLaunch::create(result.op, {form, form}, {}, diagnostics);
  float a[4] = {1, 2, 3, 4}, b[4] = {1, 1, 1, -9}, y[4];
  void *data[] = {a, b, y};
  if (!launch || !launch->run(data, diagnostics) || y[0] != 2 || y[3] != 0)
    return contract + ": does not compute";
  return {};
}

static std::unique_ptr<KernelCache> cacheAt(const std::string &path) {
  CacheSettings settings;
  settings.path = path + "/cache";
  return std::make_unique<KernelCache>(settings, createCpuDevice(1));
}

using From = KernelCache::From;

// Without it: a full disk costs the result, or half an entry stays on it.
TEST(Disks, Full) {
  onSmallDisk("size=8k", [](const std::string &path) -> std::string {
    {
      auto cache = cacheAt(path);
      for (const char *contract : {"a", "b"})
        if (std::string problem = use(*cache, contract, From::Compiler, true); !problem.empty())
          return problem;
      if (std::string problem = use(*cache, "a", From::Memory, false); !problem.empty())
        return problem;
      if (cache->counters().unwritable != 2)
        return "unwritable is not counted";
    }
    DiskCache disk(path + "/cache");
    return disk.list().empty() && fs::is_empty(disk.folder() + "/staging") ? "" : "leaves something";
  });
}

// Without it: what is on a read-only disk is compiled again, or what is not there is an error.
TEST(Disks, ReadOnly) {
  onSmallDisk("size=4m", [](const std::string &path) -> std::string {
    if (std::string problem = use(*cacheAt(path), "a", From::Compiler, false); !problem.empty())
      return problem;
    if (mount("opc", path.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) != 0)
      return std::string("cannot be made read-only: ") + std::strerror(errno);
    auto cache = cacheAt(path);
    if (std::string problem = use(*cache, "a", From::Disk, false); !problem.empty())
      return problem;
    if (std::string problem = use(*cache, "b", From::Compiler, true); !problem.empty())
      return problem;
    return use(*cache, "b", From::Memory, false);
  });
}

// Without it: a disk that is taken away takes the kernels in use with it.
TEST(Disks, Gone) {
  onSmallDisk("size=4m", [](const std::string &path) -> std::string {
    auto cache = cacheAt(path);
    if (std::string problem = use(*cache, "a", From::Compiler, false); !problem.empty())
      return problem;
    if (umount2(path.c_str(), MNT_DETACH) != 0 || rmdir(path.c_str()) != 0)
      return std::string("cannot be taken away: ") + std::strerror(errno);
    if (std::string problem = use(*cache, "a", From::Memory, false); !problem.empty())
      return problem;
    // The folder is made anew where its place allows it; here a file is in the way.
    std::ofstream(path) << "no folder";
    return use(*cache, "b", From::Compiler, true);
  });
}
