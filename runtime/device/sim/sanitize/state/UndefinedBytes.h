// The undefined bits of the unified buffer, and the origin of each undefined byte: the first instruction that read
// it unwritten.
//
//   load 40 bytes -> p        bytes 40..63 of p: undefined, no reader yet
//   vadd p -> q, 16 lanes     bytes 40..63 of q: undefined, read by vadd at byte 40 of p
//   store q, 40 bytes         reads no undefined byte
//
// Bits, not bytes, because a mask has one for each lane. Origins are kept for blocks of 32 bytes.
//
// The contents of some undefined bytes are known: a copy fills the last block of a row with the row's first element. A
// kernel that computes with them mostly does so by mistake, so they count as undefined, but not everywhere
// (UndefinedCheck.h). `Fill` distinguishes them from bytes with unknown contents.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace opc::sim {

/// The known contents of undefined bytes, from the least known to the most.
enum class Fill : uint8_t {
  Anything,
  OfRow,    ///< copies of the first element of a row, or lanewise results of only such copies
  OfElement ///< the same, of a row with one element
};

class UndefinedBytes {
public:
  /// The first read of bytes that are undefined by themselves.
  struct Origin {
    uint32_t reader = 0; ///< instruction
    int64_t address = 0;
    uint16_t buffer = 0;   ///< through which it reads
    uint16_t previous = 0; ///< the buffer through which the bytes were last written, or kNoBuffer
    Fill fill = Fill::Anything;
  };

  explicit UndefinedBytes(int64_t bytes);

  /// All bytes become undefined and belong to no buffer.
  void reset();
  /// Assigns the blocks of [begin, end) to a buffer: bytes that another one wrote there are undefined for it.
  void take(uint16_t buffer, int64_t begin, int64_t end);
  void define(int64_t begin, int64_t end) { setAll(begin, end, 0, Fill::Anything); }
  /// Marks bytes as undefined, with the number of an origin, or 0 for bytes that are so by themselves.
  void undefine(int64_t begin, int64_t end, uint32_t origin, Fill fill = Fill::Anything);

  /// The first undefined byte in [begin, end), or -1.
  int64_t first(int64_t begin, int64_t end) const;
  bool bit(int64_t address, int64_t index) const { return (bits[size_t(address + index / 8)] >> (index % 8)) & 1; }
  void setBit(int64_t address, int64_t index, bool undefined, uint32_t origin);
  /// The undefined bits of a byte.
  uint8_t bitsOf(int64_t address) const { return bits[size_t(address)]; }
  /// Sets the undefined bits of a byte, with unknown contents.
  void setBits(int64_t address, uint8_t undefined, uint32_t origin);
  /// The least known contents of an undefined byte in [begin, end).
  Fill fillOf(int64_t begin, int64_t end) const;
  /// For moved elements: a byte of 0xff for each undefined byte.
  uint8_t *words() { return bits.data(); }

  /// The number of the origin of an undefined byte that an instruction reads.
  uint32_t originOf(int64_t address, uint32_t reader, uint16_t buffer);
  void setOrigin(int64_t begin, int64_t end, uint32_t origin);
  /// Marks the contents of undefined bytes as unknown.
  void forgetFill(int64_t begin, int64_t end);
  const Origin &origin(uint32_t number) const { return origins[number - 1]; }

private:
  void setAll(int64_t begin, int64_t end, uint8_t undefined, Fill fill);

  std::vector<uint8_t> bits; ///< of each byte: its undefined bits
  std::vector<Fill> fills;   ///< of each byte with undefined bits
  // For each block of 32 bytes.
  std::vector<uint16_t> owner;    ///< the buffer of the last access
  std::vector<uint16_t> previous; ///< the buffer whose contents were lost to `owner`
  std::vector<uint32_t> source;   ///< number of the origin of its undefined bytes; 0: none
  std::vector<Origin> origins;
  std::map<std::tuple<uint32_t, uint16_t, Fill>, uint32_t> known; ///< by reader, previous buffer and fill
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_UNDEFINEDBYTES_H
