// The parts of vector calls: operands, masks, repeats, strides.
//
//   Add(dst, src0, src1, count)                       so many elements
//   Add(dst, src0, src1, mask, repeats, params)       repeats of 256 bytes, the first `mask` lanes
//   Add(dst, src0, src1, bits, repeats, params)       ... the lanes whose bits are set
//   Add<T, false>(dst, src0, src1, MASK_PLACEHOLDER, repeats, params)
//                                                     ... those of SetVectorMask
//
// A call with types that the chip lacks does not compile; Intrinsics.def has the supported type rows.

#ifndef OPC_RUNTIME_ASCENDC_CALLS_H
#define OPC_RUNTIME_ASCENDC_CALLS_H

#include "runtime/ascendc/Queues.h"

namespace AscendC {

struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  UnaryRepeatParams(uint16_t dstBlock, uint16_t srcBlock, uint8_t dstRepeat, uint8_t srcRepeat)
      : dstBlkStride(dstBlock), srcBlkStride(srcBlock), dstRepStride(dstRepeat), srcRepStride(srcRepeat) {}
  uint16_t dstBlkStride = 1, srcBlkStride = 1;
  uint8_t dstRepStride = 8, srcRepStride = 8;
};
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(uint8_t dstBlock, uint8_t src0Block, uint8_t src1Block, uint8_t dstRepeat, uint8_t src0Repeat,
                     uint8_t src1Repeat)
      : dstBlkStride(dstBlock), src0BlkStride(src0Block), src1BlkStride(src1Block), dstRepStride(dstRepeat),
        src0RepStride(src0Repeat), src1RepStride(src1Repeat) {}
  uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1;
  uint8_t dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
};
struct CopyRepeatParams {
  CopyRepeatParams() = default;
  CopyRepeatParams(uint16_t dstBlock, uint16_t srcBlock, uint16_t dstRepeat, uint16_t srcRepeat)
      : dstStride(dstBlock), srcStride(srcBlock), dstRepeatSize(dstRepeat), srcRepeatSize(srcRepeat) {}
  uint16_t dstStride = 1, srcStride = 1, dstRepeatSize = 8, srcRepeatSize = 8;
};

/// A placeholder for the mask that SetVectorMask has set.
constexpr uint64_t MASK_PLACEHOLDER = 0;
enum class MaskMode : uint8_t { NORMAL, COUNTER };

} // namespace AscendC

namespace opc::ascendc {

using opc::Intrinsic;

inline Call vectorCall(const char *name, Intrinsic intrinsic) {
  Call call;
  call.name = name;
  call.form.kind = PipeInstruction::Vector;
  call.form.pipe = Pipe::V;
  call.form.intrinsic = intrinsic;
  return call;
}

/// A call on tiles: the destination, then the sources.
template <typename D, typename... S>
Call vectorCall(const char *name, Intrinsic intrinsic, const AscendC::LocalTensor<D> &dst,
                const AscendC::LocalTensor<S> &...sources) {
  Call call = vectorCall(name, intrinsic);
  setOperand(call.form.destination, call.destination, dst);
  unsigned i = 0;
  ((setOperand(call.form.sources[i], call.sources[i], sources), ++i), ...);
  return call;
}
template <typename T> Call withScalar(Call call, const T &scalar) {
  call.hasScalar = true;
  call.scalar = registerOf(scalar);
  return call;
}
/// Orders vector instructions, for chips whose vector pipe needs it.
inline Call vectorBarrier() {
  Call call;
  call.name = "PipeBarrier";
  call.form.kind = PipeInstruction::Barrier;
  call.form.pipe = Pipe::V;
  return call;
}
inline void byCount(Call call, int64_t count, AscendC::Place place) {
  call.count = count;
  machine().record(call, place);
}

//===----------------------------------------------------------------------===//
// Masks and repeats
//===----------------------------------------------------------------------===//

template <typename D, typename S> constexpr size_t widest = sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S);

/// The mask of a call: a number of lanes or of elements, or a pointer to bits, which are two words for elements of
/// fewer than four bytes.
template <bool isSetMask, size_t elementBytes, typename Mask> LaneMask laneMask(const Mask &mask) {
  LaneMask &kept = machine().maskRegister();
  if constexpr (!isSetMask)
    return kept;
  LaneMask result;
  if constexpr (std::is_integral_v<Mask>) {
    result.kind = kept.kind == LaneMask::Total ? LaneMask::Total : LaneMask::First;
    result.words[0] = uint64_t(mask);
  } else {
    static_assert(std::is_convertible_v<const Mask &, const uint64_t *>,
                  "a mask is a number of lanes, or an array of uint64_t with a bit for each");
    const uint64_t *bits = mask;
    result.kind = LaneMask::Bits;
    result.words[0] = bits[0];
    result.words[1] = elementBytes < 4 ? bits[1] : 0;
  }
  return result;
}
inline void byRepeats(Call call, const LaneMask &mask, int64_t repeats, AscendC::Place place) {
  call.mask = mask;
  call.repeats = repeats;
  machine().record(call, place);
}

