// Rows with a block each, as emitted: groups of eight rows, groups that are not full, rows that are
// too long for the strides of a group, one row of any length.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "row_blocks_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "row_blocks.cpp"
// clang-format on

using Floats = std::vector<float>;

static void expectEqual(const char *what, int64_t rows, int64_t length, const Floats &found, const Floats &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (found[i] != expected[i]) {
      std::printf("%s of %d rows of %d: element %d is wrong\n", what, int(rows), int(length), int(i));
      std::exit(1);
    }
}

static void check(int64_t rows, int64_t length) {
  RowBlocksTilingData tiling{};
  expect(RowBlocksTiling(rows, length, tiling), "the tiling function refuses a size");
  Floats x, values, spread, less, parts;
  std::vector<int32_t> places;
  for (int64_t row = 0; row < rows; ++row) {
    values.push_back(float(row % 13 + 1) / 4);
    for (int64_t lane = 0; lane < 8; ++lane) {
      spread.push_back(values.back());
      places.push_back(int32_t(4 * row));
    }
    for (int64_t i = 0; i < length; ++i) {
      x.push_back(float((row * length + i) % 1009 - 500) / 8);
      less.push_back(x.back() - values.back());
      parts.push_back(x.back() / values.back());
    }
  }
  std::vector<Floats> out(3, Floats(20480, -9.0f));
  Launch launch;
  launch.sanitize.init = false;
  uint8_t *gm[6] = {launch.add(x, false), launch.add(places, false), launch.add(values, false)};
  for (size_t i = 0; i < out.size(); ++i)
    gm[3 + i] = launch.add(out[i], true);
  launch.run(0, 1, tiling,
             [&](uint8_t *data) { ::row_blocks(gm[0], gm[1], gm[2], gm[3], gm[4], gm[5], nullptr, data); });
  expectEqual("vgather", rows, length, out[0], spread);
  expectEqual("vsub", rows, length, out[1], less);
  expectEqual("vdiv", rows, length, out[2], parts);
}

int main() {
  for (int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 64})
    for (int64_t length : {8, 16, 64, 72, 128, 312})
      check(rows, length);
  // 255 blocks and one more.
  for (int64_t rows : {4, 8, 10})
    for (int64_t length : {2040, 2048})
      check(rows, length);
  for (int64_t length : {1, 7, 63, 65, 1000, 16319, 16320, 16321, 16383})
    check(1, length);
  std::printf("all elements agree\n");
  return 0;
}
