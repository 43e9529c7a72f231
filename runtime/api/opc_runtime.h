/* opc_runtime.h: runs operators that `opc` compiled. Plain C, self-contained, versioned. The library is
 * libopc_runtime.so; it works without the compiler.
 *
 *   opc_runtime *runtime;
 *   opc_operator *op;
 *   opc_runtime_create(OPC_RUNTIME_API_VERSION, NULL, &runtime);
 *   opc_operator_open(runtime, "add_relu.op", &op);
 *   opc_launch_once(op, NULL, inputs, 2, outputs, 1, NULL, 0);
 *
 * Tensors are DLPack's DLTensor: on the CPU, one lane, contiguous, of any rank up to OPC_MAX_RANK. The runtime
 * reads descriptors during a call only. It accesses elements during the call or, on a stream, until the launch is
 * done. It never takes ownership of them.
 *
 * Errors: a call that fails returns a status other than OPC_OK and stores the reason for opc_last_error() of its
 * thread. Unless stated otherwise, a failing call does not change its output arguments. A required pointer that is
 * NULL gives OPC_USAGE. No exception crosses this interface.
 *
 * Threads: all functions are thread-safe, except that a handle must not be used while or after it is destroyed.
 *
 * Ownership: the caller destroys each handle that it created. Strings that functions return belong to the library. */

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

/* Increased when a function is removed or changes its meaning, but not when functions are added. */
#define OPC_RUNTIME_API_VERSION 1u
#define OPC_MAX_RANK 32

typedef struct opc_runtime opc_runtime;   /* a device, its memory, its caches */
typedef struct opc_operator opc_operator; /* an op folder or a contract, opened on that device */
typedef struct opc_launch opc_launch;     /* an operator bound to shapes, types, attributes */
typedef struct opc_stream opc_stream;     /* runs launches in order, asynchronously to the caller */
typedef struct opc_weight opc_weight;     /* a file that `opc pack` wrote, mapped */

/* The values are the exit codes of the command `opc`. */
typedef enum opc_status {
  OPC_OK = 0,
  OPC_FAILED_CHECK = 1, /* a kernel broke a rule, such as an access out of bounds */
  OPC_USAGE = 2,        /* the arguments, tensors or attributes of a call are invalid */
  OPC_CONTRACT = 3,     /* the contract of an operator is invalid */
  OPC_COMPILE = 4,      /* an operator cannot be compiled */
  OPC_RESOURCES = 5,    /* out of memory, or a size exceeds a limit */
  OPC_ENVIRONMENT = 6,  /* a problem with files, folders or the machine */
  OPC_INTERNAL = 70     /* an error in this library */
} opc_status;

/* A description of an error. Texts are valid until the next failing call of the thread and are never NULL. */
typedef struct opc_error {
  opc_status status;
  const char *code;   /* "OPC-E0522"; `opc explain OPC-E0522` explains it */
  const char *rule;   /* "launch_c5", or "" */
  const char *op;     /* "AddRelu", or "" */
  const char *shapes; /* of the inputs, "x1 float16[2, 3], x2 float16[2, 3]", or "" */
  const char *reason; /* the rule, then what was found */
  const char *fix;    /* how to fix it, or "": for a missing type row the nearest row and the lines
                         to add to the contract */
} opc_error;

/* The error of this thread's last failing call, never NULL. Its status is OPC_OK when no call has failed yet. */
OPC_API const opc_error *opc_last_error(void);

/* The version of the library: "0.1.0". */
OPC_API const char *opc_runtime_version(void);
/* OPC_RUNTIME_API_VERSION that the library was built with. */
OPC_API uint32_t opc_runtime_api_version(void);

/* ---- runtime ---- */

