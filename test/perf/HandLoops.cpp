#include "test/perf/HandLoops.h"

#include <immintrin.h>
#include <initializer_list>

namespace opc::perf {

static inline void put(float *y, __m512 value, bool stream) {
  if (stream)
    _mm512_stream_ps(y, value);
  else
    _mm512_store_ps(y, value);
}

template <bool Stream>
static void addReluLoop(const float *a, const float *b, float *y, int64_t n) {
  __m512 zero = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = 0; j < 64; j += 16) {
      if (Stream) {
        _mm_prefetch(reinterpret_cast<const char *>(a + i + j + 1024), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char *>(b + i + j + 1024), _MM_HINT_T0);
      }
      __m512 sum = _mm512_add_ps(_mm512_load_ps(a + i + j), _mm512_load_ps(b + i + j));
      put(y + i + j, _mm512_max_ps(zero, sum), Stream);
    }
  _mm_sfence();
}

void addRelu(const float *a, const float *b, float *y, int64_t n, bool stream) {
  stream ? addReluLoop<true>(a, b, y, n) : addReluLoop<false>(a, b, y, n);
}

static inline __m512 half(const uint16_t *x) {
  return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i *>(x)));
}

void addReluHalf(const uint16_t *a, const uint16_t *b, uint16_t *y, int64_t n, bool stream) {
  __m512 zero = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = 0; j < 64; j += 16) {
      __m512 sum = _mm512_add_ps(half(a + i + j), half(b + i + j));
      __m256i value = _mm512_cvtps_ph(_mm512_max_ps(zero, sum), 0);
      auto *place = reinterpret_cast<__m256i *>(y + i + j);
      if (stream)
        _mm256_stream_si256(place, value);
      else
        _mm256_store_si256(place, value);
    }
  _mm_sfence();
}

static inline __m512 exponential(__m512 x) {
  x = _mm512_max_ps(_mm512_set1_ps(-87.33f), x);
  __m512 k = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(0x1.715476p+0f)), 8);
  __m512 r = _mm512_fmadd_ps(k, _mm512_set1_ps(-0x1.62e430p-1f), x);
  r = _mm512_fmadd_ps(k, _mm512_set1_ps(0x1.05c610p-29f), r);
  __m512 p = _mm512_set1_ps(0x1.6a9cb6p-10f);
  for (float c : {0x1.126ad8p-7f, 0x1.5554c0p-5f, 0x1.55541ap-3f, 0.5f, 1.0f, 1.0f})
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(c));
  return _mm512_scalef_ps(p, k);
}

void swish(const float *x, float *y, int64_t n, bool stream) {
  __m512 one = _mm512_set1_ps(1.0f), zero = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 32)
    for (int64_t j = 0; j < 32; j += 16) {
      if (stream)
        _mm_prefetch(reinterpret_cast<const char *>(x + i + j + 1024), _MM_HINT_T0);
      __m512 v = _mm512_load_ps(x + i + j);
      __m512 e = exponential(_mm512_sub_ps(zero, v));
      put(y + i + j, _mm512_div_ps(v, _mm512_add_ps(one, e)), stream);
    }
  _mm_sfence();
}

void softmax(const float *x, float *y, int64_t m, int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    __m512 largest[4], sum[4];
    for (int u = 0; u < 4; ++u) {
      largest[u] = _mm512_set1_ps(-__builtin_inff());
      sum[u] = _mm512_setzero_ps();
    }
    auto mask = [&](int64_t i) {
      return n - i >= 16 ? __mmask16(0xffff) : __mmask16((1u << (n - i)) - 1);
    };
    for (int64_t i = 0, u = 0; i < n; i += 16, u = (u + 1) & 3)
      largest[u] = _mm512_mask_max_ps(largest[u], mask(i), largest[u],
                                      _mm512_maskz_loadu_ps(mask(i), x + i));
    __m512 most =
        _mm512_max_ps(_mm512_max_ps(largest[0], largest[1]), _mm512_max_ps(largest[2], largest[3]));
    __m512 shift = _mm512_set1_ps(_mm512_reduce_max_ps(most));
    for (int64_t i = 0, u = 0; i < n; i += 16, u = (u + 1) & 3) {
      __m512 e = exponential(_mm512_sub_ps(_mm512_maskz_loadu_ps(mask(i), x + i), shift));
      sum[u] = _mm512_mask_add_ps(sum[u], mask(i), sum[u], e);
      _mm512_mask_storeu_ps(y + i, mask(i), e);
    }
    __m512 all = _mm512_add_ps(_mm512_add_ps(sum[0], sum[1]), _mm512_add_ps(sum[2], sum[3]));
    __m512 scale = _mm512_set1_ps(1.0f / _mm512_reduce_add_ps(all));
    for (int64_t i = 0; i < n; i += 16)
      _mm512_mask_storeu_ps(y + i, mask(i),
                            _mm512_mul_ps(scale, _mm512_maskz_loadu_ps(mask(i), y + i)));
  }
}

void copy(const float *x, float *y, int64_t n) {
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = 0; j < 64; j += 16)
      _mm512_store_ps(y + i + j, _mm512_load_ps(x + i + j));
}

} // namespace opc::perf
