// What memory gives at most: loops that move bytes and compute nothing that counts. One for each
// number of tensors read and written; a kernel is held against the one of its own traffic.

#ifndef OPC_TEST_PERF_CEILINGS_H
#define OPC_TEST_PERF_CEILINGS_H

#include <cstdint>

namespace opc::perf {

/// How results are stored: through the caches, or past them with loads asked for 4 KB ahead.
enum class Stores { Ordinary, Streaming };

/// `n` floats of each tensor, a multiple of 64 (the rest is left out); pointers are aligned to 64.
void moveOne(const float *x, float *y, int64_t n, Stores stores);
void moveTwo(const float *a, const float *b, float *y, int64_t n, Stores stores);
/// Reads only; the result keeps the loop alive.
float readOne(const float *x, int64_t n);

} // namespace opc::perf

#endif // OPC_TEST_PERF_CEILINGS_H
