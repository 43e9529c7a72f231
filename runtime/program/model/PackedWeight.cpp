#include "runtime/program/model/PackedWeight.h"

#include "runtime/program/format/ByteStream.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace opc {

static constexpr uint32_t kVersion = 3; // 2: a checksum. 3: shapes of any rank

// Each word is mixed one-to-one with its place, so that words do not change places unnoticed.
uint64_t packedSum(const void *data, size_t bytes, int64_t offset) {
  constexpr uint64_t kOfPlace = 0x9e3779b97f4a7c15, kOfWord = 0xd6e8feb86659fd93; // odd
  const auto *from = static_cast<const uint8_t *>(data);
  uint64_t sum = 0, place = uint64_t(offset / 8) * kOfPlace;
  for (size_t i = 0; i < bytes; i += 8, place += kOfPlace) {
    uint64_t word;
    std::memcpy(&word, from + i, sizeof word);
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
      word = __builtin_bswap64(word);
    word += place;
    word = (word ^ word >> 32) * kOfWord;
    sum += word ^ word >> 29;
  }
  return sum;
}

/// The header up to the checksum.
static std::vector<uint8_t> writeFields(const PackedWeight &weight) {
  ByteWriter writer;
  writer.putBytes(kPackedMagic);
  writer.put(kVersion);
  writer.putString(weight.opType);
  writer.putString(weight.input);
  writer.putString(formatOf(weight.form));
  writer.putString(elementTypeName(weight.type));
  writer.put(static_cast<uint32_t>(weight.shape.size()));
  for (int64_t size : weight.shape)
    writer.put(static_cast<uint64_t>(size));
  return writer.take();
}

uint64_t packedChecksum(const PackedWeight &weight, uint64_t sumOfColumns) {
  std::vector<uint8_t> fields = writeFields(weight);
  fields.resize((fields.size() + 7) / 8 * 8);
  return sumOfColumns + packedSum(fields.data(), fields.size(), 0);
}

std::vector<uint8_t> writePackedHeader(const PackedWeight &weight) {
  std::vector<uint8_t> bytes = writeFields(weight);
  ByteWriter writer;
  writer.put(weight.checksum);
  const std::vector<uint8_t> checksum = writer.take();
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
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
  const auto rank = reader.get<uint32_t>();
  if (!reader.failed() && (rank < 2 || rank > kMostPackedRank))
    return "2 to " + std::to_string(kMostPackedRank) + " dimensions, found " + std::to_string(rank);
  weight.shape.clear();
  bool fits = true;
  for (uint32_t i = 0; i < rank && !reader.failed(); ++i) {
    const auto size = reader.get<uint64_t>();
    fits &= size <= uint64_t(INT64_MAX);
    weight.shape.push_back(static_cast<int64_t>(size));
  }
  weight.checksum = reader.get<uint64_t>();
  if (reader.failed())
    return "a header with names and sizes";
  weight.form = packedFormOf(format);
  if (weight.form == PackedForm::None)
    return "the format FRACTAL_NZ or FILTERS_NZ";
  const std::optional<ElementType> type = parseElementType(element);
  if (!type)
    return "elements of a known type";
  if (!fits)
    return "sizes of 63 bits";
  weight.type = *type;
  const std::vector<uint8_t> header = writePackedHeader(weight);
  return std::equal(header.begin(), header.end(), bytes) ? "" : "zeros behind the fields of its header";
}

} // namespace opc
