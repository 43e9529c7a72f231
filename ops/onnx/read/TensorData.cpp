// Decodes the typed fields of tensors. The reader has counted them, so nothing here can fail; a field is read a second
// time because most tensors are never needed.

#include "ops/onnx/TensorData.h"

#include <protozero/pbf_reader.hpp>

#include <cstring>

namespace opc::onnx {

namespace {

class Decoder {
public:
  Decoder(ElementType type, int64_t elements) : bits(elementBits(type)), isSix(bits == 6) {
    bytes.reserve(static_cast<size_t>(elements) * bits / 8 + 1);
  }

  /// One number of a typed field: an element, or, below 6 bits, a byte of elements.
  void add(uint64_t value) {
    if (isSix) {
      pending |= (value & 63) << pendingBits;
      for (pendingBits += 6; pendingBits >= 8; pendingBits -= 8, pending >>= 8)
        bytes += static_cast<char>(pending & 255);
      return;
    }
    for (unsigned i = 0; i < (bits < 8 ? 1 : bits / 8); ++i)
      bytes += static_cast<char>(value >> (8 * i) & 255);
  }
  void addBytes(const char *data, size_t size) { bytes.append(data, size); }
  std::string take() {
    if (pendingBits != 0)
      bytes += static_cast<char>(pending & 255);
    return std::move(bytes);
  }

private:
  unsigned bits;
  bool isSix;
  std::string bytes;
  uint64_t pending = 0;
  unsigned pendingBits = 0;
};

} // namespace

static void decodeFixed(protozero::pbf_reader &wire, Decoder &decoder) {
  protozero::data_view view;
  switch (wire.wire_type()) {
  case protozero::pbf_wire_type::length_delimited:
    view = wire.get_view();
    decoder.addBytes(view.data(), view.size());
    break;
  case protozero::pbf_wire_type::fixed32: {
    uint32_t value = wire.get_fixed32();
    decoder.addBytes(reinterpret_cast<const char *>(&value), sizeof value);
    break;
  }
  case protozero::pbf_wire_type::fixed64: {
    uint64_t value = wire.get_fixed64();
    decoder.addBytes(reinterpret_cast<const char *>(&value), sizeof value);
    break;
  }
  default:
    wire.skip();
  }
}

static std::string decode(const Tensor &tensor) {
  Decoder decoder(tensor.type, tensor.elements());
  try {
    protozero::pbf_reader wire(tensor.message.data(), tensor.message.size());
    while (wire.next()) {
      bool isPacked = wire.wire_type() == protozero::pbf_wire_type::length_delimited;
      switch (wire.tag()) {
      case 4:
      case 10:
        decodeFixed(wire, decoder);
        break;
      case 5:
      case 7:
      case 11:
        if (!isPacked)
          decoder.add(wire.get_uint64());
        else
          for (uint64_t value : wire.get_packed_uint64())
            decoder.add(value);
        break;
      default:
        wire.skip();
      }
    }
  } catch (const protozero::exception &) {
    // The reader walked the same bytes.
  }
  return decoder.take();
}

TensorBytes tensorBytes(const Model &model, const Tensor &tensor) {
  switch (tensor.storage) {
  case Tensor::Bytes:
    return TensorBytes(tensor.bytes);
  case Tensor::Fields:
    return TensorBytes(tensor.type == ElementType::String ? std::string() : decode(tensor));
  case Tensor::External:
    break;
  }
  auto file = model.externalFiles.find(tensor.location);
  if (file == model.externalFiles.end())
    return TensorBytes(std::string_view());
  return TensorBytes(file->second->bytes().substr(tensor.offset, tensor.length));
}

std::vector<std::string_view> tensorStrings(const Tensor &tensor) {
  std::vector<std::string_view> strings;
  if (tensor.type != ElementType::String)
    return strings;
  try {
    protozero::pbf_reader wire(tensor.message.data(), tensor.message.size());
    while (wire.next(6)) {
      protozero::data_view view = wire.get_view();
      strings.emplace_back(view.data(), view.size());
    }
  } catch (const protozero::exception &) {
    // The reader walked the same bytes.
  }
  return strings;
}

static bool isSigned(ElementType type) {
  return type == ElementType::Int8 || type == ElementType::Int16 || type == ElementType::Int32 ||
         type == ElementType::Int64;
}

static bool isWholeBytes(ElementType type) {
  return isSigned(type) || type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::UInt32 ||
         type == ElementType::UInt64 || type == ElementType::Bool;
}

std::optional<std::vector<int64_t>> tensorIntegers(const Model &model, const Tensor &tensor, size_t limit) {
  auto count = static_cast<uint64_t>(tensor.elements());
  if (!isWholeBytes(tensor.type) || count > limit)
    return std::nullopt;
  TensorBytes bytes = tensorBytes(model, tensor);
  size_t size = elementBits(tensor.type) / 8;
  if (bytes.get().size() != count * size)
    return std::nullopt;
  std::vector<int64_t> values;
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.get().data() + i * size, size);
    unsigned unused = 64 - static_cast<unsigned>(size) * 8;
    values.push_back(isSigned(tensor.type) ? static_cast<int64_t>(value << unused) >> unused
                                           : static_cast<int64_t>(value));
  }
  return values;
}

} // namespace opc::onnx
