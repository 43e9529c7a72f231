// Which bits of the unified buffer are undefined, and where an undefined byte comes from: the first instruction that
// read it where nothing had been written.
//
//   load 40 bytes -> p        bytes 40..63 of p: undefined, no reader yet
//   vadd p -> q, 16 lanes     bytes 40..63 of q: undefined, read by vadd at byte 40 of p
//   store q, 40 bytes         reads no undefined byte
//
// Bits, not bytes, because a mask has one for each lane. Origins are kept for blocks of 32 bytes.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace opc::sim {

class UndefinedBytes {
public:
  /// The first read of bytes that are undefined by themselves.
  struct Origin {
    uint32_t reader = 0; ///< instruction
    int64_t address = 0;
    uint16_t buffer = 0;   ///< through which it reads
    uint16_t previous = 0; ///< the buffer through which the bytes were last written, or kNoBuffer
  };

  explicit UndefinedBytes(int64_t bytes);

  /// All bytes become undefined and belong to no buffer.
  void reset();
  /// Takes the blocks of [begin, end) for a buffer: what another one wrote there is undefined for it.
  void take(uint16_t buffer, int64_t begin, int64_t end);
  void define(int64_t begin, int64_t end) { fill(begin, end, 0); }
  /// Marks bytes as undefined, with the number of an origin, or 0 for bytes that are so by themselves.
  void undefine(int64_t begin, int64_t end, uint32_t origin);

  /// The first undefined byte in [begin, end), or -1.
  int64_t first(int64_t begin, int64_t end) const;
  bool bit(int64_t address, int64_t index) const { return (bits[size_t(address + index / 8)] >> (index % 8)) & 1; }
  void setBit(int64_t address, int64_t index, bool undefined, uint32_t origin);
  /// For elements that are moved: a byte of 0xff for each undefined byte.
  uint8_t *words() { return bits.data(); }

  /// The number of the origin of an undefined byte that an instruction reads.
  uint32_t originOf(int64_t address, uint32_t reader, uint16_t buffer);
  void setOrigin(int64_t begin, int64_t end, uint32_t origin);
  const Origin &origin(uint32_t number) const { return origins[number - 1]; }

private:
  void fill(int64_t begin, int64_t end, uint8_t value);

  std::vector<uint8_t> bits; ///< of each byte: its undefined bits
  // For each block of 32 bytes.
  std::vector<uint16_t> owner;    ///< the buffer of the last access
  std::vector<uint16_t> previous; ///< the buffer whose contents were lost to `owner`
  std::vector<uint32_t> source;   ///< number of the origin of its undefined bytes; 0: none
  std::vector<Origin> origins;
  std::map<std::pair<uint32_t, uint16_t>, uint32_t> known; ///< by reader and previous buffer
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H
