/* A workspace counts in the limit of the runtime's pool; the monitor gives it back after a launch that needed much. */
#define _POSIX_C_SOURCE 200809L
#include "api_test.h"

#include <stdlib.h>
#include <time.h>

enum { kRows = 20 << 20, kMonitored = 5 };

static const size_t kWorkspace = sizeof(float) * kRows;

static void wait_milliseconds(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* A runtime and the operator in it; a status. */
static opc_status begin(const char *folder, size_t limit, opc_runtime **runtime, opc_operator **op) {
  opc_runtime_options options = {.size = sizeof options, .memory_limit = limit, .monitor_ms = kMonitored};
  opc_status status = opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, runtime);
  return status ? status : opc_operator_open(*runtime, folder, op);
}

static opc_status run(opc_operator *op, float *x, float *y, int64_t rows) {
  int64_t shape[2] = {rows, 1};
  DLTensor tx = tensor_of(x, shape, 2, kDLFloat, 32), ty = tensor_of(y, shape, 2, kDLFloat, 32);
  const DLTensor *inputs[] = {&tx}, *outputs[] = {&ty};
  return opc_launch_once(op, NULL, inputs, 1, outputs, 1, NULL, 0);
}

int main(int argc, char **argv) {
  opc_runtime *runtime = NULL;
  opc_operator *op = NULL;
  opc_memory_statistics numbers = {0};
  float *x = calloc(kRows, sizeof(float)), *y = calloc(kRows, sizeof(float));
  if (!x || !y || argc != 2 || begin(argv[1], 1 << 20, &runtime, &op))
    return failed();
  /* 'failed' prints the error of the launch. */
  if (!run(op, x, y, kRows))
    printf("taken\n");
  failed();
  if (run(op, x, y, 5))
    return failed();
  printf("within the limit\n");
  opc_operator_close(op);
  opc_runtime_destroy(runtime);

  if (begin(argv[1], 0, &runtime, &op) || run(op, x, y, 5))
    return failed();
  wait_milliseconds(10 * kMonitored); /* the monitor's first sample */
  if (run(op, x, y, kRows) || opc_memory_read_statistics(runtime, &numbers))
    return failed();
  printf("of the pool: %s\n", numbers.peak >= kWorkspace ? "yes" : "no");
  for (int turn = 0; turn < 1000 && numbers.cached >= kWorkspace; ++turn) {
    wait_milliseconds(10);
    if (opc_memory_read_statistics(runtime, &numbers))
      return failed();
  }
  printf("given back: %s\n", numbers.cached < kWorkspace ? "yes" : "no");
  opc_operator_close(op);
  opc_runtime_destroy(runtime);
  free(x);
  free(y);
  return 0;
}
