/* opc_runtime.h: runs operators that `opc` compiled. Plain C, stand-alone, versioned; the library
 * is libopc_runtime.so and needs no compiler.
 *
 *   opc_runtime *runtime;
 *   opc_operator *op;
 *   opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime);
 *   opc_operator_open(runtime, "add_relu.op", &op);
 *   opc_launch_once(op, NULL, inputs, 2, outputs, 1, NULL, 0);
 *
 * Tensors are DLPack's DLTensor: on the CPU, one lane, contiguous, of any rank up to OPC_MAX_RANK.
 * Nothing is thrown across this interface. A call that fails returns a status other than OPC_OK and
 * leaves the reason in opc_last_error() of its thread; what it would have written is unchanged
 * unless it says otherwise. All calls are safe from any number of threads, except that nothing may
 * be used while or after it is destroyed. */

#ifndef OPC_RUNTIME_API_OPC_RUNTIME_H
#define OPC_RUNTIME_API_OPC_RUNTIME_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define OPC_API __attribute__((visibility("default")))
#else
#define OPC_API
#endif

/* Raised when a call changes its meaning or goes; a new call at the end does not raise it. */
#define OPC_RUNTIME_API_VERSION 1u
#define OPC_MAX_RANK 32

typedef struct opc_runtime opc_runtime;   /* a device, its memory, its caches */
typedef struct opc_operator opc_operator; /* an op folder, or contract, opened on that device */
typedef struct opc_launch opc_launch;     /* an operator bound to shapes, types, attributes */
typedef struct opc_stream opc_stream;     /* launches in order, beside the caller */

/* The numbers are the exit codes of the command `opc`. */
typedef enum opc_status {
  OPC_OK = 0,
  OPC_FAILED_CHECK = 1, /* the kernel did what it must not */
  OPC_USAGE = 2,        /* the call, its tensors or attributes break a rule */
  OPC_CONTRACT = 3,     /* the contract of an operator is wrong */
  OPC_COMPILE = 4,      /* an operator cannot be compiled */
  OPC_RESOURCES = 5,    /* memory, or a size past a limit */
  OPC_ENVIRONMENT = 6,  /* files, folders, the machine */
  OPC_INTERNAL = 70     /* a mistake of this library */
} opc_status;

/* What went wrong. Texts live until the next failing call of the thread; none is NULL. */
typedef struct opc_error {
  opc_status status;
  const char *code;   /* "OPC-E0522"; `opc explain` tells more */
  const char *rule;   /* "launch_c5", or "" */
  const char *op;     /* "AddRelu", or "" */
  const char *shapes; /* of the inputs, "x1 float16[2, 3], x2 float16[2, 3]", or "" */
  const char *reason; /* the rule, then what was found */
  const char *fix;    /* what would mend it: for a missing type row the nearest row and the lines
                         that the contract lacks; or "" */
} opc_error;

/* The error of this thread's last failing call; status OPC_OK when none has failed. Never NULL. */
OPC_API const opc_error *opc_last_error(void);

/* "0.1.0" */
OPC_API const char *opc_runtime_version(void);
/* OPC_RUNTIME_API_VERSION of the library. */
OPC_API uint32_t opc_runtime_api_version(void);

/* ---- runtime ---- */

typedef struct opc_runtime_options {
  size_t size;             /* sizeof(opc_runtime_options): members behind it take their defaults */
  const char *device;      /* "cpu", "sim", "null"; NULL: "cpu" */
  int32_t threads;         /* for blocks of a launch on "cpu"; 0: all cores. Results are the same */
  int32_t poison;          /* 1: released memory is filled and checked, for debugging */
  size_t memory_limit;     /* bytes that the device's pool may hold; 0: no limit */
  const char *cache_path;  /* folder of the kernel cache; NULL: ASCEND_CACHE_PATH, else the
                              configuration, else ~/.cache/opc */
  const char *soc_version; /* chip that contracts are compiled for; NULL: "Ascend310B" */
  int32_t monitor_ms;      /* between two looks at the pool and at the system's memory: where the
                              pool grew by half and 64 MiB, or the system has less than a tenth left,
                              what nobody holds goes back; 0: 60000, below 0: never */
} opc_runtime_options;

