// Vector calls that work lane by lane, each in three forms:
//
//   Add(dst, src0, src1, count)                  so many elements
//   Add(dst, src0, src1, mask, repeats, params)  repeats of 256 bytes, the first `mask` lanes of
//   each Add(dst, src0, src1, bits, repeats, params)  the lanes whose bits are set
//
// A call with types that the chip lacks does not compile: the rows of Intrinsics.def decide.

#ifndef OPC_RUNTIME_DEVICE_SIM_ASCENDC_VECTOR_H
#define OPC_RUNTIME_DEVICE_SIM_ASCENDC_VECTOR_H

#include "runtime/device/sim/ascendc/Copies.h"

namespace AscendC {

struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  UnaryRepeatParams(uint16_t dstBlock, uint16_t srcBlock, uint8_t dstRepeat, uint8_t srcRepeat)
      : dstBlkStride(dstBlock), srcBlkStride(srcBlock), dstRepStride(dstRepeat),
        srcRepStride(srcRepeat) {}
  uint16_t dstBlkStride = 1, srcBlkStride = 1;
  uint8_t dstRepStride = 8, srcRepStride = 8;
};
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(uint8_t dstBlock, uint8_t src0Block, uint8_t src1Block, uint8_t dstRepeat,
                     uint8_t src0Repeat, uint8_t src1Repeat)
      : dstBlkStride(dstBlock), src0BlkStride(src0Block), src1BlkStride(src1Block),
        dstRepStride(dstRepeat), src0RepStride(src0Repeat), src1RepStride(src1Repeat) {}
  uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1;
  uint8_t dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
};
struct CopyRepeatParams {
  CopyRepeatParams() = default;
  CopyRepeatParams(uint16_t dstBlock, uint16_t srcBlock, uint16_t dstRepeat, uint16_t srcRepeat)
      : dstStride(dstBlock), srcStride(srcBlock), dstRepeatSize(dstRepeat),
        srcRepeatSize(srcRepeat) {}
  uint16_t dstStride = 1, srcStride = 1, dstRepeatSize = 8, srcRepeatSize = 8;
};

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
template <typename T> void setScalar(Call &call, const T &scalar) {
  call.hasScalar = true;
  call.scalar = registerOf(scalar);
}
inline void byCount(Call call, int64_t count, AscendC::Place place) {
  call.count = count;
  machine().record(call, place);
}

struct LaneMask {
  bool isBits = false;
  uint64_t words[2] = {0, 0};
  LaneMask(uint64_t lanes) : words{lanes, 0} {}
  /// One word names the lanes of 32-bit elements, two those of 16-bit ones.
  LaneMask(const uint64_t *bits, size_t elementBytes)
      : isBits(true), words{bits[0], elementBytes < 4 ? bits[1] : 0} {}
};
inline void byRepeats(Call call, const LaneMask &mask, int64_t repeats, AscendC::Place place) {
  call.maskIsBits = mask.isBits;
  call.mask[0] = mask.words[0];
  call.mask[1] = mask.words[1];
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
inline Call strided(Call call, const AscendC::BinaryRepeatParams &params) {
  setStrides(call.destination, params.dstBlkStride, params.dstRepStride);
  setStrides(call.sources[0], params.src0BlkStride, params.src0RepStride);
  setStrides(call.sources[1], params.src1BlkStride, params.src1RepStride);
  return call;
}

} // namespace opc::ascendc

#define OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S)                                                    \
  static_assert(opc::ascendc::kHas<opc::Intrinsic::INTRINSIC, D, S>,                               \
                "Ascend 310B has no '" #NAME                                                       \
                "' of these element types; opc target show --api " #NAME " lists what it has")
#define OPC_EXPECT_SET_MASK                                                                        \
  static_assert(isSetMask,                                                                         \
                "the simulator has no mask register that outlives a call: isSetMask is "           \
                "true here")

namespace AscendC {

#define OPC_UNARY(NAME, INTRINSIC)                                                                 \
  template <typename T, bool isSetMask = true>                                                     \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count,            \
            Place place = Place()) {                                                               \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                       \
    opc::ascendc::byCount(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src),    \
                          count, place);                                                           \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask,                   \
            const uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::byRepeats(                                                                       \
        opc::ascendc::strided(                                                                     \
            opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), params),         \
        mask, repeatTimes, place);                                                                 \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],           \
            const uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::byRepeats(                                                                       \
        opc::ascendc::strided(                                                                     \
            opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), params),         \
        {mask, sizeof(T)}, repeatTimes, place);                                                    \
  }

