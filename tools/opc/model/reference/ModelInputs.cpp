#include "tools/opc/model/reference/ModelInputs.h"

#include "tools/opc/tensors/RandomInputs.h"

#include <algorithm>

namespace opc::tool {

bool addModelTensors(const std::vector<ModelTensor> &wanted, std::vector<Tensor> &tensors, Diagnostics &diagnostics) {
  for (const ModelTensor &tensor : wanted) {
    std::optional<Tensor> made = Tensor::create(tensor.type, tensor.shape);
    if (!made) {
      diagnostics.error(Code::E0901, {}, "no memory holds the tensor '" + printable(tensor.name) + "'");
      return false;
    }
    tensors.push_back(std::move(*made));
  }
  return true;
}

void fillModelInput(Tensor &tensor, uint64_t seed) {
  switch (tensor.type()) {
  case ElementType::Float16:
  case ElementType::BFloat16:
  case ElementType::Float32:
  case ElementType::Float64:
    fillRandom(tensor, seed);
    return;
  default:
    break;
  }
  std::optional<Tensor> bits = Tensor::create(ElementType::UInt8, {tensor.numElements()});
  if (!bits)
    return;
  fillRandom(*bits, seed);
  const size_t size = elementSize(tensor.type());
  auto *to = static_cast<uint8_t *>(tensor.data());
  std::fill(to, to + tensor.numBytes(), uint8_t(0));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    to[static_cast<size_t>(i) * size] = static_cast<const uint8_t *>(bits->data())[i] & 1;
}

} // namespace opc::tool