/* `api_version` is OPC_RUNTIME_API_VERSION of the header. `options` may be NULL. Also read: the
 * settings of the caches (docs/rationale/cache.md), from variables such as ACLNN_CACHE_LIMIT and
 * ACL_LOG_LEVEL and from the configuration file; a value that cannot be read is an error. */
OPC_API opc_status opc_runtime_create(uint32_t api_version, const opc_runtime_options *options, opc_runtime **runtime);
/* Waits for nothing: streams, launches and operators are destroyed before. NULL is taken. */
OPC_API void opc_runtime_destroy(opc_runtime *runtime);

/* ---- operators ---- */

/* Opens a folder that `opc compile` wrote; every file is checked against its checksum.
 *
 * Or a contract, as the file op_contract.yaml or the folder it lies in without a manifest.json: its
 * kernels come from the kernel cache, or are compiled, when a launch needs another row of the type
 * table or other values of the attributes that are bound when compiling. Other shapes compile
 * nothing. That takes the compiler's library beside this one; OPC_ENVIRONMENT with OPC-E0621 where
 * there is none. A contract is what it was when it was opened, as long as its kernels are in
 * memory.
 */
OPC_API opc_status opc_operator_open(opc_runtime *runtime, const char *folder, opc_operator **op);
/* NULL is taken. */
OPC_API void opc_operator_close(opc_operator *op);
/* "AddRelu"; lives as long as the operator. */
OPC_API const char *opc_operator_type(const opc_operator *op);
OPC_API size_t opc_operator_num_inputs(const opc_operator *op);
OPC_API size_t opc_operator_num_outputs(const opc_operator *op);
/* "x1"; NULL past the last. */
OPC_API const char *opc_operator_input_name(const opc_operator *op, size_t index);
OPC_API const char *opc_operator_output_name(const opc_operator *op, size_t index);

/* Compiles that launches of this operator caused; 0 for an op folder. */
OPC_API size_t opc_operator_num_compiles(const opc_operator *op);
/* Why: "first use", "changed: types, attributes" (fields of the key that differ from the nearest
 * entry), "damaged entry: ..."; NULL past the last. */
OPC_API const char *opc_operator_compile_reason(const opc_operator *op, size_t index);

typedef enum opc_attribute_kind {
  OPC_ATTRIBUTE_FLOAT = 0,
  OPC_ATTRIBUTE_INT = 1,
  OPC_ATTRIBUTE_BOOL = 2,
  OPC_ATTRIBUTE_STRING = 3
} opc_attribute_kind;

typedef struct opc_attribute {
  const char *name;
  opc_attribute_kind kind;
  union {
    double float_value;
    int64_t int_value;
    int32_t bool_value; /* 0 or 1 */
    const char *string_value;
  } value;
} opc_attribute;

typedef struct opc_form {
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[OPC_MAX_RANK];
} opc_form;

/* Types and shapes of the outputs for inputs of these types and shapes; their memory is not looked
 * at, and may be NULL. An optional input that is not given is a NULL in `inputs`. */
OPC_API opc_status opc_operator_infer(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                      const opc_attribute *attributes, size_t num_attributes, opc_form *outputs,
                                      size_t num_outputs);

/* The same for an operator whose inputs do not say the types of its outputs (Cast): `output_types`
 * has the type of each. */
OPC_API opc_status opc_operator_infer_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                            const DLDataType *output_types, const opc_attribute *attributes,
                                            size_t num_attributes, opc_form *outputs, size_t num_outputs);

/* ---- launches ---- */

/* One call: binds, or finds the launch that was bound for these types, shapes and attributes
 * before, and runs it. Outputs are the caller's, of the types and shapes that opc_operator_infer
 * tells, and overlap nothing; where the inputs do not say the types of the outputs (Cast), these
 * do. With a stream the call returns at once, memory stays valid until the
 * stream has come past, and errors of the kernel are told by opc_stream_synchronize; without one it
 * returns when the outputs are written. */
OPC_API opc_status opc_launch_once(opc_operator *op, opc_stream *stream, const DLTensor *const *inputs,
                                   size_t num_inputs, const DLTensor *const *outputs, size_t num_outputs,
                                   const opc_attribute *attributes, size_t num_attributes);

