// Swish as emitted, both type rows, against x / (1 + exp(-beta * x)) in f32. Samples are small,
// where a body that splits the exponent of large ones divides by 1 and has the same bits.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "swish_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "swish.cpp"
// clang-format on

#include <cmath>

constexpr float kBeta = 1.5f;

template <typename T> static void run(uint64_t key) {
  runAll<T, SwishTilingData>(
      key, 1,
      [](int64_t n, int64_t blocks, SwishTilingData &tiling) {
        tiling.beta = kBeta;
        return SwishTiling(n, blocks, tiling);
      },
      [](const auto &tensors, uint8_t *tiling) { swish(tensors[0], tensors[1], nullptr, tiling); },
      [](const std::vector<std::vector<T>> &in, size_t i) {
        float x = static_cast<float>(in[0][i]);
        return T(x / (std::exp(x * -kBeta) + 1.0f));
      });
}

int main() {
  run<half>(0);
  run<float>(256);
  std::puts("all elements agree");
}
