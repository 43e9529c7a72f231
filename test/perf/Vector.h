// Registers of float32 as loops by hand and ceilings see them, at the level of x86-64 that the including file is
// compiled for (OPC_PERF_LEVEL is v3 or v4): a thin name for each intrinsic, so that a loop is written once.

#ifndef OPC_TEST_PERF_VECTOR_H
#define OPC_TEST_PERF_VECTOR_H

#include <cstdint>
#include <immintrin.h>

namespace opc::perf::OPC_PERF_LEVEL {

#ifdef __AVX512F__

using Vector = __m512;
constexpr int kLanes = 16;
inline Vector all(float x) {
  return _mm512_set1_ps(x);
}
inline Vector load(const float *x) {
  return _mm512_load_ps(x);
}
inline void store(float *y, Vector v) {
  _mm512_store_ps(y, v);
}
inline void stream(float *y, Vector v) {
  _mm512_stream_ps(y, v);
}
inline Vector loadAny(const float *x) {
  return _mm512_loadu_ps(x);
}
inline void storeAny(float *y, Vector v) {
  _mm512_storeu_ps(y, v);
}
inline Vector add(Vector a, Vector b) {
  return _mm512_add_ps(a, b);
}
inline Vector sub(Vector a, Vector b) {
  return _mm512_sub_ps(a, b);
}
inline Vector mul(Vector a, Vector b) {
  return _mm512_mul_ps(a, b);
}
inline Vector div(Vector a, Vector b) {
  return _mm512_div_ps(a, b);
}
inline Vector max(Vector a, Vector b) {
  return _mm512_max_ps(a, b);
}
inline Vector root(Vector a) {
  return _mm512_sqrt_ps(a);
}
inline Vector either(Vector a, Vector b) {
  return _mm512_or_ps(a, b);
}
inline Vector fma(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}
/// Pairs of 16-bit numbers, multiplied and added to a sum of 32 bits.
using Pairs = __m512i;
inline Pairs addPairs(Pairs a, Pairs b, Pairs sum) {
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
}
inline float lowest(Pairs pairs) {
  return float(_mm_cvtsi128_si32(_mm512_castsi512_si128(pairs)));
}
/// Four bytes each, where the machine has that beyond the level (OPC_PERF_DOTS).
#define OPC_PERF_DOTS "avx512vnni"
__attribute__((target(OPC_PERF_DOTS))) inline Pairs addFours(Pairs a, Pairs b, Pairs sum) {
  return _mm512_dpbusd_epi32(sum, a, b);
}
inline float sumOf(Vector v) {
  return _mm512_reduce_add_ps(v);
}
inline float maxOf(Vector v) {
  return _mm512_reduce_max_ps(v);
}
inline Vector nearest(Vector v) {
  return _mm512_roundscale_ps(v, 8);
}
/// p 2^k for whole k
inline Vector scale(Vector p, Vector k) {
  return _mm512_scalef_ps(p, k);
}
inline Vector half(const uint16_t *x) {
  return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i *>(x)));
}
inline void storeHalf(uint16_t *y, Vector v, bool streams) {
  __m256i value = _mm512_cvtps_ph(v, 0);
  auto *place = reinterpret_cast<__m256i *>(y);
  if (streams)
    _mm256_stream_si256(place, value);
  else
    _mm256_store_si256(place, value);
}
/// The lanes of a row of `n` that are left at `i`.
using Part = __mmask16;
inline Part part(int64_t i, int64_t n) {
  return n - i >= 16 ? Part(0xffff) : Part((1u << (n - i)) - 1);
}
inline Vector loadPart(Part mask, const float *x) {
  return _mm512_maskz_loadu_ps(mask, x);
}
inline void storePart(Part mask, float *y, Vector v) {
  _mm512_mask_storeu_ps(y, mask, v);
}
/// `v` in the part, `otherwise` elsewhere.
inline Vector choose(Part mask, Vector v, Vector otherwise) {
  return _mm512_mask_mov_ps(otherwise, mask, v);
}

#else

using Vector = __m256;
constexpr int kLanes = 8;
inline Vector all(float x) {
  return _mm256_set1_ps(x);
}
inline Vector load(const float *x) {
  return _mm256_load_ps(x);
}
inline void store(float *y, Vector v) {
  _mm256_store_ps(y, v);
}
inline void stream(float *y, Vector v) {
  _mm256_stream_ps(y, v);
}
inline Vector loadAny(const float *x) {
  return _mm256_loadu_ps(x);
}
inline void storeAny(float *y, Vector v) {
  _mm256_storeu_ps(y, v);
}
inline Vector add(Vector a, Vector b) {
  return _mm256_add_ps(a, b);
}
inline Vector sub(Vector a, Vector b) {
  return _mm256_sub_ps(a, b);
}
inline Vector mul(Vector a, Vector b) {
  return _mm256_mul_ps(a, b);
}
inline Vector div(Vector a, Vector b) {
  return _mm256_div_ps(a, b);
}
inline Vector max(Vector a, Vector b) {
  return _mm256_max_ps(a, b);
}
inline Vector root(Vector a) {
  return _mm256_sqrt_ps(a);
}
inline Vector either(Vector a, Vector b) {
  return _mm256_or_ps(a, b);
}
inline Vector fma(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}
using Pairs = __m256i;
inline Pairs addPairs(Pairs a, Pairs b, Pairs sum) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
inline float lowest(Pairs pairs) {
  return float(_mm_cvtsi128_si32(_mm256_castsi256_si128(pairs)));
}
#define OPC_PERF_DOTS "avxvnni"
__attribute__((target(OPC_PERF_DOTS))) inline Pairs addFours(Pairs a, Pairs b, Pairs sum) {
  return _mm256_dpbusd_avx_epi32(sum, a, b);
}
inline float sumOf(Vector v) {
  __m128 x = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  x = _mm_add_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}
inline float maxOf(Vector v) {
  __m128 x = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  x = _mm_max_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}
inline Vector nearest(Vector v) {
  return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// p 2^k for whole k: no result is subnormal.
inline Vector scale(Vector p, Vector k) {
  __m256i field = _mm256_slli_epi32(_mm256_cvtps_epi32(k), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), field));
}
inline Vector half(const uint16_t *x) {
  return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i *>(x)));
}
inline void storeHalf(uint16_t *y, Vector v, bool streams) {
  __m128i value = _mm256_cvtps_ph(v, 0);
  auto *place = reinterpret_cast<__m128i *>(y);
  if (streams)
    _mm_stream_si128(place, value);
  else
    _mm_store_si128(place, value);
}
using Part = __m256i;
inline Part part(int64_t i, int64_t n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(n - i < 8 ? n - i : 8)), lane);
}
inline Vector loadPart(Part mask, const float *x) {
  return _mm256_maskload_ps(x, mask);
}
inline void storePart(Part mask, float *y, Vector v) {
  _mm256_maskstore_ps(y, mask, v);
}
inline Vector choose(Part mask, Vector v, Vector otherwise) {
  return _mm256_blendv_ps(otherwise, v, _mm256_castsi256_ps(mask));
}

#endif

} // namespace opc::perf::OPC_PERF_LEVEL

#endif // OPC_TEST_PERF_VECTOR_H
