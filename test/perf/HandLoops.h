// Loops a person would write with AVX-512 intrinsics: what generated kernels are held against.

#ifndef OPC_TEST_PERF_HANDLOOPS_H
#define OPC_TEST_PERF_HANDLOOPS_H

#include <cstdint>

namespace opc::perf {

/// Lengths are multiples of 64; pointers are aligned to 64. With `stream` stores go past the
/// caches.
void addRelu(const float *a, const float *b, float *y, int64_t n, bool stream);
void addReluHalf(const uint16_t *a, const uint16_t *b, uint16_t *y, int64_t n, bool stream);
void swish(const float *x, float *y, int64_t n, bool stream);
void add(const float *a, const float *b, float *y, int64_t n, bool stream);
void mul(const float *a, const float *b, float *y, int64_t n, bool stream);
void relu(const float *x, float *y, int64_t n, bool stream);
void squareRoot(const float *x, float *y, int64_t n, bool stream);
void exp(const float *x, float *y, int64_t n, bool stream);
void sigmoid(const float *x, float *y, int64_t n, bool stream);
/// Rows of any length, `m` of them, `n` long. Softmax takes three passes a row, the normalisations
/// two.
void softmax(const float *x, float *y, int64_t m, int64_t n);
void layerNorm(const float *x, const float *gamma, const float *beta, float *y, int64_t m,
               int64_t n);
void rmsNorm(const float *x, const float *gamma, float *y, int64_t m, int64_t n);
/// y[r][i] = x[r][i] + b[i], rows of n, masked at their ends.
void addRow(const float *x, const float *b, float *y, int64_t m, int64_t n, bool stream);
/// y[r][i] = x[r][i] + b[r]
void addColumn(const float *x, const float *b, float *y, int64_t m, int64_t n, bool stream);
/// The ceiling of one input and one output: a copy, with ordinary stores.
void copy(const float *x, float *y, int64_t n);

} // namespace opc::perf

#endif // OPC_TEST_PERF_HANDLOOPS_H
