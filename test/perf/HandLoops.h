// Loops a person would write with intrinsics, AVX-512 where the machine has it and else AVX2: what generated kernels
// are held against. Ceilings are those of the same level.

#ifndef OPC_TEST_PERF_HANDLOOPS_H
#define OPC_TEST_PERF_HANDLOOPS_H

#include <cstdint>

namespace opc::perf {

/// Of any length; pointers are aligned to 64. With `stream` stores go past the caches, and loads are asked for 4 KB
/// ahead.
using Unary = void (*)(const float *x, float *y, int64_t n, bool stream);
using Binary = void (*)(const float *a, const float *b, float *y, int64_t n, bool stream);
/// Rows of any length, `m` of them, `n` long.
using Broadcast = void (*)(const float *x, const float *b, float *y, int64_t m, int64_t n, bool stream);

struct HandLoops {
  const char *level; ///< as cpuLevels() spells it
  Binary addRelu, add, mul;
  void (*addReluHalf)(const uint16_t *a, const uint16_t *b, uint16_t *y, int64_t n, bool stream);
  Unary relu, squareRoot, exp, sigmoid, swish;
  /// Softmax takes three passes a row, the normalisations two.
  void (*softmax)(const float *x, float *y, int64_t m, int64_t n);
  void (*layerNorm)(const float *x, const float *gamma, const float *beta, float *y, int64_t m, int64_t n);
  void (*rmsNorm)(const float *x, const float *gamma, float *y, int64_t m, int64_t n);
  Broadcast addRow;    ///< y[r][i] = x[r][i] + b[i]
  Broadcast addColumn; ///< y[r][i] = x[r][i] + b[r]

  // What memory gives at most: loops that move bytes and compute nothing that counts. One for each number of tensors
  // read and written; a kernel is held against the one of its own traffic.
  Unary moveOne;
  Binary moveTwo;
  /// Reads only, up to the last multiple of 64; the result keeps the loop alive.
  float (*readOne)(const float *x, int64_t n);
  /// The same for 2 n halves, which are converted and added: the order of a reduction that keeps nothing.
  float (*readHalves)(const float *x, int64_t n);
  /// The rate of the machine: n fused products and sums in registers, in as many chains as its latency needs.
  float (*multiplyAdd)(int64_t n);
  /// Likewise of bytes into sums of 32 bits: in fours where the machine has an instruction for that, else as pairs of
  /// 16-bit numbers.
  float (*multiplyBytes)(int64_t n);
};

/// Those of the best level that this machine has; nullptr when it has not even AVX2.
const HandLoops *handLoops();

namespace v3 {
HandLoops loops();
} // namespace v3
namespace v4 {
HandLoops loops();
} // namespace v4

} // namespace opc::perf

#endif // OPC_TEST_PERF_HANDLOOPS_H
