// What ./dev bench measures, seen from Python: a call that a library made ready, and the clocks around a number of
// its runs. Plain C, so that libraries which share nothing else can hand calls out.

#ifndef OPC_TEST_PERF_BENCHCALL_H
#define OPC_TEST_PERF_BENCHCALL_H

#define OPC_BENCH_API extern "C" __attribute__((visibility("default")))

/// One side of a race, with everything at hand: memory, shapes, threads. `run` returns 0, or what went wrong as a
/// number of its library.
struct opc_bench_call {
  int (*run)(opc_bench_call *);
  void (*free)(opc_bench_call *);
};

#endif // OPC_TEST_PERF_BENCHCALL_H