typedef struct opc_runtime_options {
  size_t size;             /* sizeof(opc_runtime_options); members beyond it take their defaults */
  const char *device;      /* "cpu", "sim", "null"; NULL: "cpu" */
  int32_t threads;         /* threads of a launch on "cpu"; 0: one per core. Does not change results */
  int32_t poison;          /* 1: fill released memory and check it later, for debugging; slow */
  size_t memory_limit;     /* bytes; limit of the device's memory pool; 0: no limit */
  const char *cache_path;  /* folder of the kernel cache; NULL: ASCEND_CACHE_PATH, else the
                              configuration, else ~/.cache/opc */
  const char *soc_version; /* chip that contracts are compiled for; NULL: "Ascend310B" */
  int32_t monitor_ms;      /* milliseconds between samples of the pool and of the system's memory.
                              When the pool has grown by more than half and by at least 64 MiB,
                              as many bytes are returned to the system once no caller holds them;
                              when less than a tenth of the system's memory is available, all
                              cached memory is. 0: 60000; below 0: never */
} opc_runtime_options;

/* Creates a runtime. `api_version` is OPC_RUNTIME_API_VERSION; `options` may be NULL. Also reads the settings of the
 * caches (docs/rationale/cache.md) from environment variables such as ACLNN_CACHE_LIMIT and ACL_LOG_LEVEL and from
 * the configuration file; an invalid value is an error. */
OPC_API opc_status opc_runtime_create(uint32_t api_version, const opc_runtime_options *options, opc_runtime **runtime);
/* Destroys a runtime; its memory of opc_memory_allocate becomes invalid. Does not wait: destroy streams, launches and
 * operators first. NULL is ignored. */
OPC_API void opc_runtime_destroy(opc_runtime *runtime);

/* ---- operators ---- */

/* Opens an op folder or a contract.
 *
 * An op folder is a folder that `opc compile` wrote; every file is compared with its checksum.
 *
 * A contract is given as its file op_contract.yaml, or as a folder that contains one and no manifest.json. Its
 * kernels come from the kernel cache or are compiled, whenever a launch needs another row of the type table or other
 * values of attributes that are bound at compile time; other shapes do not cause a compilation. This requires the
 * compiler's library next to this one, otherwise the call gives OPC_ENVIRONMENT with OPC-E0621. A contract is read
 * when it is opened; launches read it again when their kernels are not in memory. */
OPC_API opc_status opc_operator_open(opc_runtime *runtime, const char *folder, opc_operator **op);
/* Closes an operator. Prepared launches of it remain valid. NULL is ignored. */
OPC_API void opc_operator_close(opc_operator *op);
/* The type of an operator: "AddRelu". Valid until the operator is closed, as are the names below. */
OPC_API const char *opc_operator_type(const opc_operator *op);
OPC_API size_t opc_operator_num_inputs(const opc_operator *op);
OPC_API size_t opc_operator_num_outputs(const opc_operator *op);
/* The name of an input or output: "x1"; NULL when `index` is out of range. */
OPC_API const char *opc_operator_input_name(const opc_operator *op, size_t index);
OPC_API const char *opc_operator_output_name(const opc_operator *op, size_t index);
/* 1 for an input that the contract calls constant, as a weight: one to give to opc_launch_keep_constants. 0 for others,
 * and when `index` is out of range. */
OPC_API int opc_operator_input_is_constant(const opc_operator *op, size_t index);

/* The number of compilations that launches of this operator caused; 0 for an op folder. */
OPC_API size_t opc_operator_num_compiles(const opc_operator *op);
/* The reason of a compilation: "first use", "changed: types, attributes" (the fields of the key that differ from the
 * most similar entry), "damaged entry: ..."; NULL when `index` is out of range. Valid until the operator is closed. */
OPC_API const char *opc_operator_compile_reason(const opc_operator *op, size_t index);

typedef enum opc_attribute_kind {
  OPC_ATTRIBUTE_FLOAT = 0,
  OPC_ATTRIBUTE_INT = 1,
  OPC_ATTRIBUTE_BOOL = 2,
  OPC_ATTRIBUTE_STRING = 3
} opc_attribute_kind;

/* The value of an attribute. The caller keeps the strings valid during the call. */
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

/* Type and shape of a tensor; the first `ndim` elements of `shape` are set. */
typedef struct opc_form {
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[OPC_MAX_RANK];
} opc_form;

/* Infers the types and shapes of the outputs from the types and shapes of the inputs. Does not access the inputs'
 * memory, which may be NULL. An optional input that is not given is a NULL in `inputs`; of a contract whose kernels are
 * compiled with or without the input ('present') it selects those without. `outputs` receives `num_outputs` elements. */
