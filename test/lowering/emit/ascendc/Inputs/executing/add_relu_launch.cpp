// AddRelu as emitted, both type rows, against max(x1 + x2, 0).

// clang-format off: the host's function is there where no kernel header was
#include "launch.h"
#pragma push_macro("__CCE_AICORE__")
#undef __CCE_AICORE__
#include "add_relu_tiling.h"
#pragma pop_macro("__CCE_AICORE__")
#include "add_relu.cpp"
// clang-format on

template <typename T> static void run(uint64_t key) {
  runAll<T, AddReluTilingData>(
      key, 2, AddReluTiling,
      [](const auto &tensors, uint8_t *tiling) { add_relu(tensors[0], tensors[1], tensors[2], nullptr, tiling); },
      [](const std::vector<std::vector<T>> &in, size_t i) {
        float sum = static_cast<float>(T(static_cast<float>(in[0][i]) + static_cast<float>(in[1][i])));
        return T(sum > 0.0f ? sum : 0.0f);
      });
}

int main() {
  run<half>(0);
  run<float>(256);
  std::puts("all elements agree");
}
