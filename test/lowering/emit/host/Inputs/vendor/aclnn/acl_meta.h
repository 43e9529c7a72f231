/* Names of the two-phase API, in C. */
#ifndef STAND_IN_ACL_META_H
#define STAND_IN_ACL_META_H
#include <stdbool.h>
#include <stdint.h>
typedef struct aclTensor aclTensor;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclOpExecutor aclOpExecutor;
typedef int32_t aclnnStatus;
typedef void *aclrtStream;
#endif
