/* weight_api LINEAR MATMUL FILE DAMAGED OTHER_FORM: a packed weight, and constants that are given before, through the C interface. */
#include "api_test.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 17, K = 20, N = 37 };

static uint16_t half_a[ROWS * K], half_bias[N], half_y[ROWS * N];
static float a[ROWS * K], b[N * K], bias[N], plain[ROWS * N], kept[ROWS * N];

/* The bits of a whole number in float16, of at most 11 bits. */
static uint16_t half(int number) {
  const uint16_t sign = number < 0 ? 0x8000 : 0;
  unsigned mantissa = (unsigned)abs(number), exponent = 25;
  if (number == 0)
    return 0;
  for (; mantissa < 1024; mantissa *= 2)
    --exponent;
  return (uint16_t)(sign | exponent << 10 | (mantissa & 1023));
}

/* As in the file. */
static int weight_of(int n, int k) {
  return (n * 3 + k * 7) % 11 - 5;
}

static void told(const char *what, opc_status status) {
  const opc_error *error = opc_last_error();
  if (status == OPC_OK)
    printf("%s: no error\n", what);
  else
    printf("%s: %d %s %s %s | %s\n", what, (int)status, error->code, error->rule, error->reason, error->fix);
}

static int64_t shape_a[2] = {ROWS, K}, shape_b[2] = {N, K}, shape_y[2] = {ROWS, N};

static void compare(const char *what) {
  int wrong = 0;
  for (int m = 0; m < ROWS; ++m)
    for (int n = 0; n < N; ++n) {
      int sum = n - 3;
      for (int k = 0; k < K; ++k)
        sum += (m % 3 - 1) * weight_of(n, k);
      wrong += half_y[m * N + n] != half(sum);
    }
  printf("%s: %d wrong\n", what, wrong);
  memset(half_y, 0xee, sizeof half_y);
}

static int weights(char **argv) {
  opc_runtime_options options = {0};
  opc_runtime *simulator = NULL, *cpu = NULL;
  opc_operator *linear = NULL, *linear_of_cpu = NULL, *mat_mul = NULL;
  opc_weight *weight = NULL, *filters = NULL, *none = NULL;
  opc_launch *launch = NULL;
  opc_stream *stream = NULL;
  options.size = sizeof options;
  options.device = "sim";
  if (opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &simulator) ||
      opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &cpu) || opc_operator_open(simulator, argv[1], &linear) ||
      opc_operator_open(cpu, argv[1], &linear_of_cpu) || opc_operator_open(simulator, argv[2], &mat_mul) ||
      opc_weight_open(linear, "b", argv[3], &weight) || opc_weight_open(linear, "b", argv[5], &filters))
    return failed();
  const DLTensor *packed = opc_weight_tensor(weight);
  printf("weight: [%d, %d] of %d bits\n", (int)packed->shape[0], (int)packed->shape[1], (int)packed->dtype.bits);
  DLTensor ta = tensor_of(half_a, shape_a, 2, kDLFloat, 16), tbias = tensor_of(half_bias, shape_b, 1, kDLFloat, 16);
  DLTensor ty = tensor_of(half_y, shape_y, 2, kDLFloat, 16), tb = tensor_of(b, shape_b, 2, kDLFloat, 16), lie = *packed;
  const DLTensor *inputs[] = {&ta, packed, &tbias}, *plain_inputs[] = {&ta, &tb, &tbias};
  const DLTensor *wrong_input[] = {packed, packed, &tbias}, *lying[] = {&ta, &lie, &tbias}, *outputs[] = {&ty};
  const DLTensor *two[] = {&ta, packed};
  /* In turns with a matrix row by row: the launch of one is not found for the other. */
  for (int turn = 0; turn < 2; ++turn) {
    if (opc_launch_once(linear, NULL, inputs, 3, outputs, 1, NULL, 0))
      return failed();
    compare("once");
    for (int i = 0; i < N * K; ++i)
      ((uint16_t *)b)[i] = half(weight_of(i / K, i % K));
    if (opc_launch_once(linear, NULL, plain_inputs, 3, outputs, 1, NULL, 0))
      return failed();
    compare("row by row");
  }
  void *data[] = {half_a, packed->data, half_bias, half_y};
  if (opc_launch_prepare(linear, inputs, 3, NULL, 0, &launch) || opc_stream_create(simulator, &stream) ||
      opc_launch_run(launch, stream, data, 4) || opc_stream_synchronize(stream))
    return failed();
  compare("prepared");

  told("misspelt", opc_weight_open(linear, "biass", argv[3], &none));
  told("other input", opc_weight_open(linear, "bias", argv[3], &none));
  told("other operator", opc_weight_open(mat_mul, "b", argv[3], &none));
  told("damaged", opc_weight_open(linear, "b", argv[4], &none));
  told("missing", opc_weight_open(linear, "b", "no.opcw", &none));
  told("no weight", opc_weight_open(linear, "b", argv[1], &none));
  told("null", opc_weight_open(linear, "b", NULL, &none));
  printf("none: %d\n", none == NULL && opc_weight_tensor(NULL) == NULL);
  told("given to another input", opc_launch_once(linear, NULL, wrong_input, 3, outputs, 1, NULL, 0));
  told("given to another operator", opc_launch_once(mat_mul, NULL, two, 2, outputs, 1, NULL, 0));
  lie.dtype.lanes = 999;
  told("a type that no weight has", opc_launch_once(linear, NULL, lying, 3, outputs, 1, NULL, 0));
  lie = *packed;
  lie.dtype.bits = 32;
  told("a type of other elements", opc_launch_once(linear, NULL, lying, 3, outputs, 1, NULL, 0));
  lie = *opc_weight_tensor(filters);
  told("a weight of another form", opc_launch_once(linear, NULL, lying, 3, outputs, 1, NULL, 0));
  lie = *packed;
  lie.ndim = 1;
  told("a weight that is no matrix", opc_launch_once(linear, NULL, lying, 3, outputs, 1, NULL, 0));
  outputs[0] = packed;
  told("as an output", opc_launch_once(linear, NULL, inputs, 3, outputs, 1, NULL, 0));
  outputs[0] = &ty;
  told("on the CPU", opc_launch_once(linear_of_cpu, NULL, inputs, 3, outputs, 1, NULL, 0));
  opc_stream_destroy(stream);
  opc_launch_destroy(launch);
  opc_weight_close(weight);
  opc_weight_close(filters);
  opc_weight_close(NULL);
  opc_operator_close(mat_mul);
  opc_operator_close(linear);
  opc_operator_close(linear_of_cpu);
  opc_runtime_destroy(simulator);
  opc_runtime_destroy(cpu);
  return 0;
}

