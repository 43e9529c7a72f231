// Reads tensors: finds their bytes, and checks their number against the shape.
//
// The elements of typed fields (float_data, int64_data, ...) are counted, not copied: TensorData.cpp decodes them
// on demand.

#include "ops/onnx/read/Parts.h"

#include <algorithm>

namespace opc::onnx {

namespace {

/// The contents of a tensor's fields.
struct Contents {
  int64_t type = 0;
  bool hasRaw = false, isExternal = false;
  uint64_t entries = 0; ///< of the typed fields
  uint32_t field = 0;   ///< the typed field that has entries, 0: none
  bool severalFields = false;
  size_t pieces = 0;      ///< of the typed field
  std::string_view piece; ///< the last one, when it is packed
  std::vector<std::pair<std::string_view, std::string_view>> external;
};

enum TypedField : uint32_t {
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  DoubleData = 10,
  UInt64Data = 11
};

} // namespace

static uint32_t fieldOf(ElementType type) {
  switch (type) {
  case ElementType::Float32:
  case ElementType::Complex64:
    return FloatData;
  case ElementType::Float64:
  case ElementType::Complex128:
    return DoubleData;
  case ElementType::Int64:
    return Int64Data;
  case ElementType::UInt32:
  case ElementType::UInt64:
    return UInt64Data;
  case ElementType::String:
    return StringData;
  default:
    return Int32Data;
  }
}

/// Entries of a typed field that a tensor with `elements` has.
static uint64_t entriesFor(ElementType type, uint64_t elements) {
  switch (type) {
  case ElementType::Complex64:
  case ElementType::Complex128:
    return 2 * elements;
  case ElementType::UInt4:
  case ElementType::Int4:
  case ElementType::Float4E2M1:
    return (elements + 1) / 2;
  case ElementType::UInt2:
  case ElementType::Int2:
    return (elements + 3) / 4;
  default:
    return elements;
  }
}

/// Numbers in a packed field of variable length: each ends with a byte below 128, and has 10 bytes at most.
static uint64_t countVarints(Reading &reading, std::string_view bytes) {
  constexpr unsigned kMostBytes = 10;
  uint64_t count = 0;
  unsigned length = 0;
  for (char c : bytes) {
    if (++length > kMostBytes)
      reading.refuse(Code::E1000, "onnx_c1", "expects numbers of at most 10 bytes, found a longer one");
    if (static_cast<unsigned char>(c) < 0x80) {
      ++count;
      length = 0;
    }
  }
  if (length != 0)
    reading.refuse(Code::E1000, "onnx_c1", "expects numbers that end within their field, found one that is cut off");
  return count;
}

static void readTypedField(Reading &reading, Message &message, Contents &contents) {
  uint32_t field = message.field();
  contents.severalFields |= contents.field != 0 && contents.field != field;
  contents.field = field;
  ++contents.pieces;
  size_t size = field == FloatData ? 4 : field == DoubleData ? 8 : 0;
  if (field == StringData) {
    message.bytes();
    ++contents.entries;
  } else if (message.isPacked()) {
    contents.piece = message.bytes();
    if (size != 0 && contents.piece.size() % size != 0)
      reading.refuse(Code::E1000, "onnx_c1",
                     "expects whole numbers of " + std::to_string(size) + " bytes in a packed field, found " +
                         std::to_string(contents.piece.size()) + " bytes");
    contents.entries += size != 0 ? contents.piece.size() / size : countVarints(reading, contents.piece);
  } else {
    bool right = field == FloatData    ? message.isFixed32()
                 : field == DoubleData ? message.isFixed64()
                                       : message.isVarint();
    if (!right)
      message.wrongWireType();
    message.skip();
    contents.piece = {};
    ++contents.entries;
  }
}

static std::pair<std::string_view, std::string_view> readEntry(Reading &reading, std::string_view bytes) {
  std::pair<std::string_view, std::string_view> entry;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1)
      entry.first = message.text();
    else if (message.field() == 2)
      entry.second = message.text();
    else
      message.skip();
  }
  return entry;
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

/// onnx_c8. The number of elements.
static uint64_t checkShape(Reading &reading, const Tensor &tensor) {
  reading.checkRank(tensor.shape.size());
  int64_t product = 1;
  bool empty = false, tooLarge = false;
  for (int64_t size : tensor.shape) {
    tooLarge |= size < 0 || (size != 0 && __builtin_mul_overflow(product, size, &product));
    empty |= size == 0;
  }
  // Bits are counted in 64 bits later on.
  if (tooLarge || product > INT64_MAX / 128)
    reading.refuse(Code::E1001, "onnx_c8",
                   "expects sizes of a tensor from 0 on, less than 2^56 elements in all, found '" +
                       printable(tensor.name, 60) + "' with " + shapeText(tensor.shape),
                   "export the model again, or download it again: no exporter writes such sizes");
  return empty ? 0 : static_cast<uint64_t>(product);
}

