// Intrinsics that move elements: copies, gather and scatter by byte offsets, packing of kept elements, transposes.
// They copy bits, so that NaNs keep their payload.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

template <typename Word> void copy(const VectorCall &call) {
  std::memmove(call.destination, call.sources[0], size_t(call.count) * sizeof(Word));
}

/// Offsets were checked before: each is that of a whole element of the source.
template <typename Word> void gather(const VectorCall &call) {
  const char *source = static_cast<const char *>(call.sources[0]);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    uint32_t offsets[kBlock];
    Word values[kBlock] = {};
    load<uint32_t>(call.sources[1], index, lanes, offsets);
    for (int64_t i = 0; i < lanes; ++i)
      std::memcpy(values + i, source + offsets[i], sizeof(Word));
    store<Word>(values, call.destination, index, lanes);
  });
}

/// Offsets were checked before. Lanes are written in order: among equal offsets the last lane wins.
template <typename Word> void scatter(const VectorCall &call) {
  const Word *source = static_cast<const Word *>(call.sources[0]);
  const uint32_t *offsets = static_cast<const uint32_t *>(call.sources[1]);
  char *destination = static_cast<char *>(call.destination);
  for (int64_t i = 0; i < call.count; ++i)
    std::memcpy(destination + offsets[i], source + i, sizeof(Word));
}

/// Sources: mask, then the elements.
template <typename Word> void gatherMask(const VectorCall &call) {
  const uint8_t *mask = static_cast<const uint8_t *>(call.sources[0]);
  const Word *source = static_cast<const Word *>(call.sources[1]);
  Word *destination = static_cast<Word *>(call.destination);
  for (int64_t i = 0; i < call.count; ++i)
    if ((mask[i / 8] >> (i % 8)) & 1)
      *destination++ = source[i];
}

/// Keeps every `step`-th element from element `first` on.
template <typename Word> void gatherPattern(const VectorCall &call) {
  const Word *source = static_cast<const Word *>(call.sources[0]);
  Word *destination = static_cast<Word *>(call.destination);
  int64_t first = 0, step = 1;
  if (call.pattern == GatherPattern::Even || call.pattern == GatherPattern::Odd) {
    first = call.pattern == GatherPattern::Odd ? 1 : 0;
    step = 2;
  } else if (call.pattern != GatherPattern::All) {
    first = int64_t(call.pattern) - int64_t(GatherPattern::First);
    step = 4;
  }
  for (int64_t i = first; i < call.count; i += step)
    *destination++ = source[i];
}

/// The destination may be the source.
template <typename Word> void transpose(const VectorCall &call) {
  Word rows[kTransposeRows * kTransposeRows];
  std::memcpy(rows, call.sources[0], sizeof(rows));
  Word *destination = static_cast<Word *>(call.destination);
  for (int64_t i = 0; i < kTransposeRows; ++i)
    for (int64_t j = 0; j < kTransposeRows; ++j)
      destination[j * kTransposeRows + i] = rows[i * kTransposeRows + j];
}

template <typename Word> void channelsLast(const VectorCall &call) {
  constexpr int64_t channels = sizeof(Word) == 1 ? 32 : 16;
  const Word *source = static_cast<const Word *>(call.sources[0]);
  Word *destination = static_cast<Word *>(call.destination);
  const int64_t plane = call.count / channels;
  for (int64_t p = 0; p < plane; ++p)
    for (int64_t c = 0; c < channels; ++c)
      destination[p * channels + c] = source[c * plane + p];
}

#define OPC_SIM_WORDS_OF_16(INTRINSIC, FUNCTION)                                                                       \
  entry<int16_t>(INTRINSIC, FUNCTION<uint16_t>), entry<uint16_t>(INTRINSIC, FUNCTION<uint16_t>),                       \
      entry<Half>(INTRINSIC, FUNCTION<uint16_t>)
#define OPC_SIM_WORDS_OF_32(INTRINSIC, FUNCTION)                                                                       \
  entry<int32_t>(INTRINSIC, FUNCTION<uint32_t>), entry<uint32_t>(INTRINSIC, FUNCTION<uint32_t>),                       \
      entry<float>(INTRINSIC, FUNCTION<uint32_t>)
#define OPC_SIM_WORDS_OF_8(INTRINSIC, FUNCTION)                                                                        \
  entry<int8_t>(INTRINSIC, FUNCTION<uint8_t>), entry<uint8_t>(INTRINSIC, FUNCTION<uint8_t>)

const VectorEntry kTable[] = {
    OPC_SIM_WORDS_OF_16(Intrinsic::vcopy, copy),
    OPC_SIM_WORDS_OF_32(Intrinsic::vcopy, copy),
    entry<BFloat16>(Intrinsic::vcopy, copy<uint16_t>),
    OPC_SIM_WORDS_OF_16(Intrinsic::vgather, gather),
    OPC_SIM_WORDS_OF_32(Intrinsic::vgather, gather),
    entry<BFloat16>(Intrinsic::vgather, gather<uint16_t>),
    OPC_SIM_WORDS_OF_16(Intrinsic::vgather_mask, gatherMask),
    OPC_SIM_WORDS_OF_32(Intrinsic::vgather_mask, gatherMask),
    OPC_SIM_WORDS_OF_16(Intrinsic::vgather_pattern, gatherPattern),
    OPC_SIM_WORDS_OF_32(Intrinsic::vgather_pattern, gatherPattern),
    OPC_SIM_WORDS_OF_8(Intrinsic::vscatter, scatter),
    OPC_SIM_WORDS_OF_16(Intrinsic::vscatter, scatter),
    OPC_SIM_WORDS_OF_32(Intrinsic::vscatter, scatter),
    OPC_SIM_WORDS_OF_16(Intrinsic::vtranspose, transpose),
    OPC_SIM_WORDS_OF_8(Intrinsic::vtrans5hd, channelsLast),
    OPC_SIM_WORDS_OF_16(Intrinsic::vtrans5hd, channelsLast),
    OPC_SIM_WORDS_OF_32(Intrinsic::vtrans5hd, channelsLast),
};

#undef OPC_SIM_WORDS_OF_16
#undef OPC_SIM_WORDS_OF_32
#undef OPC_SIM_WORDS_OF_8

} // namespace

VectorTable moveTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL
