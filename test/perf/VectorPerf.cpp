// Generated kernels of the best level here against loops by hand, one thread: each pair takes turns, and the figure
// is the median of the ratios hand time / kernel time of its turns (1 and above: the kernel is no slower). Times are
// of the thread's own core, so that other work on the machine counts by what it does to the caches alone.
//
// Prints a table for docs/rationale/cpu.md. Two threads are held against one by the shortest of many launches, in
// wall time: the one in which both had a core.

#include "test/perf/HandLoops.h"
#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/device/cpu/StreamThreshold.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <regex>

using namespace opc;
using namespace opc::test;

namespace {

template <typename T> struct Aligned {
  explicit Aligned(int64_t n)
      : n(n), data(static_cast<T *>(std::aligned_alloc(4096, (n * sizeof(T) + 4095) / 4096 * 4096 + 4096))) {
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
  /// All blocks over the threads of the arena, as the device does it.
  void operator()(tbb::task_arena &arena, int64_t blocks) const {
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<int64_t>(0, blocks), [&](const tbb::blocked_range<int64_t> &range) {
        entry->function(&arguments, range.begin(), range.end());
      });
    });
  }

private:
  const opc_kernel_entry *entry;
  std::vector<void *> pointers;
  std::vector<int64_t> sizes, tiling;
  opc_kernel_arguments arguments{};
};

/// y = x + b, b in one of the patterns of broadcasting.
std::string gridKernel(const std::string &map, const std::string &shape) {
  std::string type = shape + "xf32";
  return "#id = affine_map<(m, n) -> (m, n)>\nfunc.func @grid(%x: memref<?x?xf32>, %b: memref<" + type +
         ">, %y: memref<?x?xf32>) attributes {te.kernel, te.shape_key = \"grid\"} {\n" +
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n" +
         "%tx = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>\n" +
         "%tb = bufferization.to_tensor %b restrict : memref<" + type + "> to tensor<" + type +
         ">\n%m = tensor.dim %tx, %c0 : tensor<?x?xf32>\n" + "%n = tensor.dim %tx, %c1 : tensor<?x?xf32>\n" +
         "%e = tensor.empty(%m, %n) : tensor<?x?xf32>\n" +
         "%r = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> " + map +
         ">, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(%tx, %tb : " + "tensor<?x?xf32>, tensor<" + type +
         ">) outs(%e : tensor<?x?xf32>) {\n" + "^bb0(%p: f32, %q: f32, %o: f32):\n%s = arith.addf %p, %q : f32\n" +
         "linalg.yield %s : f32\n} -> tensor<?x?xf32>\n" +
         "bufferization.materialize_in_destination %r in restrict writable %y : " +
         "(tensor<?x?xf32>, memref<?x?xf32>) -> ()\nreturn\n}\n";
}

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Seconds of one call, of this thread's time.
double timed(const std::function<void()> &call, int repeats) {
  double start = now(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < repeats; ++i)
    call();
  return (now(CLOCK_THREAD_CPUTIME_ID) - start) / repeats;
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
  timed(kernel, repeats);
  timed(hand, repeats);
  for (int turn = 0; turn < 31; ++turn) {
    double k = timed(kernel, repeats), h = timed(hand, repeats);
    ratios.push_back(h / k);
    times.push_back(k);
  }
  printf("| %s | %ld | %.1f | %.2f |\n", name, long(n), bytes / median(times) * 1e-9, median(ratios));
  fflush(stdout);
}

/// Shortest wall time of one of many calls.
double shortest(const std::function<void()> &call) {
  double best = 1e9;
  for (int i = 0; i < 3000; ++i) {
    double start = now(CLOCK_MONOTONIC);
    call();
    best = std::min(best, now(CLOCK_MONOTONIC) - start);
  }
  return best;
}

} // namespace