inline void setStrides(OperandValue &value, int64_t block, int64_t repeat) {
  value.blockStride = block;
  value.repeatStride = repeat;
}
inline Call strided(Call call, const AscendC::UnaryRepeatParams &params) {
  setStrides(call.destination, params.dstBlkStride, params.dstRepStride);
  setStrides(call.sources[0], params.srcBlkStride, params.srcRepStride);
  return call;
}
/// Sets the strides of two sources, the first of which is source `first`: a mask may come before it.
inline Call strided(Call call, const AscendC::BinaryRepeatParams &params, unsigned first = 0) {
  setStrides(call.destination, params.dstBlkStride, params.dstRepStride);
  setStrides(call.sources[first], params.src0BlkStride, params.src0RepStride);
  setStrides(call.sources[first + 1], params.src1BlkStride, params.src1RepStride);
  return call;
}
inline Call strided(Call call, const AscendC::CopyRepeatParams &params) {
  setStrides(call.destination, params.dstStride, params.dstRepeatSize);
  setStrides(call.sources[0], params.srcStride, params.srcRepeatSize);
  return call;
}
/// Elements of a repeat.
template <typename T> constexpr int64_t kLanes = opc::kRepeatBytes / int64_t(sizeof(T));

/// Sets the strides of a mask; `repeat` is the stride between repeats in units of the bits of one repeat.
template <typename T> void setMaskStride(OperandValue &mask, int64_t repeat) {
  setStrides(mask, 1, repeat);
  mask.repeatUnit = kLanes<T> / 8;
}

//===----------------------------------------------------------------------===//
// Scratch, and unsupported forms
//===----------------------------------------------------------------------===//

/// Ends the kernel with an error unless `holds`: for modes and strides that the simulator does not support.
inline void expectForm(bool holds, const char *what, AscendC::Place place) {
  if (!holds)
    machine().refuse("ascendc_c11", what, place);
}
/// Ends the kernel with an error unless `holds`: for values that the chip does not accept.
inline void expectValue(bool holds, const char *what, AscendC::Place place) {
  if (!holds)
    machine().refuse("ascendc_c10", what, place);
}

template <typename T> Call scratched(Call call, const AscendC::LocalTensor<T> &scratch) {
  setOperand(call.form.scratch, call.scratch, scratch);
  return call;
}
/// Allocates scratch for a call without a scratch operand, in bytes of UB that belong to no buffer.
inline Call scratched(Call call, int64_t count, AscendC::Place place) {
  const ElementType type = call.form.sources[0].type;
  const BufferPlace where = machine().scratch(machine().scratchBytes(call.form.intrinsic, type, count), place);
  return scratched(call, tensorAt<uint8_t>(where, 0, where.bytes));
}

// The calls that each version of the toolkit has for each type, from the target's table.
#ifdef OPC_CANN
inline constexpr int kCann = OPC_CANN;
#else
inline constexpr int kCann = 0; ///< all versions
#endif