/* The two halves of that. A prepared launch keeps its operator open. */
OPC_API opc_status opc_launch_prepare(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                      const opc_attribute *attributes, size_t num_attributes, opc_launch **launch);
/* As opc_operator_infer_typed: the types of the outputs are the caller's to say. */
OPC_API opc_status opc_launch_prepare_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                            const DLDataType *output_types, size_t num_outputs,
                                            const opc_attribute *attributes, size_t num_attributes,
                                            opc_launch **launch);
/* `data`: the first element of each input, then of each output; NULL for one without bytes. Any
 * number of threads may run one launch at once, each with outputs of its own. */
OPC_API opc_status opc_launch_run(const opc_launch *launch, opc_stream *stream, void *const *data, size_t num_tensors);
OPC_API void opc_launch_destroy(opc_launch *launch);

/* ---- streams ---- */

OPC_API opc_status opc_stream_create(opc_runtime *runtime, opc_stream **stream);
/* Waits until everything before is done. The first error since the last call is returned, and what
 * was put in behind the failing launch was left out. */
OPC_API opc_status opc_stream_synchronize(opc_stream *stream);
/* Synchronises, forgets errors. */
OPC_API void opc_stream_destroy(opc_stream *stream);

/* ---- memory ---- */

/* Memory of the runtime's device from its pool: 512 bytes aligned, 4 KiB above 1 KiB, not
 * initialised. It is used for tensors like any other memory. OPC_RESOURCES with OPC-E0460 when the
 * limit or the system has no more. */
OPC_API opc_status opc_memory_allocate(opc_runtime *runtime, size_t bytes, void **memory);
/* NULL is taken. What is no memory of this runtime is OPC_USAGE, and nothing happens. */
OPC_API opc_status opc_memory_release(opc_runtime *runtime, void *memory);
/* Gives back what nobody holds; `bytes` may be NULL. */
OPC_API opc_status opc_memory_trim(opc_runtime *runtime, size_t *bytes);
/* 0: no limit. */
OPC_API opc_status opc_memory_set_limit(opc_runtime *runtime, size_t bytes);

typedef struct opc_memory_statistics {
  size_t requested;                    /* bytes that callers asked for and hold */
  size_t used;                         /* bytes of the blocks that they hold */
  size_t cached;                       /* bytes kept for the next caller */
  size_t peak;                         /* most of `used` so far */
  uint64_t allocations, hits, refused; /* hits: allocations that the system was not asked for */
  double fragmentation;                /* share of used + cached that nobody asked for */
} opc_memory_statistics;
OPC_API opc_status opc_memory_read_statistics(opc_runtime *runtime, opc_memory_statistics *statistics);

/* A buffer whose life is known, in steps of a clock that all models of the plan share: models that
 * take turns get steps one after the other, models that run together the same ones. */
typedef struct opc_life_time {
  const char *model, *buffer; /* for errors */
  size_t bytes;
  int64_t first_step, last_step; /* both included */
} opc_life_time;
/* Places buffers in one arena so that those that never live together share bytes: `offsets` has one
 * for each of `lives`, multiples of 512; `arena` is the bytes to allocate. OPC_USAGE when a life
 * ends before it begins, OPC_RESOURCES when the sizes cannot be added. */
OPC_API opc_status opc_memory_plan(const opc_life_time *lives, size_t num_lives, size_t *offsets, size_t *arena);

/* ---- caches ---- */

typedef struct opc_cache_statistics {
  size_t launches;                     /* prepared launches that are kept */
  uint64_t launch_hits, launch_misses; /* a thread tells its hits after 1024, or at a miss */
  size_t kernels, kernel_bytes;        /* of contracts, in memory */
  uint64_t memory_hits, disk_hits;     /* look-ups that found their kernels */
  uint64_t compiles, failures;         /* look-ups that compiled, or tried to */
} opc_cache_statistics;
OPC_API opc_status opc_cache_read_statistics(opc_runtime *runtime, opc_cache_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif /* OPC_RUNTIME_API_OPC_RUNTIME_H */
