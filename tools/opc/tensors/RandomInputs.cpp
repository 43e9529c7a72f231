#include "tools/opc/tensors/RandomInputs.h"

#include "runtime/target/Half.h"

#include <cstring>

namespace opc::tool {

void fillRandom(Tensor &tensor, uint64_t seed) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  auto next = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    float value = float(int64_t(next() >> 40) - (int64_t(1) << 23)) / float(1 << 21);
    int integer = int(next() >> 33) % 17 - 8;
    switch (tensor.type()) {
    case ElementType::Float16: {
      Half half = toHalf(value);
      std::memcpy(static_cast<char *>(tensor.data()) + i * 2, &half, 2);
      break;
    }
    case ElementType::BFloat16: {
      uint32_t bits;
      std::memcpy(&bits, &value, 4);
      static_cast<uint16_t *>(tensor.data())[i] = uint16_t(bits >> 16);
      break;
    }
    case ElementType::Float32:
      static_cast<float *>(tensor.data())[i] = value;
      break;
    case ElementType::Float64:
      static_cast<double *>(tensor.data())[i] = value;
      break;
    case ElementType::Bool:
      static_cast<uint8_t *>(tensor.data())[i] = uint8_t(integer & 1);
      break;
    default: {
      int64_t wide = integer; // little endian: the low bytes have the value
      unsigned size = elementSize(tensor.type());
      std::memcpy(static_cast<char *>(tensor.data()) + i * size, &wide, size);
    }
    }
  }
}

void fillRandom(Tensor &tensor, uint64_t seed, const ManifestTensor &input) {
  if (input.values)
    std::memset(tensor.data(), 0, static_cast<size_t>(tensor.numBytes()));
  else
    fillRandom(tensor, seed);
}

} // namespace opc::tool
