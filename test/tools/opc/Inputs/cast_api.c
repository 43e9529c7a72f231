/* Casts float32 to int8, whose type nothing but the output tells; then what is refused. */
#include "api_test.h"

#include <math.h>

int main(int argc, char **argv) {
  float x[4] = {1.25f, -2, 300, NAN};
  int8_t y[4] = {9, 9, 9, 9};
  float same[4];
  int64_t shape[1] = {4};
  DLTensor tx = tensor_of(x, shape, 1, kDLFloat, 32), ty = tensor_of(y, shape, 1, kDLInt, 8);
  DLTensor tsame = tensor_of(same, shape, 1, kDLFloat, 32);
  const DLTensor *inputs[] = {&tx}, *outputs[] = {&ty}, *wrong[] = {&tsame};
  opc_runtime *runtime = NULL;
  opc_operator *op = NULL;
  opc_launch *launch = NULL;
  opc_form form = {0};
  void *data[] = {x, y};
  if (argc != 2 || opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime) ||
      opc_operator_open(runtime, argv[1], &op))
    return failed();

  if (opc_launch_once(op, NULL, inputs, 1, outputs, 1, NULL, 0))
    return failed();
  printf("int8: %d %d %d %d\n", y[0], y[1], y[2], y[3]);

  y[0] = y[1] = y[2] = y[3] = 9;
  if (opc_operator_infer_typed(op, inputs, 1, &ty.dtype, NULL, 0, &form, 1) ||
      opc_launch_prepare_typed(op, inputs, 1, &ty.dtype, 1, NULL, 0, &launch) || opc_launch_run(launch, NULL, data, 2))
    return failed();
  printf("inferred: code %d of %d bits, prepared: %d %d %d %d\n", form.dtype.code, form.dtype.bits, y[0], y[1], y[2],
         y[3]);
  opc_launch_destroy(launch);

  /* Nothing says the type; no row has this one; a count that is not the operator's. */
  if (!opc_operator_infer(op, inputs, 1, NULL, 0, &form, 1))
    printf("taken\n");
  failed();
  if (!opc_launch_once(op, NULL, inputs, 1, wrong, 1, NULL, 0))
    printf("taken\n");
  failed();
  if (!opc_launch_prepare_typed(op, inputs, 1, &ty.dtype, 2, NULL, 0, &launch))
    printf("taken\n");
  failed();
  opc_operator_close(op);
  opc_runtime_destroy(runtime);
  return 0;
}
