// Compiled once a level: OPC_PERF_LEVEL is v3 or v4.

#include "test/perf/HandLoops.h"

#include "test/perf/Vector.h"

namespace opc::perf::OPC_PERF_LEVEL {

/// The distance in floats that streams are asked for ahead, the best that was measured at each level: 4 KB with
/// AVX-512 (EPYC of family 26), 256 bytes with AVX2 (family 25), where 4 KB took 1.25 times as long.
static constexpr int64_t kAhead = kLanes == 16 ? 1024 : 64, kLine = 16;

template <bool Streams> static inline void put(float *y, Vector value) {
  if (Streams)
    stream(y, value);
  else
    store(y, value);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// y = f(x) or f(a, b), 64 elements a turn, then masked vectors.
template <bool Streams, typename Function, typename... Inputs>
static void mapLoop(Function function, float *y, int64_t n, const Inputs *...inputs) {
  int64_t i = 0;
  for (; i + 64 <= n; i += 64) {
    if (Streams)
      for (int64_t j = i; j < i + 64; j += kLine)
        (_mm_prefetch(reinterpret_cast<const char *>(inputs + j + kAhead), _MM_HINT_T0), ...);
    for (int64_t j = i; j < i + 64; j += kLanes)
      put<Streams>(y + j, function(load(inputs + j)...));
  }
  for (; i < n; i += kLanes) {
    Part mask = part(i, n);
    storePart(mask, y + i, function(loadPart(mask, inputs + i)...));
  }
  if (Streams)
    _mm_sfence();
}

template <typename Function, typename... Inputs>
static void map(Function function, float *y, int64_t n, bool streams, const Inputs *...inputs) {
  if (streams)
    mapLoop<true>(function, y, n, inputs...);
  else
    mapLoop<false>(function, y, n, inputs...);
}

static void addRelu(const float *a, const float *b, float *y, int64_t n, bool streams) {
  map([](Vector p, Vector q) { return max(all(0), add(p, q)); }, y, n, streams, a, b);
}

static void addTwo(const float *a, const float *b, float *y, int64_t n, bool streams) {
  map([](Vector p, Vector q) { return add(p, q); }, y, n, streams, a, b);
}

static void mulTwo(const float *a, const float *b, float *y, int64_t n, bool streams) {
  map([](Vector p, Vector q) { return mul(p, q); }, y, n, streams, a, b);
}

static void relu(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return max(all(0), v); }, y, n, streams, x);
}

static void squareRoot(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return root(v); }, y, n, streams, x);
}

static void moveOne(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return v; }, y, n, streams, x);
}

static void moveTwo(const float *a, const float *b, float *y, int64_t n, bool streams) {
  map([](Vector p, Vector q) { return either(p, q); }, y, n, streams, a, b);
}

static float readOne(const float *x, int64_t n) {
  Vector seen[64 / kLanes];
  for (Vector &one : seen)
    one = all(0);
  for (int64_t i = 0; i + 64 <= n; i += 64) {
    for (int64_t j = i; j < i + 64; j += kLine)
      _mm_prefetch(reinterpret_cast<const char *>(x + j + kAhead), _MM_HINT_T0);
    for (int u = 0; u < 64 / kLanes; ++u)
      seen[u] = either(seen[u], load(x + i + u * kLanes));
  }
  Vector any = all(0);
  for (Vector one : seen)
    any = either(any, one);
  return sumOf(any);
}

