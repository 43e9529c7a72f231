// Writer and bounds-checked reader of the binary formats, which are little endian on every host.
//
// After an error the reader returns zeros, so that parsing code needs no checks in between; callers check `failed`
// before they use the values. A count is accepted only when the rest of the input is large enough for that many
// elements, so allocations are bounded by the size of the input.

#ifndef OPC_RUNTIME_PROGRAM_FORMAT_BYTESTREAM_H
#define OPC_RUNTIME_PROGRAM_FORMAT_BYTESTREAM_H

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace opc {

/// The longest string of a valid file; names and paths are short.
inline constexpr size_t kLongestString = 4096;

class ByteWriter {
public:
  template <typename T> void put(T value) {
    auto bits = static_cast<uint64_t>(value);
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  }
  void putBytes(std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }
  void putString(std::string_view text) {
    put(static_cast<uint32_t>(text.size()));
    putBytes(text);
  }
  std::vector<uint8_t> take() { return std::move(bytes); }

private:
  std::vector<uint8_t> bytes;
};

class ByteReader {
public:
  ByteReader(const uint8_t *data, size_t size) : data(data), size(size) {}

  template <typename T> T get() {
    if (!has(sizeof(T)))
      return T{};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      bits |= static_cast<uint64_t>(data[position + i]) << (8 * i);
    position += sizeof(T);
    return static_cast<T>(bits);
  }

  /// Reads a count of elements that each take at least `elementBytes` bytes of the input.
  size_t getCount(size_t elementBytes) {
    auto count = get<uint32_t>();
    if (count > (size - position) / elementBytes)
      return fail<size_t>();
    return count;
  }

  std::string getString() {
    size_t length = getCount(1);
    if (length > kLongestString)
      return fail<std::string>();
    std::string text(reinterpret_cast<const char *>(data + position), length);
    position += length;
    return text;
  }

  /// Skips the size of `expected`; returns whether the skipped bytes equal it.
  bool skipBytes(std::string_view expected) {
    if (!has(expected.size()))
      return false;
    std::string_view found(reinterpret_cast<const char *>(data + position), expected.size());
    position += expected.size();
    return found == expected;
  }

  bool failed() const { return hasFailed; }
  bool atEnd() const { return !hasFailed && position == size; }

private:
  template <typename T> T fail() {
    hasFailed = true;
    position = size;
    return T{};
  }
  bool has(size_t bytes) {
    if (size - position >= bytes)
      return true;
    return fail<bool>();
  }

  const uint8_t *data;
  size_t size;
  size_t position = 0;
  bool hasFailed = false;
};

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_FORMAT_BYTESTREAM_H