#define OPC_BINARY(NAME, INTRINSIC)                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,     \
            const int32_t &count, Place place = Place()) {                                         \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    opc::ascendc::byCount(                                                                         \
        opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src0, src1), count,        \
        place);                                                                                    \
  }                                                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,     \
            uint64_t mask, const uint8_t repeatTimes, const BinaryRepeatParams &params,            \
            Place place = Place()) {                                                               \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::byRepeats(                                                                       \
        opc::ascendc::strided(                                                                     \
            opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src0, src1), params),  \
        mask, repeatTimes, place);                                                                 \
  }                                                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,     \
            const uint64_t mask[], const uint8_t repeatTimes, const BinaryRepeatParams &params,    \
            Place place = Place()) {                                                               \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::byRepeats(                                                                       \
        opc::ascendc::strided(                                                                     \
            opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src0, src1), params),  \
        {mask, sizeof(S)}, repeatTimes, place);                                                    \
  }

// A scalar takes part in the deduction of the tensor's type: it has that very type, as on the chip.
#define OPC_SCALAR(NAME, INTRINSIC)                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar,                 \
            const int32_t &count, Place place = Place()) {                                         \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    opc::ascendc::Call call =                                                                      \
        opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src);                      \
    opc::ascendc::setScalar(call, scalar);                                                         \
    opc::ascendc::byCount(call, count, place);                                                     \
  }                                                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar, uint64_t mask,  \
            const uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::Call call =                                                                      \
        opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src);                      \
    opc::ascendc::setScalar(call, scalar);                                                         \
    opc::ascendc::byRepeats(opc::ascendc::strided(call, params), mask, repeatTimes, place);        \
  }                                                                                                \
  template <typename D, typename S = D, bool isSetMask = true>                                     \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar,                 \
            const uint64_t mask[], const uint8_t repeatTimes, const UnaryRepeatParams &params,     \
            Place place = Place()) {                                                               \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                       \
    OPC_EXPECT_SET_MASK;                                                                           \
    opc::ascendc::Call call =                                                                      \
        opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src);                      \
    opc::ascendc::setScalar(call, scalar);                                                         \
    opc::ascendc::byRepeats(opc::ascendc::strided(call, params), {mask, sizeof(S)}, repeatTimes,   \
                            place);                                                                \
  }

// clang-format off
OPC_UNARY(Exp, vexp) OPC_UNARY(Ln, vln) OPC_UNARY(Sqrt, vsqrt) OPC_UNARY(Rsqrt, vrsqrt)
OPC_UNARY(Reciprocal, vrec) OPC_UNARY(Relu, vrelu) OPC_UNARY(Abs, vabs) OPC_UNARY(Not, vnot)
OPC_BINARY(Add, vadd) OPC_BINARY(Sub, vsub) OPC_BINARY(Mul, vmul) OPC_BINARY(Div, vdiv)
OPC_BINARY(Max, vmax) OPC_BINARY(Min, vmin) OPC_BINARY(And, vand) OPC_BINARY(Or, vor)
OPC_BINARY(AddRelu, vaddrelu) OPC_BINARY(SubRelu, vsubrelu)
OPC_BINARY(AddReluCast, vaddrelucast) OPC_BINARY(SubReluCast, vsubrelucast)
OPC_BINARY(MulCast, vmulcast) OPC_BINARY(FusedMulAdd, vfma) OPC_BINARY(MulAddRelu, vmuladdrelu)
OPC_BINARY(MulAddDst, vmuladd)
OPC_SCALAR(Adds, vadds) OPC_SCALAR(Muls, vmuls) OPC_SCALAR(Maxs, vmaxs) OPC_SCALAR(Mins, vmins)
OPC_SCALAR(LeakyRelu, vleakyrelu) OPC_SCALAR(Axpy, vaxpy)
OPC_SCALAR(ShiftLeft, vshl) OPC_SCALAR(ShiftRight, vshr)
// clang-format on
#undef OPC_UNARY
#undef OPC_BINARY
#undef OPC_SCALAR

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

} // namespace AscendC

namespace opc::ascendc {
template <typename D, typename S>
Call castCall(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<S> &src,
              AscendC::RoundMode mode) {
  OPC_EXPECT_TYPES(Cast, vcast, D, S);
  Call call = vectorCall("Cast", Intrinsic::vcast, dst, src);
  call.form.rounding = static_cast<RoundingMode>(mode);
  return call;
}
} // namespace opc::ascendc

namespace AscendC {

template <typename D, typename S>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode,
          const uint32_t count, Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::castCall(dst, src, mode), count, place);
}
template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode,
          const uint64_t mask, const uint8_t repeatTimes, const UnaryRepeatParams &params,
          Place place = Place()) {
  OPC_EXPECT_SET_MASK;
  opc::ascendc::byRepeats(opc::ascendc::strided(opc::ascendc::castCall(dst, src, mode), params),
                          mask, repeatTimes, place);
}
template <typename D, typename S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode,
          const uint64_t mask[], const uint8_t repeatTimes, const UnaryRepeatParams &params,
          Place place = Place()) {
  OPC_EXPECT_SET_MASK;
  constexpr size_t wider = sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S);
  opc::ascendc::byRepeats(opc::ascendc::strided(opc::ascendc::castCall(dst, src, mode), params),
                          {mask, wider}, repeatTimes, place);
}

