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

/// y = f(x) or f(a, b), four vectors a turn.
template <bool Stream, typename Function, typename... Inputs>
static void mapLoop(Function function, float *y, int64_t n, const Inputs *...inputs) {
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = i; j < i + 64; j += 16) {
      if (Stream)
        (_mm_prefetch(reinterpret_cast<const char *>(inputs + j + 1024), _MM_HINT_T0), ...);
      put(y + j, function(_mm512_load_ps(inputs + j)...), Stream);
    }
  _mm_sfence();
}

template <typename Function, typename... Inputs>
static void map(Function function, float *y, int64_t n, bool stream, const Inputs *...inputs) {
  if (stream)
    mapLoop<true>(function, y, n, inputs...);
  else
    mapLoop<false>(function, y, n, inputs...);
}

void addRelu(const float *a, const float *b, float *y, int64_t n, bool stream) {
  map([](__m512 p, __m512 q) { return _mm512_max_ps(_mm512_setzero_ps(), _mm512_add_ps(p, q)); }, y,
      n, stream, a, b);
}

void add(const float *a, const float *b, float *y, int64_t n, bool stream) {
  map([](__m512 p, __m512 q) { return _mm512_add_ps(p, q); }, y, n, stream, a, b);
}

void mul(const float *a, const float *b, float *y, int64_t n, bool stream) {
  map([](__m512 p, __m512 q) { return _mm512_mul_ps(p, q); }, y, n, stream, a, b);
}

void relu(const float *x, float *y, int64_t n, bool stream) {
  map([](__m512 v) { return _mm512_max_ps(_mm512_setzero_ps(), v); }, y, n, stream, x);
}

void squareRoot(const float *x, float *y, int64_t n, bool stream) {
  map([](__m512 v) { return _mm512_sqrt_ps(v); }, y, n, stream, x);
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

void exp(const float *x, float *y, int64_t n, bool stream) {
  map([](__m512 v) { return exponential(v); }, y, n, stream, x);
}

/// 1 / (1 + e^-v) of a numerator other than 1.
static inline __m512 gated(__m512 numerator, __m512 v) {
  __m512 e = exponential(_mm512_sub_ps(_mm512_setzero_ps(), v));
  return _mm512_div_ps(numerator, _mm512_add_ps(_mm512_set1_ps(1.0f), e));
}

void sigmoid(const float *x, float *y, int64_t n, bool stream) {
  map([](__m512 v) { return gated(_mm512_set1_ps(1.0f), v); }, y, n, stream, x);
}

void swish(const float *x, float *y, int64_t n, bool stream) {
  map([](__m512 v) { return gated(v, v); }, y, n, stream, x);
}

/// The lanes of a row of `n` that are left at `i`.
static inline __mmask16 lanes(int64_t i, int64_t n) {
  return n - i >= 16 ? __mmask16(0xffff) : __mmask16((1u << (n - i)) - 1);
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

void layerNorm(const float *x, const float *gamma, const float *beta, float *y, int64_t m,
               int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    __m512 sum[4], square[4];
    for (int u = 0; u < 4; ++u)
      sum[u] = square[u] = _mm512_setzero_ps();
    for (int64_t i = 0, u = 0; i < n; i += 16, u = (u + 1) & 3) {
      __m512 v = _mm512_maskz_loadu_ps(lanes(i, n), x + i);
      sum[u] = _mm512_add_ps(sum[u], v);
      square[u] = _mm512_fmadd_ps(v, v, square[u]);
    }
    auto total = [](const __m512 *parts) {
      return _mm512_reduce_add_ps(
          _mm512_add_ps(_mm512_add_ps(parts[0], parts[1]), _mm512_add_ps(parts[2], parts[3])));
    };
    float mean = total(sum) / float(n);
    float variance = total(square) / float(n) - mean * mean;
    __m512 factor = _mm512_set1_ps(1.0f / __builtin_sqrtf(variance + 1e-5f));
    __m512 shift = _mm512_set1_ps(mean);
    for (int64_t i = 0; i < n; i += 16) {
      __mmask16 mask = lanes(i, n);
      __m512 v = _mm512_sub_ps(_mm512_maskz_loadu_ps(mask, x + i), shift);
      __m512 scale = _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(mask, gamma + i));
      _mm512_mask_storeu_ps(y + i, mask,
                            _mm512_fmadd_ps(v, scale, _mm512_maskz_loadu_ps(mask, beta + i)));
    }
  }
}

void rmsNorm(const float *x, const float *gamma, float *y, int64_t m, int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    __m512 square[4];
    for (__m512 &part : square)
      part = _mm512_setzero_ps();
    for (int64_t i = 0, u = 0; i < n; i += 16, u = (u + 1) & 3) {
      __m512 v = _mm512_maskz_loadu_ps(lanes(i, n), x + i);
      square[u] = _mm512_fmadd_ps(v, v, square[u]);
    }
    float mean = _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(square[0], square[1]),
                                                    _mm512_add_ps(square[2], square[3]))) /
                 float(n);
    __m512 factor = _mm512_set1_ps(1.0f / __builtin_sqrtf(mean + 1e-5f));
    for (int64_t i = 0; i < n; i += 16) {
      __mmask16 mask = lanes(i, n);
      __m512 v = _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, x + i), factor);
      _mm512_mask_storeu_ps(y + i, mask, _mm512_mul_ps(v, _mm512_maskz_loadu_ps(mask, gamma + i)));
    }
  }
}

// Streams where rows are whole vectors and begin aligned; else stores of rows cannot.
template <bool Columns>
static void addBroadcast(const float *x, const float *b, float *y, int64_t m, int64_t n,
                         bool stream) {
  stream = stream && n % 16 == 0;
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    __m512 own = _mm512_set1_ps(b[Columns ? row : 0]);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
      __m512 other = Columns ? own : _mm512_loadu_ps(b + i);
      __m512 sum = _mm512_add_ps(_mm512_loadu_ps(x + i), other);
      if (stream)
        _mm512_stream_ps(y + i, sum);
      else
        _mm512_storeu_ps(y + i, sum);
    }
    if (i < n) {
      auto mask = __mmask16((1u << (n - i)) - 1);
      __m512 other = Columns ? own : _mm512_maskz_loadu_ps(mask, b + i);
      _mm512_mask_storeu_ps(y + i, mask, _mm512_add_ps(_mm512_maskz_loadu_ps(mask, x + i), other));
    }
  }
  _mm_sfence();
}

void addRow(const float *x, const float *b, float *y, int64_t m, int64_t n, bool stream) {
  addBroadcast<false>(x, b, y, m, n, stream);
}

void addColumn(const float *x, const float *b, float *y, int64_t m, int64_t n, bool stream) {
  addBroadcast<true>(x, b, y, m, n, stream);
}

void copy(const float *x, float *y, int64_t n) {
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = 0; j < 64; j += 16)
      _mm512_store_ps(y + i + j, _mm512_load_ps(x + i + j));
}

} // namespace opc::perf