static float readHalves(const float *x, int64_t n) {
  const auto *halves = reinterpret_cast<const uint16_t *>(x);
  Vector sums[4];
  for (Vector &one : sums)
    one = all(0);
  for (int64_t i = 0; i + 4 * kLanes <= 2 * n; i += 4 * kLanes) {
    for (int64_t j = i; j < i + 4 * kLanes; j += 2 * kLine)
      _mm_prefetch(reinterpret_cast<const char *>(halves + j + 2 * kAhead), _MM_HINT_T0);
    for (int u = 0; u < 4; ++u)
      sums[u] = add(sums[u], half(halves + i + u * kLanes));
  }
  return sumOf(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
}

static float multiplyAdd(int64_t n) {
  constexpr int kChains = 12;
  Vector sums[kChains];
  for (Vector &one : sums)
    one = all(1);
  // Values that the compiler does not know, and that stay as they are.
  Vector x = all(1), y = all(0);
  asm volatile("" : "+v"(x), "+v"(y));
  for (int64_t i = 0; i < n; i += kChains * kLanes)
    for (Vector &one : sums) {
      one = fma(x, one, y);
      asm volatile("" : "+v"(one));
    }
  Vector any = all(0);
  for (Vector one : sums)
    any = either(any, one);
  return sumOf(any);
}

static float multiplyPairs(int64_t n) {
  constexpr int kChains = 12;
  Pairs sums[kChains] = {}, x = {}, y = {};
  for (int64_t i = 0; i < n; i += kChains * 2 * kLanes)
    for (Pairs &one : sums) {
      asm volatile("" : "+v"(x), "+v"(y));
      one = addPairs(x, y, one);
      asm volatile("" : "+v"(one));
    }
  float any = 0;
  for (const Pairs &one : sums)
    any += lowest(one);
  return any;
}

__attribute__((target(OPC_PERF_DOTS))) static float multiplyFours(int64_t n) {
  constexpr int kChains = 12;
  Pairs sums[kChains] = {}, x = {}, y = {};
  for (int64_t i = 0; i < n; i += kChains * 4 * kLanes)
    for (Pairs &one : sums) {
      asm volatile("" : "+v"(x), "+v"(y));
      one = addFours(x, y, one);
      asm volatile("" : "+v"(one));
    }
  float any = 0;
  for (const Pairs &one : sums)
    any += lowest(one);
  return any;
}

static void addReluHalf(const uint16_t *a, const uint16_t *b, uint16_t *y, int64_t n, bool streams) {
  for (int64_t i = 0; i < n; i += 64)
    for (int64_t j = i; j < i + 64; j += kLanes)
      storeHalf(y + j, max(all(0), add(half(a + j), half(b + j))), streams);
  _mm_sfence();
}

/// Subnormal results become numbers near 2^-126.
static inline Vector exponential(Vector x) {
  x = max(all(-87.33f), x);
  Vector k = nearest(mul(x, all(0x1.715476p+0f)));
  Vector r = fma(k, all(-0x1.62e430p-1f), x);
  r = fma(k, all(0x1.05c610p-29f), r);
  Vector p = all(0x1.6a9cb6p-10f);
  constexpr float kCoefficients[] = {0x1.126ad8p-7f, 0x1.5554c0p-5f, 0x1.55541ap-3f, 0.5f, 1, 1};
  for (float c : kCoefficients)
    p = fma(p, r, all(c));
  return scale(p, k);
}

static void exponentials(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return exponential(v); }, y, n, streams, x);
}

/// 1 / (1 + e^-v) of a numerator other than 1.
static inline Vector gated(Vector numerator, Vector v) {
  return div(numerator, add(all(1), exponential(sub(all(0), v))));
}

static void sigmoid(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return gated(all(1), v); }, y, n, streams, x);
}

static void swish(const float *x, float *y, int64_t n, bool streams) {
  map([](Vector v) { return gated(v, v); }, y, n, streams, x);
}

//===----------------------------------------------------------------------===//
// Rows: whole groups of four vectors, then masked ones
//===----------------------------------------------------------------------===//

static constexpr int kAccumulators = 4;

/// f(position, u, part) for each vector of a row; the accumulators of whole groups are told apart by a constant u, so
/// that they stay in registers.
template <typename Whole, typename Partial> static inline void along(int64_t n, Whole whole, Partial partial) {
  int64_t i = 0;
  for (; i + kAccumulators * kLanes <= n; i += kAccumulators * kLanes)
    for (int u = 0; u < kAccumulators; ++u)
      whole(i + u * kLanes, u);
  for (; i < n; i += kLanes)
    partial(i, part(i, n));
}

template <typename Join> static inline Vector joined(const Vector *parts, Join join) {
  return join(join(parts[0], parts[1]), join(parts[2], parts[3]));
}

static inline float total(const Vector *parts) {
  return sumOf(joined(parts, [](Vector a, Vector b) { return add(a, b); }));
}

static void softmax(const float *x, float *y, int64_t m, int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    Vector largest[kAccumulators], sum[kAccumulators];
    for (int u = 0; u < kAccumulators; ++u) {
      largest[u] = all(-__builtin_inff());
      sum[u] = all(0);
    }
    along(
        n, [&](int64_t i, int u) { largest[u] = max(largest[u], loadAny(x + i)); },
        [&](int64_t i, Part mask) { largest[0] = choose(mask, max(largest[0], loadPart(mask, x + i)), largest[0]); });
    Vector shift = all(maxOf(joined(largest, [](Vector a, Vector b) { return max(a, b); })));
    along(
        n,
        [&](int64_t i, int u) {
          Vector e = exponential(sub(loadAny(x + i), shift));
          sum[u] = add(sum[u], e);
          storeAny(y + i, e);
        },
        [&](int64_t i, Part mask) {
          Vector e = exponential(sub(loadPart(mask, x + i), shift));
          sum[0] = choose(mask, add(sum[0], e), sum[0]);
          storePart(mask, y + i, e);
        });
    Vector factor = all(1.0f / total(sum));
    along(
        n, [&](int64_t i, int) { storeAny(y + i, mul(factor, loadAny(y + i))); },
        [&](int64_t i, Part mask) { storePart(mask, y + i, mul(factor, loadPart(mask, y + i))); });
  }
}

