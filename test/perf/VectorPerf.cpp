// Generated kernels of x86-64-v4 against loops by hand, one thread: each pair takes turns, and the
// figure is the median of the ratios hand time / kernel time of its turns (1 and above: the kernel
// is no slower). Turns in which the thread had less than 0.97 of its core are dropped.
//
// Prints a table for docs/rationale/cpu.md.

#include "test/perf/HandLoops.h"
#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/device/cpu/PrivateCache.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>

using namespace opc;
using namespace opc::test;

namespace {

template <typename T> struct Aligned {
  explicit Aligned(int64_t n)
      : n(n), data(static_cast<T *>(
                  std::aligned_alloc(4096, (n * sizeof(T) + 4095) / 4096 * 4096 + 4096))) {
    for (int64_t i = 0; i < n; ++i)
      data[i] = T(sizeof(T) == 2 ? 0x3c00 + i % 1000 : (i * 7919) % 2003 / 256.0 - 3.5);
  }
  ~Aligned() { std::free(data); }
  VectorHarness::Tensor tensor() const { return {data, n}; }
  int64_t n;
  T *data;
};

/// A launch with everything at hand: the entry alone is timed.
class Launch {
public:
  Launch(const VectorHarness &harness, const char *name, std::vector<VectorHarness::Tensor> tensors,
         std::vector<int64_t> tiling, int64_t cache)
      : entry(harness.kernels().find(name)), tiling(std::move(tiling)) {
    for (const VectorHarness::Tensor &tensor : tensors) {
      pointers.push_back(const_cast<void *>(tensor.data));
      sizes.push_back(tensor.elements);
    }
    arguments = {pointers.data(), sizes.data(), this->tiling.data(), INT64_MAX, cache};
  }
  Launch(const Launch &) = delete;
  void operator()() const { entry->function(&arguments, 0, 1); }

private:
  const opc_kernel_entry *entry;
  std::vector<void *> pointers;
  std::vector<int64_t> sizes, tiling;
  opc_kernel_arguments arguments{};
};

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Seconds of one call; negative when the core was shared meanwhile.
double timed(const std::function<void()> &call, int repeats) {
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < repeats; ++i)
    call();
  wall = now(CLOCK_MONOTONIC) - wall;
  cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
  return cpu < 0.97 * wall ? -1 : wall / repeats;
}

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void race(const char *name, int64_t n, double bytes, const std::function<void()> &kernel,
          const std::function<void()> &hand) {
  int repeats = int(std::max(1.0, 2e5 / (bytes / 20.0)));
  std::vector<double> ratios, times;
  int dropped = 0;
  timed(kernel, repeats);
  timed(hand, repeats);
  for (int turn = 0; turn < 60 && ratios.size() < 21; ++turn) {
    double k = timed(kernel, repeats), h = timed(hand, repeats);
    if (k < 0 || h < 0) {
      ++dropped;
      continue;
    }
    ratios.push_back(h / k);
    times.push_back(k);
  }
  printf("| %s | %ld | %.1f | %.2f | %d |\n", name, long(n), bytes / median(times) * 1e-9,
         median(ratios), dropped);
  fflush(stdout);
}

} // namespace

int main() {
  const std::vector<std::string> flat = {"block_num", "size0"};
  VectorHarness add(flatKernel("k", {"f32", "f32", "f32"},
                               "%z = arith.constant 0.0 : f32\n%a = arith.addf %0, %1 : f32\n%y = "
                               "arith.maximumf %a, %z : f32"),
                    {"x1", "x2", "y"}, flat, {"x86-64-v4"});
  VectorHarness addHalf(flatKernel("k", {"f16", "f16", "f16"},
                                   "%z = arith.constant 0.0 : f16\n%a = arith.addf %0, %1 : "
                                   "f16\n%y = arith.maximumf %a, %z : f16"),
                        {"x1", "x2", "y"}, flat, {"x86-64-v4"});
  VectorHarness swish(
      flatKernel("k", {"f32", "f32"}, "%o = arith.constant 1.0 : f32\n%y = te.swish %0, %o"),
      {"x", "y"}, flat, {"x86-64-v4"});
  VectorHarness softmax(kSoftmax, {"x", "y"}, {"block_num", "size0", "size1"}, {"x86-64-v4"});
  if (!add.ready() || !addHalf.ready() || !swish.ready() || !softmax.ready()) {
    fprintf(stderr, "%s%s%s%sthis machine or this build cannot run x86-64-v4\n",
            add.errors().c_str(), addHalf.errors().c_str(), swish.errors().c_str(),
            softmax.errors().c_str());
    return 1;
  }
  int64_t cache = privateCacheBytes();
  printf("private cache %ld KB\n| kernel | elements | GB/s | hand time / kernel time | turns "
         "dropped |\n|---|---|---|---|---|\n",
         long(cache >> 10));
  for (int64_t n : {int64_t(4) << 10, int64_t(64) << 10, int64_t(1) << 20, int64_t(16) << 20}) {
    Aligned<float> a(n), b(n), y(n);
    Aligned<uint16_t> p(n), q(n), r(n);
    Launch addLaunch(add, "k", {a.tensor(), b.tensor(), y.tensor()}, {1, n}, cache);
    Launch halfLaunch(addHalf, "k", {p.tensor(), q.tensor(), r.tensor()}, {1, n}, cache);
    Launch swishLaunch(swish, "k", {a.tensor(), y.tensor()}, {1, n}, cache);
    race(
        "AddRelu f32", n, 12.0 * double(n), [&] { addLaunch(); },
        [&] { perf::addRelu(a.data, b.data, y.data, n, 12 * n > cache); });
    race(
        "AddRelu f16", n, 6.0 * double(n), [&] { halfLaunch(); },
        [&] { perf::addReluHalf(p.data, q.data, r.data, n, 6 * n > cache); });
    race(
        "Swish f32", n, 8.0 * double(n), [&] { swishLaunch(); },
        [&] { perf::swish(a.data, y.data, n, 8 * n > cache); });
  }
  const std::pair<int64_t, int64_t> shapes[] = {
      {1024, 128}, {1024, 1000}, {1024, 4096}, {32, 50257}};
  for (const auto &[rows, columns] : shapes) {
    int64_t m = rows, n = columns, size = m * n / 64 * 64;
    Aligned<float> x(m * n), y(m * n);
    Launch launch(softmax, "softmax", {x.tensor(), y.tensor()}, {1, m, n}, cache);
    std::string name = "Softmax f32 " + std::to_string(m) + " x " + std::to_string(n);
    race((name + ", three passes by hand").c_str(), m * n, 8.0 * double(m * n), [&] { launch(); },
         [&] { perf::softmax(x.data, y.data, m, n); });
    race((name + ", copy").c_str(), m * n, 8.0 * double(m * n), [&] { launch(); },
         [&] { perf::copy(x.data, y.data, size); });
  }
  return 0;
}
