// AddMatmul as emitted, recorded call by call and run with all sanitizers: tails of each size, one row, several tiles.
// Elements are small multiples of 1/16, so that sums are exact and any fractal at another place is another number.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "add_matmul_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "add_matmul.cpp"
// clang-format on

int main() {
  constexpr int64_t sizes[][3] = {{16, 16, 16}, {1, 1, 1}, {17, 33, 5}, {129, 70, 131}, {2, 200, 3}, {1, 64, 300}};
  for (const auto &[m, k, n] : sizes) {
    AddMatmulTilingData tiling{};
    expect(AddMatmulTiling(m, k, n, 1, tiling), "the tiling function refuses a size");
    std::vector<half> x1(static_cast<size_t>(m * k)), x2(static_cast<size_t>(k * n));
    std::vector<float> bias(static_cast<size_t>(n)), y(static_cast<size_t>(m * n));
    for (size_t i = 0; i < x1.size(); ++i)
      x1[i] = half(float(int(i * 7 % 31) - 15) / 4);
    for (size_t i = 0; i < x2.size(); ++i)
      x2[i] = half(float(int(i * 11 % 29) - 14) / 4);
    for (size_t i = 0; i < bias.size(); ++i)
      bias[i] = float(int(i * 5 % 17) - 8);
    Launch launch;
    uint8_t *x1Gm = launch.add(x1, /*isOutput=*/false), *x2Gm = launch.add(x2, /*isOutput=*/false),
            *biasGm = launch.add(bias, /*isOutput=*/false), *yGm = launch.add(y, /*isOutput=*/true);
    launch.run(0, tiling.block_num_, tiling,
               [&](uint8_t *data) { ::add_matmul(x1Gm, x2Gm, biasGm, yGm, nullptr, data); });
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = bias[static_cast<size_t>(j)];
        for (int64_t step = 0; step < k; ++step)
          sum += float(x1[static_cast<size_t>(i * k + step)]) * float(x2[static_cast<size_t>(step * n + j)]);
        if (y[static_cast<size_t>(i * n + j)] != sum) {
          std::printf("%d x %d x %d: element %d, %d is wrong\n", int(m), int(k), int(n), int(i), int(j));
          return 1;
        }
      }
  }
  std::puts("all elements agree");
}