struct VersionRow {
  const char *name, *old, *now;
};
constexpr VersionRow kVersionRows[] = {
#define OPC_CALL(NAME, FORMS, IN_8_1, IN_9_1, DOCUMENTED, OTHERS) {NAME, IN_8_1, IN_9_1},
#define OPC_CAST_MODES(...)
#define OPC_CALL_OF_BOTH(...)
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
};
constexpr bool sameText(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}
/// Whether a list has the row "source", or "source>destination" when they differ. Ignores what follows the source
/// after a ':'.
constexpr bool listsRow(const char *word, const char *source, const char *destination) {
  const bool same = sameText(source, destination);
  while (*word) {
    const char *at = word;
    bool fits = true;
    for (const char *c = source; *c && fits; ++c)
      fits = *at == *c && (++at, true);
    if (fits && !same) {
      fits = *at == '>' && (++at, true);
      for (const char *c = destination; *c && fits; ++c)
        fits = *at == *c && (++at, true);
    }
    if (fits && (*at == 0 || *at == ' ' || *at == ':'))
      return true;
    while (*word && *word != ' ')
      ++word;
    word += *word == ' ' ? 1 : 0;
  }
  return false;
}
constexpr bool emits(const char *words) {
  return !sameText(words, "absent") && !sameText(words, "nothing") && !sameText(words, "refused");
}
/// Whether a selected version has a call with this name that emits instructions.
constexpr bool isTaken(const char *name) {
  for (const VersionRow &row : kVersionRows)
    if (sameText(row.name, name))
      if ((kCann != 91 && emits(row.old)) || (kCann != 81 && emits(sameText(row.now, "=") ? row.old : row.now)))
        return true;
  return false;
}
/// Whether a selected version has a call with this name that emits instructions for these element types.
constexpr bool isTaken(const char *name, const char *source, const char *destination) {
  for (const VersionRow &row : kVersionRows)
    if (sameText(row.name, name))
      if ((kCann != 91 && listsRow(row.old, source, destination)) ||
          (kCann != 81 && listsRow(sameText(row.now, "=") ? row.old : row.now, source, destination)))
        return true;
  return false;
}
/// A value that depends on T, so that it is evaluated where a call is instantiated and not where it is declared.
template <typename T, bool value> constexpr bool kOfCall = value;

} // namespace opc::ascendc

// By default a kernel can use the names of both versions, and the compiler warns where it uses a name that only one
// version has (OPC_VERSIONED). With OPC_CANN, 81 or 91, a kernel can use the names of that version only. The warnings
// and errors contain OPC_CALL or OPC_TYPES and the name; KernelSource.cpp takes the rest from the target's table.
#ifdef OPC_CANN
#define OPC_VERSIONED(NAME)
#define OPC_EXPECT_VERSION(NAME, T)                                                                                    \
  static_assert(opc::ascendc::kOfCall<T, opc::ascendc::isTaken(#NAME)>, "OPC_CALL " #NAME)
#else
#define OPC_VERSIONED(NAME) __attribute__((deprecated("OPC_CALL " #NAME)))
#define OPC_EXPECT_VERSION(NAME, T)
#endif

#define OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S)                                                                        \
  OPC_EXPECT_VERSION(NAME, S);                                                                                         \
  static_assert(opc::ascendc::kHas<opc::Intrinsic::INTRINSIC, D, S>,                                                   \
                "Ascend 310B has no '" #NAME "' of these element types; opc target show --api " #NAME                  \
                " lists what it has");                                                                                 \
  static_assert(!opc::ascendc::kHas<opc::Intrinsic::INTRINSIC, D, S> || !opc::ascendc::isTaken(#NAME) ||               \
                    opc::ascendc::isTaken(#NAME, opc::ascendc::wordOf(opc::ascendc::elementTypeOf<S>()),               \
                                          opc::ascendc::wordOf(opc::ascendc::elementTypeOf<D>())),                     \
                "OPC_TYPES " #NAME)

namespace AscendC {

/// The mask register, which calls with isSetMask = false use.
inline void SetMaskNorm() {
  if (opc::ascendc::machine().maskRegister().kind == opc::ascendc::LaneMask::Total)
    opc::ascendc::machine().maskRegister() = {opc::ascendc::LaneMask::Bits, {~uint64_t(0), ~uint64_t(0)}};
}
inline void SetMaskCount() {
  opc::ascendc::machine().maskRegister() = {opc::ascendc::LaneMask::Total, {0, 0}};
}
inline void ResetMask() {
  opc::ascendc::machine().maskRegister() = {opc::ascendc::LaneMask::Bits, {~uint64_t(0), ~uint64_t(0)}};
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow, Place place = Place()) {
  opc::ascendc::LaneMask &mask = opc::ascendc::machine().maskRegister();
  opc::ascendc::expectValue((mask.kind == opc::ascendc::LaneMask::Total) == (mode == MaskMode::COUNTER),
                            "SetVectorMask expects the mode that SetMaskNorm or SetMaskCount set", place);
  mask.words[0] = maskLow;
  mask.words[1] = maskHigh;
}
template <typename T, MaskMode mode = MaskMode::NORMAL> void SetVectorMask(int32_t length, Place place = Place()) {
  const auto count = uint64_t(length < 0 ? 0 : length);
  if constexpr (mode == MaskMode::COUNTER)
    return SetVectorMask<T, mode>(0, count, place);
  auto bits = [](uint64_t n) { return n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1; };
  SetVectorMask<T, mode>(count > 64 ? bits(count - 64) : 0, bits(count), place);
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_CALLS_H
