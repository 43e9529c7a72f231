// A stand-in for the runtime of a board, on the host: memory is memory, streams do nothing.
#ifndef STUB_ACL_H
#define STUB_ACL_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef int aclError;
typedef void *aclrtStream;
typedef enum {
  ACL_FLOAT,
  ACL_FLOAT16,
  ACL_INT8,
  ACL_INT32,
  ACL_UINT8,
  ACL_INT16 = 6,
  ACL_UINT16,
  ACL_UINT32,
  ACL_INT64,
  ACL_UINT64,
  ACL_DOUBLE,
  ACL_BOOL,
  ACL_BF16 = 27
} aclDataType;
typedef enum { ACL_FORMAT_ND = 2 } aclFormat;
typedef enum { ACL_MEM_MALLOC_HUGE_FIRST } aclrtMemMallocPolicy;
typedef enum { ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST } aclrtMemcpyKind;
aclError aclInit(const char *config);
aclError aclFinalize(void);
aclError aclrtSetDevice(int32_t device);
aclError aclrtResetDevice(int32_t device);
aclError aclrtCreateStream(aclrtStream *stream);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtMalloc(void **memory, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtFree(void *memory);
aclError aclrtMemcpy(void *to, size_t room, const void *from, size_t bytes, aclrtMemcpyKind kind);
#ifdef __cplusplus
}
#endif
#endif