int main() {
  const perf::HandLoops *hand = perf::handLoops();
  if (!hand) {
    fprintf(stderr, "loops by hand need AVX2\n");
    return 1;
  }
  const std::vector<std::string> level = {hand->level};
  // The body of half, in f32: no casts.
  std::string kLayerNormFloat = std::regex_replace(kLayerNorm, std::regex("= arith.(ext|trunc)f (%\\w+) : [^\n]*"),
                                                   "= arith.addf $2, %zero : f32");
  kLayerNormFloat = std::regex_replace(kLayerNormFloat, std::regex("f16"), "f32");
  const std::vector<std::string> flat = {"block_num", "size0"};
  VectorHarness add(flatKernel("k", {"f32", "f32", "f32"},
                               "%z = arith.constant 0.0 : f32\n%a = arith.addf %0, %1 : f32\n%y = "
                               "arith.maximumf %a, %z : f32"),
                    {"x1", "x2", "y"}, flat, level);
  VectorHarness addHalf(flatKernel("k", {"f16", "f16", "f16"},
                                   "%z = arith.constant 0.0 : f16\n%a = arith.addf %0, %1 : "
                                   "f16\n%y = arith.maximumf %a, %z : f16"),
                        {"x1", "x2", "y"}, flat, level);
  VectorHarness swish(flatKernel("k", {"f32", "f32"}, "%o = arith.constant 1.0 : f32\n%y = te.swish %0, %o"),
                      {"x", "y"}, flat, level);
  VectorHarness rowBias(gridKernel("(0, n)", "1x?"), {"x", "b", "y"}, {"block_num", "size0", "size1"}, level);
  VectorHarness columnBias(gridKernel("(m, 0)", "?x1"), {"x", "b", "y"}, {"block_num", "size0", "size1"}, level);
  VectorHarness layerNorm(kLayerNormFloat, {"x", "gamma", "y"}, {"block_num", "size0", "size1"}, level);
  VectorHarness softmax(kSoftmax, {"x", "y"}, {"block_num", "size0", "size1"}, level);
  if (!add.ready() || !addHalf.ready() || !swish.ready() || !softmax.ready()) {
    fprintf(stderr, "%s%s%s%sthis machine or this build cannot run the kernels\n", add.errors().c_str(),
            addHalf.errors().c_str(), swish.errors().c_str(), softmax.errors().c_str());
    return 1;
  }
  int64_t cache = streamThresholdBytes();
  printf("streams from %ld KB\n| kernel | elements | GB/s | hand time / kernel time | "
         "\n|---|---|---|---|\n",
         long(cache >> 10));
  for (int64_t n : {int64_t(4) << 10, int64_t(64) << 10, int64_t(1) << 20, int64_t(16) << 20}) {
    Aligned<float> a(n), b(n), y(n);
    Aligned<uint16_t> p(n), q(n), r(n);
    Launch addLaunch(add, "k", {a.tensor(), b.tensor(), y.tensor()}, {1, n}, cache);
    Launch halfLaunch(addHalf, "k", {p.tensor(), q.tensor(), r.tensor()}, {1, n}, cache);
    Launch swishLaunch(swish, "k", {a.tensor(), y.tensor()}, {1, n}, cache);
    race(
        "AddRelu f32", n, 12.0 * double(n), [&] { addLaunch(); },
        [&] { hand->addRelu(a.data, b.data, y.data, n, 12 * n > cache); });
    race(
        "AddRelu f16", n, 6.0 * double(n), [&] { halfLaunch(); },
        [&] { hand->addReluHalf(p.data, q.data, r.data, n, 6 * n > cache); });
    race(
        "Swish f32", n, 8.0 * double(n), [&] { swishLaunch(); },
        [&] { hand->swish(a.data, y.data, n, 8 * n > cache); });
  }
  for (auto [m, n] : {std::pair<int64_t, int64_t>{int64_t(128) << 10, 8},
                      {10000, 10},
                      {1000, 100},
                      {100, 1000},
                      {10000, 100},
                      {1000, 1000},
                      {100000, 100}}) {
    Aligned<float> x(m * n), bias(std::max(m, n)), y(m * n);
    Launch rowLaunch(rowBias, "grid", {x.tensor(), {bias.data, n}, y.tensor()}, {1, m, n}, cache);
    Launch columnLaunch(columnBias, "grid", {x.tensor(), {bias.data, m}, y.tensor()}, {1, m, n}, cache);
    std::string size = " " + std::to_string(m) + " x " + std::to_string(n);
    bool stream = 8 * m * n > cache;
    race(("x + b[n]" + size).c_str(), m * n, 8.0 * double(m * n), [&] { rowLaunch(); },
         [&] { hand->addRow(x.data, bias.data, y.data, m, n, stream); });
    race(("x + b[m]" + size).c_str(), m * n, 8.0 * double(m * n), [&] { columnLaunch(); },
         [&] { hand->addColumn(x.data, bias.data, y.data, m, n, stream); });
  }
  const std::pair<int64_t, int64_t> shapes[] = {{1024, 128}, {1024, 1000}, {1024, 4096}, {32, 50257}};
  for (const auto &[rows, columns] : shapes) {
    int64_t m = rows, n = columns, size = m * n / 64 * 64;
    Aligned<float> x(m * n), y(m * n);
    Launch launch(softmax, "softmax", {x.tensor(), y.tensor()}, {1, m, n}, cache);
    std::string name = "Softmax f32 " + std::to_string(m) + " x " + std::to_string(n);
    race((name + ", three passes by hand").c_str(), m * n, 8.0 * double(m * n), [&] { launch(); },
         [&] { hand->softmax(x.data, y.data, m, n); });
    race((name + ", copy").c_str(), m * n, 8.0 * double(m * n), [&] { launch(); },
         [&] { hand->moveOne(x.data, y.data, size, false); });
    Aligned<float> gamma(n);
    Launch norm(layerNorm, "layer_norm", {x.tensor(), gamma.tensor(), y.tensor()}, {1, m, n, 0x3727c5ac}, cache);
    name = "LayerNorm f32 " + std::to_string(m) + " x " + std::to_string(n) + ", copy";
    race(
        name.c_str(), m * n, 8.0 * double(m * n), [&] { norm(); }, [&] { hand->moveOne(x.data, y.data, size, false); });
  }
  constexpr int64_t kElements = int64_t(1) << 18, kBlocks = 16;
  Aligned<float> x(kElements), y(kElements);
  const std::vector<std::string> blocked = {"block_num", "size0", "block_length"};
  VectorHarness gelu(flatKernel("k", {"f32", "f32"}, "%y = te.gelu erf %0"), {"x", "y"}, blocked, level);
  Launch launch(gelu, "k", {x.tensor(), y.tensor()}, {kBlocks, kElements, kElements / kBlocks}, int64_t(1) << 40);
  tbb::task_arena one(1), two(2);
  double single = shortest([&] { launch(one, kBlocks); });
  printf("two threads, Gelu f32 of %ld elements: %.2f of one\n", long(kElements),
         single / shortest([&] { launch(two, kBlocks); }));
  return 0;
}
