#include "runtime/program/model/PackedWeight.h"

#include "runtime/program/ByteStream.h"

#include <algorithm>
#include <optional>

namespace opc {

static constexpr uint32_t kVersion = 1;
static constexpr std::string_view kFormat = "FRACTAL_NZ";

std::vector<uint8_t> writePackedHeader(const PackedWeight &weight) {
  ByteWriter writer;
  writer.putBytes(kPackedMagic);
  writer.put(kVersion);
  writer.putString(weight.opType);
  writer.putString(weight.input);
  writer.putString(kFormat);
  writer.putString(elementTypeName(weight.type));
  writer.put(static_cast<uint64_t>(weight.rows));
  writer.put(static_cast<uint64_t>(weight.columns));
  std::vector<uint8_t> bytes = writer.take();
  bytes.resize(kPackedStart);
  return bytes;
}

std::string readPackedHeader(const void *data, size_t size, PackedWeight &weight) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  if (size < kPackedMagic.size() || !std::equal(kPackedMagic.begin(), kPackedMagic.end(), bytes))
    return "a file that 'opc pack' wrote";
  if (size < size_t(kPackedStart))
    return "a header of " + std::to_string(kPackedStart) + " bytes, found " + std::to_string(size);
  ByteReader reader(bytes + kPackedMagic.size(), size_t(kPackedStart) - kPackedMagic.size());
  if (const auto version = reader.get<uint32_t>(); version != kVersion)
    return "version " + std::to_string(kVersion) + ", found " + std::to_string(version);
  weight.opType = reader.getString();
  weight.input = reader.getString();
  const std::string format = reader.getString(), element = reader.getString();
  const auto rows = reader.get<uint64_t>(), columns = reader.get<uint64_t>();
  if (reader.failed())
    return "a header with names and sizes";
  if (format != kFormat)
    return "the format " + std::string(kFormat);
  const std::optional<ElementType> type = parseElementType(element);
  if (!type)
    return "elements of a known type";
  if (rows > uint64_t(INT64_MAX) || columns > uint64_t(INT64_MAX))
    return "sizes of 63 bits";
  weight.type = *type;
  weight.rows = static_cast<int64_t>(rows);
  weight.columns = static_cast<int64_t>(columns);
  return {};
}

} // namespace opc
