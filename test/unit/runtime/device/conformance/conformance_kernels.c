/* The kernel library of the conformance suite, in C: built by whatever compiler builds the tests, so that devices are
 * tested where `opc compile` is not. The bytes of the tiling functions are held to the manifest's by the suite.
 *
 *   add_relu_float32   y = max(x1 + x2, 0), blocks of block_length elements
 *   trail_float32      each block writes down how many ran before it: blocks must run in order */

#include "runtime/program/opc_kernel_library.h"

/* Tiling data: block_num, tile_length, block_length, total. */
enum { BLOCK_LENGTH = 2, TOTAL = 3 };

static int32_t add_relu(const opc_kernel_arguments *arguments, int64_t first, int64_t last) {
  const float *x1 = arguments->tensors[0], *x2 = arguments->tensors[1];
  float *y = arguments->tensors[2];
  const int64_t length = arguments->tiling[BLOCK_LENGTH], total = arguments->tiling[TOTAL];
  int32_t status = 0;
  for (int64_t block = first; block < last; ++block)
    for (int64_t i = block * length; i < (block + 1) * length && i < total; ++i) {
      if (i >= arguments->sizes[0] || i >= arguments->sizes[1] || i >= arguments->sizes[2]) {
        status |= OPC_KERNEL_OUTSIDE_TENSOR;
        continue;
      }
      float sum = x1[i] + x2[i];
      y[i] = sum < 0 ? 0 : sum;
    }
  return status;
}

/* y[0] counts the blocks that ran; y[1 + block] is that count. */
static int32_t trail(const opc_kernel_arguments *arguments, int64_t first, int64_t last) {
  float *y = arguments->tensors[2];
  for (int64_t block = first; block < last; ++block) {
    if (1 + block >= arguments->sizes[2])
      return OPC_KERNEL_OUTSIDE_TENSOR;
    y[1 + block] = y[0];
    y[0] += 1;
  }
  return 0;
}

#include "conformance_tiling.inc"

static const opc_kernel_entry entries[] = {
    {"add_relu_float32", 0, 0, add_relu, tiling, sizeof tiling},
    {"trail_float32", 1, OPC_KERNEL_ENTRY_IN_ORDER, trail, tiling, sizeof tiling},
};

#if defined(__aarch64__)
#define LEVEL "aarch64"
#else
#define LEVEL "x86-64-v3"
#endif

static const opc_kernel_level levels[] = {{LEVEL, 2, entries}};
static const opc_kernel_library library = {OPC_KERNEL_LIBRARY_VERSION, 1, "AddRelu", levels};

__attribute__((visibility("default"))) const opc_kernel_library *opc_kernel_library_query(uint32_t max_version) {
  return max_version >= OPC_KERNEL_LIBRARY_VERSION ? &library : 0;
}