OPC_API opc_status opc_operator_infer(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                      const opc_attribute *attributes, size_t num_attributes, opc_form *outputs,
                                      size_t num_outputs);

/* As opc_operator_infer, for operators whose inputs do not determine the types of the outputs (Cast): `output_types`
 * has the type of each output. */
OPC_API opc_status opc_operator_infer_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                            const DLDataType *output_types, const opc_attribute *attributes,
                                            size_t num_attributes, opc_form *outputs, size_t num_outputs);

/* ---- launches ---- */

/* Runs an operator in one call: prepares a launch, or finds the launch that was prepared for these types, shapes and
 * attributes before, and runs it. The caller allocates the outputs, with the types and shapes that opc_operator_infer
 * returns; they must not overlap each other or an input. Where the inputs do not determine the types of the outputs
 * (Cast), the outputs' types do.
 *
 * Without a stream the call returns when the outputs are written. With a stream it returns immediately: memory must
 * stay valid until the launch is done, and opc_stream_synchronize returns errors of the kernel. */
OPC_API opc_status opc_launch_once(opc_operator *op, opc_stream *stream, const DLTensor *const *inputs,
                                   size_t num_inputs, const DLTensor *const *outputs, size_t num_outputs,
                                   const opc_attribute *attributes, size_t num_attributes);

/* Prepares a launch for inputs of these types and shapes; does not access their memory. The launch remains valid
 * after the operator is closed. Run it with opc_launch_run. */
OPC_API opc_status opc_launch_prepare(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                      const opc_attribute *attributes, size_t num_attributes, opc_launch **launch);
/* As opc_launch_prepare, with the types of the outputs: see opc_operator_infer_typed. */
OPC_API opc_status opc_launch_prepare_typed(opc_operator *op, const DLTensor *const *inputs, size_t num_inputs,
                                            const DLDataType *output_types, size_t num_outputs,
                                            const opc_attribute *attributes, size_t num_attributes,
                                            opc_launch **launch);
/* Runs a prepared launch. `data` points to the first element of each input, then of each output; NULL for a tensor
 * without bytes. Memory is aligned to the element type. Several threads may run a launch at the same time with
 * different outputs. `stream` and overlaps as in opc_launch_once. */
OPC_API opc_status opc_launch_run(const opc_launch *launch, opc_stream *stream, void *const *data, size_t num_tensors);
/* Gives a prepared launch its constants, once and before it runs: the inputs whose pointer in `data` is not NULL. `data`
 * has an element for each tensor of opc_launch_run, NULL for outputs and for inputs that differ from run to run. The
 * contract says which inputs are meant to be constant (opc_operator_input_is_constant), the caller which ones are. Until
 * the launch is destroyed, the memory of constants has the same contents, and every run has the same pointers there:
 * others give OPC_USAGE with launch_c22. A device may keep a constant in the form of its kernel: the CPU packs the
 * weights of a product and the filters of a convolution now instead of in each run, as float32, in memory of its own.
 * Results have the same bits. OPC_USAGE with launch_c22 for no constant at all, for an output, and for a launch that has
 * its constants already. */
OPC_API opc_status opc_launch_keep_constants(opc_launch *launch, void *const *data, size_t num_tensors);
/* Destroys a prepared launch. NULL is ignored. */
OPC_API void opc_launch_destroy(opc_launch *launch);

/* ---- packed weights ---- */

/* Maps a file that `opc pack` wrote for an input of this operator, and compares its bytes with its checksum. OPC_USAGE
 * with OPC-E0513 for a file that is damaged, cut short or none of these, and with rule launch_c21 for a weight of another
 * input or operator; OPC_ENVIRONMENT with OPC-E0600 for a file that cannot be read or is a symbolic link. */
OPC_API opc_status opc_weight_open(const opc_operator *op, const char *input, const char *path, opc_weight **weight);
/* The weight as an input of a launch, with the shape of the matrix or of the matrices; valid until the weight is closed.
 * Its type is one of this library, which other inputs and operators refuse, and which only descriptions of weights have.
 * Nobody may write to its memory. NULL for NULL. */
