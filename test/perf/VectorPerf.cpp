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
    race(
        "AddRelu f32", n, 12.0 * n,
        [&] { add.run("k", {a.tensor(), b.tensor(), y.tensor()}, {1, n}, 0, 1, cache); },
        [&] { perf::addRelu(a.data, b.data, y.data, n, 12 * n > cache); });
    race(
        "AddRelu f16", n, 6.0 * n,
        [&] { addHalf.run("k", {p.tensor(), q.tensor(), r.tensor()}, {1, n}, 0, 1, cache); },
        [&] { perf::addReluHalf(p.data, q.data, r.data, n, 6 * n > cache); });
    race(
        "Swish f32", n, 8.0 * n,
        [&] { swish.run("k", {a.tensor(), y.tensor()}, {1, n}, 0, 1, cache); },
        [&] { perf::swish(a.data, y.data, n, 8 * n > cache); });
  }
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>{1024, 128}, {1024, 1000}, {1024, 4096}, {32, 50257}}) {
    Aligned<float> x(m * n + 64), y(m * n + 64);
    auto run = [&, m = m, n = n] {
      softmax.run("softmax", {{x.data, m * n}, {y.data, m * n}}, {1, m, n}, 0, 1, cache);
    };
    std::string name = "Softmax f32 " + std::to_string(m) + " x " + std::to_string(n);
    race((name + ", three passes by hand").c_str(), m * n, 8.0 * m * n, run,
         [&, m = m, n = n] { perf::softmax(x.data, y.data, m, n); });
    race((name + ", copy").c_str(), m * n, 8.0 * m * n, run,
         [&, m = m, n = n] { perf::copy(x.data, y.data, m * n & ~int64_t(63)); });
  }
  return 0;
}
