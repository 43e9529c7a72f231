/* Sum of two and of three tensors, by the length of `inputs`; then what is refused. */
#include "api_test.h"

enum { SIZE = 5, MOST = 17 };

int main(int argc, char **argv) {
  float x[SIZE] = {1, 2, 3, 4, 5}, two[SIZE], three[SIZE], again[SIZE];
  int64_t size[1] = {SIZE};
  DLTensor t = tensor_of(x, size, 1, kDLFloat, 32), y = t, z = t;
  const DLTensor *inputs[MOST], *outputs[1];
  void *data[] = {x, x, x, again};
  opc_runtime *runtime = NULL;
  opc_operator *op = NULL;
  opc_launch *launch = NULL;
  int i;
  y.data = two;
  z.data = three;
  for (i = 0; i < MOST; ++i)
    inputs[i] = &t;
  if (argc != 2 || opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime) ||
      opc_operator_open(runtime, argv[1], &op))
    return failed();
  /* In turns: what one launch keeps is not the other's. */
  for (i = 0; i < 2; ++i) {
    outputs[0] = &y;
    if (opc_launch_once(op, NULL, inputs, 2, outputs, 1, NULL, 0))
      return failed();
    outputs[0] = &z;
    if (opc_launch_once(op, NULL, inputs, 3, outputs, 1, NULL, 0))
      return failed();
  }
  if (opc_launch_prepare(op, inputs, 3, NULL, 0, &launch) || opc_launch_run(launch, NULL, data, 4))
    return failed();
  printf("%g %g %g\n", two[4], three[4], again[4]);
  opc_launch_destroy(launch);
  /* Nothing, a hole, more than the range admits. */
  if (!opc_launch_once(op, NULL, inputs, 0, outputs, 1, NULL, 0))
    printf("taken\n");
  failed();
  inputs[1] = NULL;
  if (!opc_launch_once(op, NULL, inputs, 3, outputs, 1, NULL, 0))
    printf("taken\n");
  failed();
  if (!opc_launch_once(op, NULL, inputs, MOST, outputs, 1, NULL, 0))
    printf("taken\n");
  failed();
  inputs[0] = NULL;
  if (!opc_launch_once(op, NULL, inputs, 2, outputs, 1, NULL, 0))
    printf("taken\n");
  failed();
  opc_operator_close(op);
  opc_runtime_destroy(runtime);
  return 0;
}