OPC_API const DLTensor *opc_weight_tensor(const opc_weight *weight);
/* Unmaps the file; no launch may read it any more. NULL is ignored. */
OPC_API void opc_weight_close(opc_weight *weight);

/* ---- streams ---- */

/* Creates a stream with a thread of its own; OPC-E0533 when the system has no thread. */
OPC_API opc_status opc_stream_create(opc_runtime *runtime, opc_stream **stream);
/* Waits until all launches on the stream are done. Returns the first error since the last call of this function; the
 * launches after the failing one were skipped. */
OPC_API opc_status opc_stream_synchronize(opc_stream *stream);
/* Waits until all launches on the stream are done and destroys it; errors are lost. NULL is ignored. */
OPC_API void opc_stream_destroy(opc_stream *stream);

/* ---- memory ---- */

/* Allocates memory of the runtime's device from its pool: not initialised, aligned to 512 bytes, to 4 KiB for more
 * than 1 KiB. It can be used for tensors like any other memory. OPC_RESOURCES with OPC-E0460 when the limit is
 * reached or the system is out of memory. */
OPC_API opc_status opc_memory_allocate(opc_runtime *runtime, size_t bytes, void **memory);
/* Releases memory of opc_memory_allocate. NULL is ignored. Any other pointer gives OPC_USAGE and has no effect. */
OPC_API opc_status opc_memory_release(opc_runtime *runtime, void *memory);
/* Returns cached memory to the system; `bytes` receives how much, in bytes, and may be NULL. */
OPC_API opc_status opc_memory_trim(opc_runtime *runtime, size_t *bytes);
/* Sets the limit of the pool in bytes; 0: no limit. Workspaces of launches, which hold what lies between their nests,
 * count in it while a launch runs. */
OPC_API opc_status opc_memory_set_limit(opc_runtime *runtime, size_t bytes);

typedef struct opc_memory_statistics {
  size_t requested;                    /* bytes that callers asked for and have not released */
  size_t used;                         /* bytes of their blocks */
  size_t cached;                       /* bytes kept for later allocations */
  size_t peak;                         /* largest value of `used` */
  uint64_t allocations, hits, refused; /* hits: allocations without a request to the system */
  double fragmentation;                /* share of used + cached that no caller asked for, 0 to 1 */
} opc_memory_statistics;
/* Reads the statistics of the runtime's memory pool. */
OPC_API opc_status opc_memory_read_statistics(opc_runtime *runtime, opc_memory_statistics *statistics);

/* A buffer and its lifetime, in steps of a clock that all models of the plan share: models that run one after the
 * other have disjoint steps, models that run at the same time have the same steps. */
typedef struct opc_life_time {
  const char *model, *buffer; /* for errors */
  size_t bytes;
  int64_t first_step, last_step; /* both included */
} opc_life_time;
/* Plans the memory of buffers in one arena, in which buffers with disjoint lifetimes share bytes. `offsets` receives
 * an offset for each of `lives`, a multiple of 512; `arena` receives the bytes to allocate. OPC_USAGE when a lifetime
 * ends before it begins, OPC_RESOURCES when the sizes overflow. */
OPC_API opc_status opc_memory_plan(const opc_life_time *lives, size_t num_lives, size_t *offsets, size_t *arena);

/* ---- caches ---- */

typedef struct opc_cache_statistics {
  size_t launches;                     /* prepared launches in the cache */
  uint64_t launch_hits, launch_misses; /* hits of a thread are added after 1024, or at a miss */
  size_t kernels, kernel_bytes;        /* of contracts, in memory; kernel_bytes in bytes */
  uint64_t memory_hits, disk_hits;     /* lookups that found their kernels */
  uint64_t compiles, failures;         /* lookups that compiled, or failed to */
} opc_cache_statistics;
/* Reads the statistics of the runtime's caches since it was created. */
OPC_API opc_status opc_cache_read_statistics(opc_runtime *runtime, opc_cache_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif /* OPC_RUNTIME_API_OPC_RUNTIME_H */
