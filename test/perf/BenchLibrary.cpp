// libopc_bench.so: what tools/dev/bench takes from C++. It makes calls ready (a launch through the runtime's C
// interface, a loop by hand, a ceiling), and reads the clocks around their runs, so that no interpreter stands
// between a clock and what it measures.
//
// A loop on several threads is cut into equal parts, one a thread, as a person would do it.

#include "runtime/api/opc_runtime.h"
#include "test/perf/BenchCall.h"
#include "test/perf/HandLoops.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace opc::perf;

namespace {

/// A call around any function.
struct Call : opc_bench_call {
  explicit Call(std::function<int()> body) : body(std::move(body)) {
    run = [](opc_bench_call *call) { return static_cast<Call *>(call)->body(); };
    free = [](opc_bench_call *call) { delete static_cast<Call *>(call); };
  }
  std::function<int()> body;
};

/// Up to three inputs and an output; `rows` of `columns` elements. Flat loops take their product.
struct Operands {
  const float *in[3];
  float *out;
  int64_t rows, columns;
  bool stream;
};

using Loop = std::function<void(const Operands &)>;

/// A loop, and whether threads share its elements (flat) or its rows.
struct NamedLoop {
  bool flat;
  Loop loop;
};

} // namespace

/// Keeps a loop alive whose result nobody asks for.
static std::atomic<float> sink;

static NamedLoop unary(Unary loop) {
  return {true, [=](const Operands &o) { loop(o.in[0], o.out, o.columns, o.stream); }};
}

static NamedLoop binary(Binary loop) {
  return {true, [=](const Operands &o) { loop(o.in[0], o.in[1], o.out, o.columns, o.stream); }};
}

static std::map<std::string, NamedLoop> loopsOf(const HandLoops &hand) {
  return {
      {"add_relu", binary(hand.addRelu)},
      {"add", binary(hand.add)},
      {"mul", binary(hand.mul)},
      {"relu", unary(hand.relu)},
      {"sqrt", unary(hand.squareRoot)},
      {"exp", unary(hand.exp)},
      {"sigmoid", unary(hand.sigmoid)},
      {"swish", unary(hand.swish)},
      {"softmax", {false, [&](const Operands &o) { hand.softmax(o.in[0], o.out, o.rows, o.columns); }}},
      {"layer_norm",
       {false, [&](const Operands &o) { hand.layerNorm(o.in[0], o.in[1], o.in[2], o.out, o.rows, o.columns); }}},
      {"rms_norm", {false, [&](const Operands &o) { hand.rmsNorm(o.in[0], o.in[1], o.out, o.rows, o.columns); }}},
      {"move1", unary(hand.moveOne)},
      {"move2", binary(hand.moveTwo)},
      {"read1",
       {true, [&](const Operands &o) { sink.store(hand.readOne(o.in[0], o.columns), std::memory_order_relaxed); }}},
      {"read halves",
       {true, [&](const Operands &o) { sink.store(hand.readHalves(o.in[0], o.columns), std::memory_order_relaxed); }}},
      {"fma", {true, [&](const Operands &o) { sink.store(hand.multiplyAdd(o.columns), std::memory_order_relaxed); }}},
      {"bytes",
       {true, [&](const Operands &o) { sink.store(hand.multiplyBytes(o.columns), std::memory_order_relaxed); }}},
  };
}

/// None where the machine has no level that they are written for.
static const std::map<std::string, NamedLoop> &loops() {
  static const std::map<std::string, NamedLoop> all =
      handLoops() ? loopsOf(*handLoops()) : std::map<std::string, NamedLoop>();
  return all;
}

/// The part of a loop's work that thread `index` of `count` does.
static Operands part(const Operands &whole, bool flat, int64_t index, int64_t count) {
  Operands one = whole;
  if (flat) {
    int64_t groups = whole.columns / 64, first = groups * index / count * 64;
    one.columns = (index + 1 == count ? whole.columns : groups * (index + 1) / count * 64) - first;
    for (const float *&in : one.in)
      in = in ? in + first : nullptr;
    one.out = whole.out ? whole.out + first : nullptr;
    return one;
  }
  int64_t first = whole.rows * index / count;
  one.rows = whole.rows * (index + 1) / count - first;
  one.in[0] += first * whole.columns;
  one.out += first * whole.columns;
  return one;
}

/// The level of CPU that loops by hand and ceilings are written for here; NULL: none of them runs.
OPC_BENCH_API const char *opc_bench_level() {
  return handLoops() ? handLoops()->level : nullptr;
}

/// The loop `name` by hand or a ceiling (move1, move2, read1, fma; "read halves"; bytes, products of them), of float32.
/// Memory is aligned to 64; ceilings that only read leave out what lies past the last 64 elements. NULL: there is no
/// such loop.
OPC_BENCH_API opc_bench_call *opc_bench_loop(const char *name, int threads, const float *const *in, float *out,
                                             int64_t rows, int64_t columns, int stream) {
  auto found = loops().find(name);
  if (found == loops().end())
    return nullptr;
  const NamedLoop &named = found->second;
  Operands whole{{in[0], in[1], in[2]}, out, rows, columns, stream != 0};
  if (named.flat) {
    whole.columns *= whole.rows;
    whole.rows = 1;
  }
  if (threads == 1)
    return new Call([&named, whole = part(whole, named.flat, 0, 1)] {
      named.loop(whole);
      return 0;
    });
  auto arena = std::make_shared<tbb::task_arena>(threads);
  return new Call([&named, whole, arena, threads] {
    arena->execute([&] {
      tbb::parallel_for(
          0, threads, [&](int i) { named.loop(part(whole, named.flat, i, threads)); }, tbb::static_partitioner());
    });
    return 0;
  });
}

using LaunchRun = opc_status (*)(const opc_launch *, opc_stream *, void *const *, size_t);

/// A prepared launch; `run` is opc_launch_run of the library that prepared it.
OPC_BENCH_API opc_bench_call *opc_bench_launch(LaunchRun run, const opc_launch *launch, void *const *data,
                                               size_t count) {
  std::vector<void *> tensors(data, data + count);
  return new Call([=] { return int(run(launch, nullptr, tensors.data(), tensors.size())); });
}

/// One call after the other; both stay the caller's.
OPC_BENCH_API opc_bench_call *opc_bench_both(opc_bench_call *first, opc_bench_call *second) {
  return new Call([=] {
    int status = first->run(first);
    return status ? status : second->run(second);
  });
}

static double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Runs a call `repeats` times, of any library. `clocks`: seconds of the wall, of this thread, of the process.
/// Returns the first status that is not 0.
OPC_BENCH_API int opc_bench_measure(opc_bench_call *call, int64_t repeats, double *clocks) {
  const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID};
  double before[3];
  for (int i = 2; i >= 0; --i)
    before[i] = seconds(ids[i]);
  int status = 0;
  for (int64_t i = 0; i < repeats && !status; ++i)
    status = call->run(call);
  for (int i = 0; i < 3; ++i)
    clocks[i] = seconds(ids[i]) - before[i];
  return status;
}

OPC_BENCH_API void opc_bench_free(opc_bench_call *call) {
  if (call)
    call->free(call);
}
