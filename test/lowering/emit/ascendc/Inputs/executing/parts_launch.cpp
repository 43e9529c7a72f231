// Calls that take repeats, as emitted: lengths around a repeat, and beyond the 255 that one call
// takes.

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "parts_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "parts.cpp"
// clang-format on

#include <algorithm>
#include <cmath>

using Floats = std::vector<float>;

static void expectEqual(const char *what, int64_t n, const Floats &found, const Floats &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (std::memcmp(&found[i], &expected[i], sizeof(float)) != 0) {
      std::printf("%s of %d elements: element %d is wrong\n", what, int(n), int(i));
      std::exit(1);
    }
}

/// Sums of groups in which elements past the end are 0; values are small enough for any order.
static Floats sums(const Floats &x, size_t group, size_t results) {
  Floats y(results, 0.0f);
  for (size_t i = 0; i < x.size(); ++i)
    y[i / group] += x[i];
  return y;
}

using Pairs = std::vector<std::pair<float, uint32_t>>;

static Floats flat(const Pairs &pairs) {
  Floats y;
  for (const auto &[score, index] : pairs) {
    y.push_back(score);
    y.push_back(opc::floatFromBits(index));
  }
  return y;
}

static void fall(Pairs::iterator begin, Pairs::iterator end) {
  std::stable_sort(begin, end, [](const auto &a, const auto &b) { return a.first > b.first; });
}

int main() {
  for (int64_t n : {1, 2, 7, 8, 9, 63, 64, 65, 100, 1000, 16319, 16320, 16321, 16384, 16896})
    for (int64_t groups : {1, 2, 3, 127, 128, 129, 132}) {
      PartsTilingData tiling{};
      expect(PartsTiling(n, groups, tiling), "the tiling function refuses a size");
      const size_t size = static_cast<size_t>(std::max(n, groups * 128));
      Floats x(size);
      std::vector<uint8_t> mask(static_cast<size_t>((n + 7) / 8));
      std::vector<uint32_t> indices(static_cast<size_t>(groups * 64));
      for (size_t i = 0; i < size; ++i)
        x[i] = sample<float>(int64_t(i), 0);
      for (size_t i = 0; i < mask.size(); ++i)
        mask[i] = uint8_t(i * 37 + 11);
      for (size_t i = 0; i < indices.size(); ++i)
        indices[i] = uint32_t(1000 + i);
      std::vector<Floats> out(9, Floats(40000, -9.0f));
      Launch launch;
      launch.sanitize.init = false;
      uint8_t *gm[12] = {launch.add(x, false), launch.add(mask, false), launch.add(indices, false)};
      for (size_t i = 0; i < out.size(); ++i)
        gm[3 + i] = launch.add(out[i], true);
      launch.run(0, 1, tiling, [&](uint8_t *data) {
        ::parts(gm[0], gm[1], gm[2], gm[3], gm[4], gm[5], gm[6], gm[7], gm[8], gm[9], gm[10], gm[11], nullptr, data);
      });

      const Floats taken(x.begin(), x.begin() + n);
      const size_t repeats = static_cast<size_t>((n + 63) / 64);
      expectEqual("vcopy", n, out[0], taken);
      Floats most(repeats, -65504.0f);
      for (size_t i = 0; i < taken.size(); ++i)
        most[i / 64] = std::fmax(most[i / 64], taken[i]);
      expectEqual("vreduce_repeat_max", n, out[1], most);
      expectEqual("vreduce_block_sum", n, out[2], sums(taken, 8, repeats * 8));
      expectEqual("vreduce_pair_sum", n, out[3], sums(taken, 2, repeats * 32));
      Floats kept, fourth;
      for (size_t i = 0; i < taken.size(); ++i) {
        if ((mask[i / 8] >> (i % 8)) & 1)
          kept.push_back(taken[i]);
        if (i % 4 == 3)
          fourth.push_back(taken[i]);
      }
      expectEqual("vgather_mask", n, out[4], kept);
      expectEqual("vgather_pattern", n, out[5], fourth);

      Floats planes(x.begin(), x.begin() + groups * 128);
      const size_t plane = planes.size() / 16;
      Floats last(planes.size());
      for (size_t c = 0; c < 16; ++c)
        for (size_t p = 0; p < plane; ++p)
          last[p * 16 + c] = planes[c * plane + p];
      expectEqual("vtrans5hd", n, out[6], last);

      Pairs pairs;
      for (size_t i = 0; i < indices.size(); ++i)
        pairs.emplace_back(planes[i], indices[i]);
      for (size_t i = 0; i < pairs.size(); i += 32)
        fall(pairs.begin() + int64_t(i), pairs.begin() + int64_t(i) + 32);
      expectEqual("vsort32", n, out[7], flat(pairs));
      Pairs two(pairs.begin(), pairs.begin() + 64);
      fall(two.begin(), two.end());
      Pairs three = two;
      three.insert(three.end(), pairs.begin(), pairs.begin() + 64);
      fall(three.begin(), three.end());
      Floats merged = flat(two), rest = flat(three);
      merged.insert(merged.end(), rest.begin(), rest.end());
      expectEqual("vmrgsort", n, out[8], merged);
    }
  std::puts("all elements agree");
}
