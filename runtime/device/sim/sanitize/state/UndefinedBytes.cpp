// UndefinedBytes.

#include "runtime/device/sim/sanitize/state/UndefinedBytes.h"

#include "runtime/program/PipeInstruction.h"

#include <algorithm>
#include <cstring>

namespace opc::sim {

UndefinedBytes::UndefinedBytes(int64_t bytes) {
  const size_t blocks = size_t((bytes + kBlockBytes - 1) / kBlockBytes);
  bits.resize(blocks * size_t(kBlockBytes));
  fills.resize(bits.size());
  owner.resize(blocks);
  previous.resize(blocks);
  source.resize(blocks);
  reset();
}

void UndefinedBytes::reset() {
  std::fill(bits.begin(), bits.end(), uint8_t(0xff));
  std::fill(fills.begin(), fills.end(), Fill::Anything);
  std::fill(owner.begin(), owner.end(), kNoBuffer);
  std::fill(previous.begin(), previous.end(), kNoBuffer);
  std::fill(source.begin(), source.end(), 0u);
}

void UndefinedBytes::setAll(int64_t begin, int64_t end, uint8_t undefined, Fill fill) {
  if (begin >= end)
    return;
  std::memset(bits.data() + begin, undefined, size_t(end - begin));
  std::memset(fills.data() + begin, int(fill), size_t(end - begin));
}

void UndefinedBytes::forgetFill(int64_t begin, int64_t end) {
  if (begin < end)
    std::memset(fills.data() + begin, int(Fill::Anything), size_t(end - begin));
}

void UndefinedBytes::take(uint16_t buffer, int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  for (int64_t block = begin / kBlockBytes; block <= (end - 1) / kBlockBytes; ++block) {
    const size_t index = size_t(block);
    if (owner[index] == buffer)
      continue;
    setAll(block * kBlockBytes, (block + 1) * kBlockBytes, 0xff, Fill::Anything);
    previous[index] = owner[index];
    owner[index] = buffer;
    source[index] = 0;
  }
}

void UndefinedBytes::undefine(int64_t begin, int64_t end, uint32_t origin, Fill fill) {
  setAll(begin, end, 0xff, fill);
  setOrigin(begin, end, origin);
}

void UndefinedBytes::setOrigin(int64_t begin, int64_t end, uint32_t origin) {
  for (int64_t block = begin / kBlockBytes; begin < end && block <= (end - 1) / kBlockBytes; ++block)
    source[size_t(block)] = origin;
}

void UndefinedBytes::setBit(int64_t address, int64_t index, bool undefined, uint32_t origin) {
  const int64_t byte = address + index / 8;
  const auto bit = uint8_t(1u << (index % 8));
  bits[size_t(byte)] = undefined ? bits[size_t(byte)] | bit : bits[size_t(byte)] & uint8_t(~bit);
  if (!undefined)
    return;
  source[size_t(byte / kBlockBytes)] = origin;
  fills[size_t(byte)] = Fill::Anything;
}

void UndefinedBytes::setBits(int64_t address, uint8_t undefined, uint32_t origin) {
  bits[size_t(address)] = undefined;
  fills[size_t(address)] = Fill::Anything;
  if (undefined != 0)
    source[size_t(address / kBlockBytes)] = origin;
}

Fill UndefinedBytes::fillOf(int64_t begin, int64_t end) const {
  Fill least = Fill::OfElement;
  for (int64_t at = first(begin, end); at >= 0; at = first(at + 1, end))
    least = std::min(least, fills[size_t(at)]);
  return least;
}

int64_t UndefinedBytes::first(int64_t begin, int64_t end) const {
  // Eight bytes at a time where all are defined, which is the usual case.
  int64_t at = begin;
  for (; at + 8 <= end; at += 8) {
    uint64_t word;
    std::memcpy(&word, bits.data() + at, sizeof word);
    if (word != 0)
      break;
  }
  for (; at < end; ++at)
    if (bits[size_t(at)] != 0)
      return at;
  return -1;
}

uint32_t UndefinedBytes::originOf(int64_t address, uint32_t reader, uint16_t buffer) {
  const size_t block = size_t(address / kBlockBytes);
  if (source[block] != 0)
    return source[block];
  const Fill fill = fills[size_t(address)];
  auto [found, isNew] = known.try_emplace({reader, previous[block], fill}, uint32_t(origins.size() + 1));
  if (isNew)
    origins.push_back({reader, address, buffer, previous[block], fill});
  return found->second;
}

} // namespace opc::sim
