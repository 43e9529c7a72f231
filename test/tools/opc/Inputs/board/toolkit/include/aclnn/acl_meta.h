// Names of the two-phase API, with tensors that can be looked into.
#ifndef STUB_ACL_META_H
#define STUB_ACL_META_H
#include "acl/acl.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct aclTensor {
  int64_t elements;
  aclDataType type;
  void *data;
} aclTensor;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclOpExecutor aclOpExecutor;
typedef int32_t aclnnStatus;
aclTensor *aclCreateTensor(const int64_t *sizes, uint64_t rank, aclDataType type, const int64_t *strides,
                           int64_t offset, aclFormat format, const int64_t *storage, uint64_t storageRank, void *data);
aclIntArray *aclCreateIntArray(const int64_t *values, uint64_t count);
aclFloatArray *aclCreateFloatArray(const float *values, uint64_t count);
aclBoolArray *aclCreateBoolArray(const bool *values, uint64_t count);
aclnnStatus aclDestroyTensor(const aclTensor *tensor);
#ifdef __cplusplus
}
#endif
#endif
