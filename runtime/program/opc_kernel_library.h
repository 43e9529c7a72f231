/* The ABI between a packaged CPU kernel library (`<op>.so`) and whoever runs it. Plain C,
 * stand-alone, versioned.
 *
 * A library exports one symbol, `opc_kernel_library_query`. It needs no libc and has no undefined
 * symbols. Entries use no threads: the caller hands out ranges of blocks, and results do not depend
 * on how it does. */

#ifndef OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H
#define OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 2: step_limit, OPC_KERNEL_STEP_LIMIT; an entry ends when it has something to report. */
#define OPC_KERNEL_LIBRARY_VERSION 3u

/* Arguments of a launch. No output overlaps an input or another output. */
typedef struct {
  void *const *tensors;     /* first elements: inputs, then outputs, in the contract's order; contiguous */
  const int64_t *sizes;     /* elements of each tensor: no access leaves them */
  const int64_t *tiling;    /* tiling data: one 64-bit slot a field; a float32 field has its bits in
                            the low half */
  int64_t step_limit;       /* steps that one block may take: a lane of a copy or an intrinsic is one, a
                         trip of a loop OPC_KERNEL_STEPS_A_TRIP */
  int64_t stream_threshold; /* tensors that together have more bytes than this are written past the
                               caches. Changes no result */
} opc_kernel_arguments;

#define OPC_KERNEL_STEPS_A_TRIP 16

/* What an entry returns: 0, or a sum of these. An access that breaks a rule is left out; then no
 * loop makes another trip and no other block of the range starts. The outputs are undefined. */
#define OPC_KERNEL_OUTSIDE_TENSOR 1 /* a copy would leave its tensor */
#define OPC_KERNEL_OUTSIDE_TILE 2   /* a copy or an intrinsic would leave its tile, or its tiles differ in length */
#define OPC_KERNEL_TILING_DATA 4    /* a field of the tiling data is outside of the range that the kernel states */
#define OPC_KERNEL_DIVISION                                                                                            \
  8 /* an index division by zero, one whose quotient overflows, a loop that does not advance */
#define OPC_KERNEL_STEP_LIMIT 16 /* a block took more steps than the arguments allow */

/* Runs blocks first_block <= b < last_block of block_num. */
typedef int32_t (*opc_kernel_function)(const opc_kernel_arguments *arguments, int64_t first_block, int64_t last_block);

/* Blocks add to the same elements of a tensor: run them in order, one range after the other. */
#define OPC_KERNEL_ENTRY_IN_ORDER 1u

typedef struct {
  const char *name; /* "add_relu_float16" */
  uint64_t tiling_key;
  uint64_t flags; /* a sum of OPC_KERNEL_ENTRY_* */
  opc_kernel_function function;
  const uint8_t *tiling_code; /* the tiling function in the form of runtime/program/Bytecode.h */
  uint64_t tiling_size;       /* bytes */
} opc_kernel_entry;

/* The same kernels, compiled for one level of CPU. */
typedef struct {
  const char *cpu_level; /* "x86-64-v3" */
  uint64_t entry_count;
  const opc_kernel_entry *entries;
} opc_kernel_level;

typedef struct {
  uint32_t version; /* OPC_KERNEL_LIBRARY_VERSION of the writer */
  uint32_t level_count;
  const char *op_type;            /* "AddRelu" */
  const opc_kernel_level *levels; /* the last that a machine has is the best for it */
} opc_kernel_library;

/* The library's table, or NULL when it cannot serve a caller that knows no version above
 * max_version. */
typedef const opc_kernel_library *(*opc_kernel_library_query_function)(uint32_t max_version);
#define OPC_KERNEL_LIBRARY_QUERY "opc_kernel_library_query"

#ifdef __cplusplus
}
#endif

#endif /* OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H */