//===----------------------------------------------------------------------===//
// Fill and copy
//===----------------------------------------------------------------------===//

template <typename T>
void Duplicate(const LocalTensor<T> &dst, const T &value, const int32_t &count,
               Place place = Place()) {
  OPC_EXPECT_TYPES(Duplicate, vbrc, T, T);
  opc::ascendc::Call call = opc::ascendc::vectorCall("Duplicate", opc::Intrinsic::vbrc, dst);
  opc::ascendc::setScalar(call, value);
  opc::ascendc::byCount(call, count, place);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const T &value, uint64_t mask, const uint8_t repeatTimes,
               const uint16_t dstBlockStride, const uint8_t dstRepeatStride,
               Place place = Place()) {
  OPC_EXPECT_TYPES(Duplicate, vbrc, T, T);
  OPC_EXPECT_SET_MASK;
  opc::ascendc::Call call = opc::ascendc::vectorCall("Duplicate", opc::Intrinsic::vbrc, dst);
  opc::ascendc::setScalar(call, value);
  opc::ascendc::setStrides(call.destination, dstBlockStride, dstRepeatStride);
  opc::ascendc::byRepeats(call, mask, repeatTimes, place);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const T &value, const uint64_t mask[],
               const uint8_t repeatTimes, const uint16_t dstBlockStride,
               const uint8_t dstRepeatStride, Place place = Place()) {
  OPC_EXPECT_TYPES(Duplicate, vbrc, T, T);
  OPC_EXPECT_SET_MASK;
  opc::ascendc::Call call = opc::ascendc::vectorCall("Duplicate", opc::Intrinsic::vbrc, dst);
  opc::ascendc::setScalar(call, value);
  opc::ascendc::setStrides(call.destination, dstBlockStride, dstRepeatStride);
  opc::ascendc::byRepeats(call, {mask, sizeof(T)}, repeatTimes, place);
}
template <typename T>
void CreateVecIndex(const LocalTensor<T> &dst, const T &first, const uint32_t count,
                    Place place = Place()) {
  OPC_EXPECT_TYPES(CreateVecIndex, varange, T, T);
  opc::ascendc::Call call =
      opc::ascendc::vectorCall("CreateVecIndex", opc::Intrinsic::varange, dst);
  opc::ascendc::setScalar(call, first);
  opc::ascendc::byCount(call, count, place);
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask,
          const uint8_t repeatTimes, const CopyRepeatParams &params, Place place = Place()) {
  OPC_EXPECT_TYPES(Copy, vcopy, T, T);
  OPC_EXPECT_SET_MASK;
  opc::ascendc::Call call = opc::ascendc::vectorCall("Copy", opc::Intrinsic::vcopy, dst, src);
  opc::ascendc::setStrides(call.destination, params.dstStride, params.dstRepeatSize);
  opc::ascendc::setStrides(call.sources[0], params.srcStride, params.srcRepeatSize);
  opc::ascendc::byRepeats(call, mask, repeatTimes, place);
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
          const uint8_t repeatTimes, const CopyRepeatParams &params, Place place = Place()) {
  OPC_EXPECT_TYPES(Copy, vcopy, T, T);
  OPC_EXPECT_SET_MASK;
  opc::ascendc::Call call = opc::ascendc::vectorCall("Copy", opc::Intrinsic::vcopy, dst, src);
  opc::ascendc::setStrides(call.destination, params.dstStride, params.dstRepeatSize);
  opc::ascendc::setStrides(call.sources[0], params.srcStride, params.srcRepeatSize);
  opc::ascendc::byRepeats(call, {mask, sizeof(T)}, repeatTimes, place);
}

//===----------------------------------------------------------------------===//
// Whole tensors: dst = left + right
//===----------------------------------------------------------------------===//

#define OPC_WHOLE(OPERATOR, NAME, INTRINSIC)                                                       \
  template <typename T>                                                                            \
  opc::ascendc::WholeTensors<T, opc::Intrinsic::INTRINSIC> operator OPERATOR(                      \
      const LocalTensor<T> &left, const LocalTensor<T> &right) {                                   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                       \
    return {#NAME, left, right};                                                                   \
  }
OPC_WHOLE(+, Add, vadd)
OPC_WHOLE(-, Sub, vsub)
OPC_WHOLE(*, Mul, vmul)
OPC_WHOLE(/, Div, vdiv)
OPC_WHOLE(&, And, vand)
OPC_WHOLE(|, Or, vor)
#undef OPC_WHOLE

template <typename T>
template <opc::Intrinsic intrinsic>
LocalTensor<T> &
LocalTensor<T>::operator=(const opc::ascendc::WholeTensors<T, intrinsic> &expression) {
  opc::ascendc::byCount(opc::ascendc::vectorCall(expression.name, intrinsic, *this, expression.left,
                                                 expression.right),
                        size, Place::behind(__builtin_return_address(0)));
  return *this;
}

} // namespace AscendC

#endif // OPC_RUNTIME_DEVICE_SIM_ASCENDC_VECTOR_H
