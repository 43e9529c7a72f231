// ConvImage as emitted, recorded call by call and run with all sanitizers. Elements are small multiples of 1/4, so that sums are
// exact and an element of another window is another number.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "conv_image_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "conv_image.cpp"
// clang-format on

namespace {

struct Case {
  int64_t images, blocks, h, w, kh, kw, o1;
  int64_t down() const { return (h + 3 - kh) / 2 + 1; }
  int64_t across() const { return w + 3 - 2 * (kw - 1); }
};

/// A result in float, by its definition: strides 2 and 1, dilations 1 and 2, pads 1 at the top and 3 on the left.
float expected(const Case &c, const std::vector<half> &x, const std::vector<half> &w, const std::vector<float> &bias,
               int64_t image, int64_t filter, int64_t row, int64_t column) {
  float sum = bias[static_cast<size_t>(filter)];
  for (int64_t block = 0; block < c.blocks; ++block)
    for (int64_t i = 0; i < c.kh; ++i)
      for (int64_t j = 0; j < c.kw; ++j) {
        const int64_t y = row * 2 + i - 1, z = column + j * 2 - 3;
        if (y < 0 || y >= c.h || z < 0 || z >= c.w)
          continue;
        const int64_t place = ((image * c.blocks + block) * c.h + y) * c.w + z;
        const int64_t element = ((block * c.kh + i) * c.kw + j) * c.o1 * 16 + filter;
        for (int64_t channel = 0; channel < 16; ++channel)
          sum += float(x[static_cast<size_t>(place * 16 + channel)]) *
                 float(w[static_cast<size_t>(element * 16 + channel)]);
      }
  return sum < 0 ? 0 : sum;
}

} // namespace

int main() {
  constexpr Case cases[] = {{1, 1, 1, 1, 3, 1, 1}, {2, 2, 5, 9, 3, 3, 2}, {1, 1, 2, 133, 3, 2, 9}};
  for (const Case &c : cases) {
    ConvImageTilingData tiling{};
    expect(ConvImageTiling(c.images, c.blocks, c.h, c.w, c.kh, c.kw, c.o1, c.down(), c.across(), 1, tiling),
           "the tiling function refuses a size");
    std::vector<half> x(static_cast<size_t>(c.images * c.blocks * c.h * c.w * 16)),
        w(static_cast<size_t>(c.blocks * c.kh * c.kw * c.o1 * 16 * 16)),
        y(static_cast<size_t>(c.images * c.o1 * c.down() * c.across() * 16));
    std::vector<float> bias(static_cast<size_t>(c.o1 * 16));
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = half(float(int(i * 7 % 31) - 15) / 4);
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = half(float(int(i * 11 % 13) - 6) / 4);
    for (size_t i = 0; i < bias.size(); ++i)
      bias[i] = float(int(i * 5 % 17) - 8);
    Launch launch;
    uint8_t *xGm = launch.add(x, /*isOutput=*/false), *wGm = launch.add(w, /*isOutput=*/false),
            *biasGm = launch.add(bias, /*isOutput=*/false), *yGm = launch.add(y, /*isOutput=*/true);
    launch.run(0, tiling.block_num_, tiling,
               [&](uint8_t *data) { ::conv_image(xGm, wGm, biasGm, yGm, nullptr, data); });
    for (int64_t i = 0; i < int64_t(y.size()); ++i) {
      const int64_t place = i / 16, column = place % c.across(), row = place / c.across() % c.down();
      const int64_t block = place / c.across() / c.down();
      const float sum = expected(c, x, w, bias, block / c.o1, block % c.o1 * 16 + i % 16, row, column);
      if (float(y[static_cast<size_t>(i)]) != float(half(sum))) {
        std::printf("element %d is wrong: %f, not %f\n", int(i), double(float(y[static_cast<size_t>(i)])), double(sum));
        return 1;
      }
    }
  }
  std::puts("all elements agree");
}
