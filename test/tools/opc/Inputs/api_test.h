/* What programs that test the C interface share. */
#ifndef OPC_TEST_TOOLS_OPC_INPUTS_API_TEST_H
#define OPC_TEST_TOOLS_OPC_INPUTS_API_TEST_H

#include "runtime/api/opc_runtime.h"

#include <stdio.h>

/* A dense tensor in memory of the host. `code` is a type code of DLPack, `bits` the size of an element. */
static inline DLTensor tensor_of(void *data, int64_t *shape, int32_t rank, uint8_t code, uint8_t bits) {
  DLTensor t = {0};
  t.data = data;
  t.device.device_type = kDLCPU;
  t.ndim = rank;
  t.dtype.code = code;
  t.dtype.bits = bits;
  t.dtype.lanes = 1;
  t.shape = shape;
  return t;
}

/* Prints the last error. Returns 1, for main. */
static inline int failed(void) {
  const opc_error *error = opc_last_error();
  printf("%s %s: %s\n", error->code, error->rule, error->reason);
  return 1;
}

#endif
