// libascendcl.so and libnnopbase.so of the stand-in.
#include "aclnn/acl_meta.h"

#include <cstdlib>
#include <cstring>

extern "C" {
aclError aclInit(const char *) {
  return 0;
}
aclError aclFinalize(void) {
  return 0;
}
aclError aclrtSetDevice(int32_t) {
  return 0;
}
aclError aclrtResetDevice(int32_t) {
  return 0;
}
aclError aclrtCreateStream(aclrtStream *stream) {
  *stream = stream;
  return 0;
}
aclError aclrtDestroyStream(aclrtStream) {
  return 0;
}
aclError aclrtSynchronizeStream(aclrtStream) {
  return 0;
}
aclError aclrtMalloc(void **memory, size_t bytes, aclrtMemMallocPolicy) {
  if (bytes == 0)
    return 107000;
  *memory = std::malloc(bytes);
  return *memory ? 0 : 207001;
}
aclError aclrtFree(void *memory) {
  std::free(memory);
  return 0;
}
aclError aclrtMemcpy(void *to, size_t room, const void *from, size_t bytes, aclrtMemcpyKind) {
  if (bytes > room)
    return 107000;
  std::memcpy(to, from, bytes);
  return 0;
}
aclTensor *aclCreateTensor(const int64_t *sizes, uint64_t rank, aclDataType type, const int64_t *, int64_t, aclFormat,
                           const int64_t *, uint64_t, void *data) {
  aclTensor *tensor = new aclTensor{1, type, data};
  for (uint64_t i = 0; i < rank; ++i)
    tensor->elements *= sizes[i];
  return tensor;
}
aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
  delete tensor;
  return 0;
}
}
