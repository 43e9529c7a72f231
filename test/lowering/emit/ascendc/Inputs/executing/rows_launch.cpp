// Copies of rows as emitted: every number of rows and length of a row up to the tile, three
// pitches.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "rows_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "rows.cpp"
// clang-format on

int main() {
  constexpr int64_t yPitch = 80;
  for (int64_t rows = 1; rows <= 8; ++rows)
    for (int64_t row = 1; row < 64; ++row)
      for (int64_t pitch : {row, row + 1, int64_t(100)}) {
        RowsTilingData tiling{};
        expect(RowsTiling(rows, row, pitch, tiling), "the tiling function refuses a size");
        std::vector<float> x(static_cast<size_t>(3 + rows * pitch)), y(static_cast<size_t>(2 + rows * yPitch));
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = sample<float>(int64_t(i), 0);
        for (size_t i = 0; i < y.size(); ++i)
          y[i] = sample<float>(int64_t(i), 1);
        std::vector<float> expected = y;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < row; ++c)
            expected[static_cast<size_t>(2 + r * yPitch + c)] += x[static_cast<size_t>(3 + r * pitch + c)];
        // The first element is replaced by the lane after the first row.
        bool isPadded = row % 8 != 0;
        if (isPadded)
          expected[2] = y[2] + 7.0f;
        Launch launch;
        launch.sanitize.init = false;
        uint8_t *xGm = launch.add(x, /*isOutput=*/false), *yGm = launch.add(y, /*isOutput=*/true);
        launch.run(0, 1, tiling, [&](uint8_t *data) { ::rows(xGm, yGm, nullptr, data); });
        for (size_t i = isPadded ? 0 : 3; i < y.size(); ++i)
          if (y[i] != expected[i]) {
            std::printf("%d rows of %d, pitch %d: element %d is wrong\n", int(rows), int(row), int(pitch), int(i));
            return 1;
          }
      }
  std::puts("all elements agree");
}
