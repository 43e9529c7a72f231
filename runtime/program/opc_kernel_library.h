/* The ABI between a packaged CPU kernel library (`<op>.so`) and its caller. Plain C, self-contained, versioned.
 *
 * A library exports one symbol, `opc_kernel_library_query`. It needs no libc and has no undefined symbols. Entries
 * create no threads: the caller divides the blocks of a launch among its own threads, and results do not depend on
 * how it does so. */

#ifndef OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H
#define OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 2: step_limit, OPC_KERNEL_STEP_LIMIT; an entry ends at the first error. 3: a table for each level of CPU. 4: an input
 * that is packed before. 5: one of two of them. */
#define OPC_KERNEL_LIBRARY_VERSION 5u

/* Arguments of a launch. No output overlaps an input or another output, except that the single output of an elementwise
 * kernel may begin where inputs of as many elements of its size begin. */
typedef struct {
  void *const *tensors;     /* first elements: inputs, then outputs, in the contract's order; contiguous */
  const int64_t *sizes;     /* elements of each tensor; an entry accesses no others */
  const int64_t *tiling;    /* tiling data: one 64-bit slot per field; a float32 field has its bits in
                            the low half */
  int64_t step_limit;       /* most steps of a block: a lane of a copy or an intrinsic is one step, a trip
                         of a loop OPC_KERNEL_STEPS_A_TRIP */
  int64_t stream_threshold; /* bytes; when all tensors together are larger, outputs are written with
                               non-temporal stores. Does not change results */
  void *packed;             /* an input that OPC_KERNEL_PACKED_INPUT names, in the kernel's own form: its elements times
                               4 bytes and OPC_KERNEL_BEHIND_PACKED more, 64-byte aligned */
  int64_t packing;          /* OPC_KERNEL_UNPACKED, OPC_KERNEL_READ_PACKED or OPC_KERNEL_PACK */
} opc_kernel_arguments;

/* What a call does with `packed`. The form belongs to an entry, its level and a launch's tiling data: it is read by the
 * entry that made it, with the same sizes and tiling data. Results have the same bits with and without it. */
#define OPC_KERNEL_UNPACKED 0                           /* nothing; it may be NULL */
#define OPC_KERNEL_READ_PACKED(place) (2 * (place) + 1) /* reads it in place of the input */
#define OPC_KERNEL_PACK(place) (2 * (place) + 2)        /* fills it from the input, and runs no block */
#define OPC_KERNEL_BEHIND_PACKED 64

#define OPC_KERNEL_STEPS_A_TRIP 16

/* An entry returns 0 on success, else a sum of these flags. On an error the invalid access is skipped, no loop makes
 * another trip and no further block of the range starts. The contents of the outputs are then undefined. */
#define OPC_KERNEL_OUTSIDE_TENSOR 1 /* a copy would leave its tensor */
#define OPC_KERNEL_OUTSIDE_TILE 2   /* a copy or an intrinsic would leave its tile, or its tiles differ in length */
#define OPC_KERNEL_TILING_DATA 4    /* a field of the tiling data is outside the range that the kernel declares */
#define OPC_KERNEL_DIVISION 8       /* an index division by zero or with an overflow, or a loop step below 1 */
#define OPC_KERNEL_STEP_LIMIT 16    /* a block took more than step_limit steps */
#define OPC_KERNEL_NOT_PACKED 32    /* of OPC_KERNEL_PACK: this launch reads the input as it is */

/* Runs the blocks first_block <= b < last_block. Calls with disjoint ranges may run at the same time, unless the entry
 * has OPC_KERNEL_ENTRY_IN_ORDER. */
typedef int32_t (*opc_kernel_function)(const opc_kernel_arguments *arguments, int64_t first_block, int64_t last_block);

/* Several blocks add to the same elements of a tensor: run all ranges in order and one at a time. */
#define OPC_KERNEL_ENTRY_IN_ORDER 1u
/* Bits 8 to 15, and bits 16 to 23, are 1 + the number of an input that may be packed before, where it is constant; 0:
 * none. A launch has one of both packed at most. */
#define OPC_KERNEL_PACKED_PLACES 2
#define OPC_KERNEL_ENTRY_PACKS(place, input) ((uint64_t)((input) + 1) << (8 + 8 * (place)))
#define OPC_KERNEL_PACKED_INPUT(flags, place) ((int64_t)((flags) >> (8 + 8 * (place)) & 255) - 1)

typedef struct {
  const char *name; /* "add_relu_float16" */
  uint64_t tiling_key;
  uint64_t flags; /* a sum of OPC_KERNEL_ENTRY_* */
  opc_kernel_function function;
  const uint8_t *tiling_code; /* the tiling function, in the file format of runtime/program/Bytecode.h */
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
  const opc_kernel_level *levels; /* the last level that a machine supports is the best for it */
} opc_kernel_library;

/* Returns the library's table, which is valid while the library is loaded; NULL when the library requires a caller
 * that supports a version above max_version. */
typedef const opc_kernel_library *(*opc_kernel_library_query_function)(uint32_t max_version);
#define OPC_KERNEL_LIBRARY_QUERY "opc_kernel_library_query"

/* Libraries of several operators in one file, as a model has them: it exports `opc_kernel_bundle_query` as well. */
typedef struct {
  uint32_t version; /* OPC_KERNEL_LIBRARY_VERSION of the writer */
  uint32_t library_count;
  const opc_kernel_library_query_function *libraries; /* NULL: the operator has no kernels for this machine's kind */
} opc_kernel_bundle;

/* Returns the table of libraries, likewise. */
typedef const opc_kernel_bundle *(*opc_kernel_bundle_query_function)(uint32_t max_version);
#define OPC_KERNEL_BUNDLE_QUERY "opc_kernel_bundle_query"

#ifdef __cplusplus
}
#endif

#endif /* OPC_RUNTIME_PROGRAM_OPC_KERNEL_LIBRARY_H */
