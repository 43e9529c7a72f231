#include "test/perf/Ceilings.h"

#include <immintrin.h>

namespace opc::perf {

template <Stores kStores> static inline void put(float *y, __m512 value) {
  if (kStores == Stores::Streaming)
    _mm512_stream_ps(y, value);
  else
    _mm512_store_ps(y, value);
}

/// The distance in floats that streams are asked for ahead.
static constexpr int64_t kAhead = 1024;

template <Stores kStores> static inline void ask(const float *x) {
  if (kStores == Stores::Streaming)
    _mm_prefetch(reinterpret_cast<const char *>(x + kAhead), _MM_HINT_T0);
}

template <Stores kStores> static void moveOneBy(const float *x, float *y, int64_t n) {
  for (int64_t i = 0; i + 64 <= n; i += 64)
    for (int64_t j = i; j < i + 64; j += 16) {
      ask<kStores>(x + j);
      put<kStores>(y + j, _mm512_load_ps(x + j));
    }
  if (kStores == Stores::Streaming)
    _mm_sfence();
}

void moveOne(const float *x, float *y, int64_t n, Stores stores) {
  if (stores == Stores::Streaming)
    moveOneBy<Stores::Streaming>(x, y, n);
  else
    moveOneBy<Stores::Ordinary>(x, y, n);
}

template <Stores kStores>
static void moveTwoBy(const float *a, const float *b, float *y, int64_t n) {
  for (int64_t i = 0; i + 64 <= n; i += 64)
    for (int64_t j = i; j < i + 64; j += 16) {
      ask<kStores>(a + j);
      ask<kStores>(b + j);
      put<kStores>(y + j, _mm512_or_ps(_mm512_load_ps(a + j), _mm512_load_ps(b + j)));
    }
  if (kStores == Stores::Streaming)
    _mm_sfence();
}

void moveTwo(const float *a, const float *b, float *y, int64_t n, Stores stores) {
  if (stores == Stores::Streaming)
    moveTwoBy<Stores::Streaming>(a, b, y, n);
  else
    moveTwoBy<Stores::Ordinary>(a, b, y, n);
}

float readOne(const float *x, int64_t n) {
  __m512 seen[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
                    _mm512_setzero_ps()};
  for (int64_t i = 0; i + 64 <= n; i += 64)
    for (int u = 0; u < 4; ++u) {
      _mm_prefetch(reinterpret_cast<const char *>(x + i + 16 * u + kAhead), _MM_HINT_T0);
      seen[u] = _mm512_or_ps(seen[u], _mm512_load_ps(x + i + 16 * u));
    }
  return _mm512_reduce_add_ps(
      _mm512_or_ps(_mm512_or_ps(seen[0], seen[1]), _mm512_or_ps(seen[2], seen[3])));
}

} // namespace opc::perf
