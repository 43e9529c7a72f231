/* LayerNorm with and without its beta, by a null in `inputs`; then what is refused. */
#include "api_test.h"

#include <string.h>

enum { ROWS = 2, COLUMNS = 4 };

int main(int argc, char **argv) {
  float x[ROWS * COLUMNS] = {1, 2, 3, 4, -1, 0, 5, 2}, gamma[COLUMNS] = {1, 2, 3, 4}, beta[COLUMNS] = {10, 10, 10, 10};
  float with[ROWS * COLUMNS], without[ROWS * COLUMNS], again[ROWS * COLUMNS];
  int64_t rows[2] = {ROWS, COLUMNS};
  DLTensor tx = tensor_of(x, rows, 2, kDLFloat, 32), tg = tensor_of(gamma, rows + 1, 1, kDLFloat, 32),
           tb = tensor_of(beta, rows + 1, 1, kDLFloat, 32);
  DLTensor ty = tensor_of(with, rows, 2, kDLFloat, 32), tz = tensor_of(without, rows, 2, kDLFloat, 32),
           ta = tensor_of(again, rows, 2, kDLFloat, 32);
  const DLTensor *all[] = {&tx, &tg, &tb}, *some[] = {&tx, &tg, NULL};
  const DLTensor *y[] = {&ty}, *z[] = {&tz}, *a[] = {&ta};
  void *data[] = {x, gamma, NULL, again};
  opc_attribute asked = {0};
  opc_runtime *runtime = NULL;
  opc_operator *op = NULL;
  opc_launch *launch = NULL;
  opc_stream *stream = NULL;
  float apart = 0;
  int i;
  asked.name = "has_beta";
  asked.kind = OPC_ATTRIBUTE_BOOL;
  asked.value.bool_value = 1;
  if (argc != 2 || opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime) ||
      opc_operator_open(runtime, argv[1], &op))
    return failed();
  /* In turns: what one launch keeps is not the other's. */
  for (i = 0; i < 2; ++i)
    if (opc_launch_once(op, NULL, all, 3, y, 1, NULL, 0) || opc_launch_once(op, NULL, some, 3, z, 1, NULL, 0))
      return failed();
  for (i = 0; i < ROWS * COLUMNS; ++i) {
    float difference = with[i] - without[i] - 10;
    apart = difference > apart ? difference : -difference > apart ? -difference : apart;
  }
  printf("beta is %s\n", apart < 1e-4f ? "added" : "lost");
  if (opc_launch_prepare(op, some, 3, NULL, 0, &launch) || opc_launch_run(launch, NULL, data, 4))
    return failed();
  printf("prepared: %s\n", memcmp(again, without, sizeof again) ? "other" : "same");
  memset(again, 0, sizeof again);
  if (opc_stream_create(runtime, &stream) || opc_launch_once(op, stream, some, 3, a, 1, NULL, 0) ||
      opc_stream_synchronize(stream))
    return failed();
  printf("on a stream: %s\n", memcmp(again, without, sizeof again) ? "other" : "same");
  opc_stream_destroy(stream);
  if (!opc_launch_run(launch, NULL, data, 3))
    printf("taken\n");
  failed();
  opc_launch_destroy(launch);
  if (!opc_launch_once(op, NULL, some, 3, z, 1, &asked, 1))
    printf("taken\n");
  failed();
  opc_operator_close(op);
  opc_runtime_destroy(runtime);
  return 0;
}