static void checkBytes(Reading &reading, const Tensor &tensor, uint64_t elements, uint64_t found, const char *unit,
                       uint64_t wanted) {
  if (found != wanted)
    reading.refuse(Code::E1001, "onnx_c7",
                   "expects " + std::to_string(wanted) + " " + unit + " for the " + std::to_string(elements) +
                       " elements of '" + printable(tensor.name, 60) + "', " +
                       std::string(elementTypeName(tensor.type)) + " " + shapeText(tensor.shape) + ", found " +
                       std::to_string(found),
                   "export the model again, or download it again: its shape and its data do not belong together");
}

static void readExternal(Reading &reading, const Contents &contents, Tensor &tensor, uint64_t bytes) {
  tensor.storage = Tensor::External;
  tensor.length = bytes;
  auto number = [&](std::string_view text) {
    uint64_t value = 0;
    bool right = !text.empty() && text.size() <= 18;
    for (char c : text) {
      right &= c >= '0' && c <= '9';
      value = value * 10 + static_cast<uint64_t>(c - '0');
    }
    if (!right)
      reading.refuse(Code::E1003, "onnx_c9",
                     "expects 'offset' and 'length' of external data to be whole numbers, found '" +
                         printable(text, 40) + "'");
    return value;
  };
  for (auto [key, value] : contents.external) {
    if (key == "location")
      tensor.location = value;
    else if (key == "offset")
      tensor.offset = number(value);
    else if (key == "length")
      checkBytes(reading, tensor, static_cast<uint64_t>(tensor.elements()), number(value), "bytes of external data",
                 bytes);
  }
  if (tensor.type == ElementType::String)
    reading.refuse(Code::E1003, "onnx_c9", "expects external data to be numbers, found strings");
}

static void readFields(Reading &reading, std::string_view bytes, Tensor &tensor, Contents &contents) {
  Message message(reading, bytes);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.integers(tensor.shape);
      break;
    case 2:
      contents.type = message.integer();
      break;
    case 3:
      reading.refuse(Code::E1001, "onnx_c7", "expects tensors in one piece, found a segment of one");
    case FloatData:
    case Int32Data:
    case StringData:
    case Int64Data:
    case DoubleData:
    case UInt64Data:
      readTypedField(reading, message, contents);
      break;
    case 8:
      tensor.name = message.text();
      break;
    case 9:
      tensor.bytes = message.bytes();
      contents.hasRaw = true;
      break;
    case 13:
      reading.count(contents.external);
      contents.external.push_back(readEntry(reading, message.bytes()));
      break;
    case 14:
      contents.isExternal = message.integer() == 1;
      break;
    default:
      message.skip();
    }
  }
}

Tensor readTensor(Reading &reading, std::string_view bytes) {
  Tensor tensor;
  tensor.message = bytes;
  tensor.at = offsetIn(reading.file, bytes);
  const char *begin = reading.at;
  Contents contents;
  readFields(reading, bytes, tensor, contents);
  reading.at = begin;

  std::optional<ElementType> type = elementTypeOf(contents.type);
  if (!type)
    reading.refuse(Code::E1001, "onnx_c7",
                   "expects a type of elements that ONNX has for '" + printable(tensor.name, 60) + "', found number " +
                       std::to_string(contents.type));
  tensor.type = *type;
  uint64_t elements = checkShape(reading, tensor);
  uint64_t rawBytes = (elements * elementBits(tensor.type) + 7) / 8;
  if (contents.isExternal) {
    if (contents.hasRaw || contents.field != 0)
      reading.refuse(Code::E1001, "onnx_c7",
                     "expects the elements of a tensor in one place, found external data and others");
    readExternal(reading, contents, tensor, rawBytes);
    return tensor;
  }
  if (contents.severalFields || (contents.hasRaw && contents.field != 0))
    reading.refuse(Code::E1001, "onnx_c7", "expects the elements of a tensor in one field, found several");
  if (contents.hasRaw) {
    if (tensor.type == ElementType::String)
      reading.refuse(Code::E1001, "onnx_c7", "expects strings in 'string_data', found 'raw_data'");
    checkBytes(reading, tensor, elements, tensor.bytes.size(), "bytes", rawBytes);
    return tensor;
  }
  if (contents.field != 0 && contents.field != fieldOf(tensor.type))
    reading.refuse(Code::E1001, "onnx_c7",
                   "expects elements of type " + std::string(elementTypeName(tensor.type)) + " in field " +
                       std::to_string(fieldOf(tensor.type)) + ", found field " + std::to_string(contents.field));
  checkBytes(reading, tensor, elements, contents.entries, "entries", entriesFor(tensor.type, elements));
  tensor.storage = Tensor::Fields;
  // Floats in one packed field have the layout of memory.
  if (contents.pieces == 1 && !contents.piece.empty() &&
      (contents.field == FloatData || contents.field == DoubleData)) {
    tensor.storage = Tensor::Bytes;
    tensor.bytes = contents.piece;
  }
  return tensor;
}

} // namespace opc::onnx