static void layerNorm(const float *x, const float *gamma, const float *beta, float *y, int64_t m, int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    Vector sum[kAccumulators], square[kAccumulators];
    for (int u = 0; u < kAccumulators; ++u)
      sum[u] = square[u] = all(0);
    auto take = [&](Vector v, int u) {
      sum[u] = add(sum[u], v);
      square[u] = fma(v, v, square[u]);
    };
    along(
        n, [&](int64_t i, int u) { take(loadAny(x + i), u); },
        [&](int64_t i, Part mask) { take(loadPart(mask, x + i), 0); });
    float mean = total(sum) / float(n);
    float variance = total(square) / float(n) - mean * mean;
    Vector factor = all(1.0f / __builtin_sqrtf(variance + 1e-5f)), shift = all(mean);
    along(
        n,
        [&](int64_t i, int) {
          Vector scaled = mul(factor, loadAny(gamma + i));
          storeAny(y + i, fma(sub(loadAny(x + i), shift), scaled, loadAny(beta + i)));
        },
        [&](int64_t i, Part mask) {
          Vector scaled = mul(factor, loadPart(mask, gamma + i));
          Vector v = sub(loadPart(mask, x + i), shift);
          storePart(mask, y + i, fma(v, scaled, loadPart(mask, beta + i)));
        });
  }
}

static void rmsNorm(const float *x, const float *gamma, float *y, int64_t m, int64_t n) {
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    Vector square[kAccumulators];
    for (Vector &one : square)
      one = all(0);
    auto take = [&](Vector v, int u) { square[u] = fma(v, v, square[u]); };
    along(
        n, [&](int64_t i, int u) { take(loadAny(x + i), u); },
        [&](int64_t i, Part mask) { take(loadPart(mask, x + i), 0); });
    Vector factor = all(1.0f / __builtin_sqrtf(total(square) / float(n) + 1e-5f));
    along(
        n, [&](int64_t i, int) { storeAny(y + i, mul(mul(loadAny(x + i), factor), loadAny(gamma + i))); },
        [&](int64_t i, Part mask) {
          Vector v = mul(loadPart(mask, x + i), factor);
          storePart(mask, y + i, mul(v, loadPart(mask, gamma + i)));
        });
  }
}

// Streams where rows are whole vectors and begin aligned; else stores of rows cannot.
template <bool Columns>
static void addBroadcast(const float *x, const float *b, float *y, int64_t m, int64_t n, bool streams) {
  streams = streams && n % kLanes == 0;
  for (int64_t row = 0; row < m; ++row, x += n, y += n) {
    Vector own = all(b[Columns ? row : 0]);
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      Vector sum = add(loadAny(x + i), Columns ? own : loadAny(b + i));
      if (streams)
        stream(y + i, sum);
      else
        storeAny(y + i, sum);
    }
    if (i < n) {
      Part mask = part(i, n);
      storePart(mask, y + i, add(loadPart(mask, x + i), Columns ? own : loadPart(mask, b + i)));
    }
  }
  _mm_sfence();
}

HandLoops loops() {
  HandLoops all;
  all.level = kLanes == 16 ? "x86-64-v4" : "x86-64-v3";
  all.addRelu = addRelu;
  all.add = addTwo;
  all.mul = mulTwo;
  all.addReluHalf = addReluHalf;
  all.relu = relu;
  all.squareRoot = squareRoot;
  all.exp = exponentials;
  all.sigmoid = sigmoid;
  all.swish = swish;
  all.softmax = softmax;
  all.layerNorm = layerNorm;
  all.rmsNorm = rmsNorm;
  all.addRow = addBroadcast<false>;
  all.addColumn = addBroadcast<true>;
  all.moveOne = moveOne;
  all.moveTwo = moveTwo;
  all.readOne = readOne;
  all.readHalves = readHalves;
  all.multiplyAdd = multiplyAdd;
  all.multiplyBytes = __builtin_cpu_supports(OPC_PERF_DOTS) ? multiplyFours : multiplyPairs;
  return all;
}

} // namespace opc::perf::OPC_PERF_LEVEL
