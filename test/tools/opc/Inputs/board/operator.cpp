// libcust_opapi.so of the stand-in: AddRelu and Swish on the host. OFF makes every seventh result
// wrong.
#include "aclnn/acl_meta.h"

#include <cmath>
#include <cstring>

#ifndef OFF
#define OFF 0
#endif

struct aclOpExecutor {
  const aclTensor *a, *b, *out;
  double beta;
};

/// The upper half of a float, rounded to even. No number of the cases is a NaN.
struct BFloat16 {
  BFloat16() = default;
  explicit BFloat16(float value) {
    uint32_t whole;
    std::memcpy(&whole, &value, sizeof whole);
    bits = uint16_t((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
  }
  operator float() const {
    uint32_t whole = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &whole, sizeof value);
    return value;
  }
  uint16_t bits = 0;
};

template <typename T> static void run(const aclOpExecutor &e) {
  for (int64_t i = 0; i < e.out->elements; ++i) {
    T x = static_cast<T *>(e.a->data)[i], y;
    if (e.b) {
      y = T(x + static_cast<T *>(e.b->data)[i]);
      y = y > T(0) ? y : T(0);
    } else {
      y = T(float(x) / (1.0f + std::exp(-float(e.beta) * float(x))));
    }
    static_cast<T *>(e.out->data)[i] = OFF && i % 7 == 0 ? T(float(y) + 0.125f) : y;
  }
}

static aclnnStatus launch(aclOpExecutor *e) {
  if (e->out->type == ACL_FLOAT)
    run<float>(*e);
  else if (e->out->type == ACL_FLOAT16)
    run<_Float16>(*e);
  else if (e->out->type == ACL_BF16)
    run<BFloat16>(*e);
  else
    return 161002;
  delete e;
  return 0;
}

extern "C" {
aclnnStatus aclnnAddReluGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2, const aclTensor *out,
                                         uint64_t *bytes, aclOpExecutor **executor) {
  *bytes = 64;
  *executor = new aclOpExecutor{x1, x2, out, 0};
  return x1 && x2 && out ? 0 : 161001;
}
aclnnStatus aclnnAddRelu(void *workspace, uint64_t, aclOpExecutor *executor, aclrtStream) {
  return workspace ? launch(executor) : 161001;
}
aclnnStatus aclnnMySwishGetWorkspaceSize(const aclTensor *x, double beta, const aclTensor *out, uint64_t *bytes,
                                         aclOpExecutor **executor) {
  *bytes = 0;
  *executor = new aclOpExecutor{x, nullptr, out, beta};
  return 0;
}
aclnnStatus aclnnMySwish(void *, uint64_t, aclOpExecutor *executor, aclrtStream) {
  return launch(executor);
}
}