static int constants(char **argv) {
  opc_runtime *runtime = NULL;
  opc_operator *linear = NULL, *mat_mul = NULL;
  opc_launch *launch = NULL, *again = NULL, *product = NULL;
  DLTensor ta = tensor_of(a, shape_a, 2, kDLFloat, 32), tb = tensor_of(b, shape_b, 2, kDLFloat, 32),
           tbias = tensor_of(bias, shape_b, 1, kDLFloat, 32);
  const DLTensor *inputs[] = {&ta, &tb, &tbias};
  int64_t turned[2] = {K, N};
  DLTensor tt = tensor_of(b, turned, 2, kDLFloat, 32);
  const DLTensor *two[] = {&ta, &tt};
  for (int i = 0; i < ROWS * K; ++i)
    a[i] = (float)(i % 13) / 7;
  for (int i = 0; i < N * K; ++i)
    b[i] = (float)(i % 17 - 8) / 3;
  if (opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime) || opc_operator_open(runtime, argv[1], &linear) ||
      opc_operator_open(runtime, argv[2], &mat_mul) || opc_launch_prepare(linear, inputs, 3, NULL, 0, &launch) ||
      opc_launch_prepare(linear, inputs, 3, NULL, 0, &again) || opc_launch_prepare(mat_mul, two, 2, NULL, 0, &product))
    return failed();
  for (size_t i = 0; i < 5; ++i)
    printf("%d%s", opc_operator_input_is_constant(linear, i), i == 4 ? " of Linear, " : "");
  for (size_t i = 0; i < 2; ++i)
    printf("%d%s", opc_operator_input_is_constant(mat_mul, i), i == 1 ? " of MatMul, " : "");
  printf("%d of none\n", opc_operator_input_is_constant(NULL, 0));
  void *data[] = {a, b, bias, plain}, *of_constants[] = {NULL, b, NULL, NULL}, *to[] = {a, b, bias, kept};
  void *elsewhere[] = {a, b + 1, bias, kept}, *three[] = {a, b, plain};
  if (opc_launch_run(launch, NULL, data, 4) || opc_launch_keep_constants(again, of_constants, 4) ||
      opc_launch_run(again, NULL, to, 4))
    return failed();
  printf("constants: %s\n", memcmp(plain, kept, sizeof kept) ? "other bits" : "the same bits");
  /* A caller may not do this. Here it shows that the launch reads what it has kept. */
  memset(b, 0, sizeof b);
  memset(kept, 0, sizeof kept);
  if (opc_launch_run(again, NULL, to, 4))
    return failed();
  printf("kept: %s\n", memcmp(plain, kept, sizeof kept) ? "no" : "yes");
  told("twice", opc_launch_keep_constants(again, of_constants, 4));
  told("elsewhere", opc_launch_run(again, NULL, elsewhere, 4));
  told("count", opc_launch_keep_constants(launch, of_constants, 3));
  told("an output", opc_launch_keep_constants(product, three, 3));
  memset(three, 0, sizeof three);
  told("no constants", opc_launch_keep_constants(product, three, 3));
  told("null", opc_launch_keep_constants(NULL, of_constants, 4));
  opc_launch_destroy(launch);
  opc_launch_destroy(again);
  opc_launch_destroy(product);
  opc_operator_close(linear);
  opc_operator_close(mat_mul);
  opc_runtime_destroy(runtime);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  for (int i = 0; i < ROWS * K; ++i)
    half_a[i] = half(i / K % 3 - 1);
  for (int n = 0; n < N; ++n)
    half_bias[n] = half(n - 3);
  return weights(argv) || constants(argv);
}
