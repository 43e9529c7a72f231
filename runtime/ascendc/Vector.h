// Vector calls that work lane by lane, fill and copy.

#ifndef OPC_RUNTIME_ASCENDC_VECTOR_H
#define OPC_RUNTIME_ASCENDC_VECTOR_H

#include "runtime/ascendc/Calls.h"

namespace AscendC {

// Each macro defines a call in two forms: a number of elements, and repeats under a mask.
#define OPC_UNARY(NAME, INTRINSIC)                                                                                     \
  template <typename T>                                                                                                \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count, Place place = Place()) {       \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    opc::ascendc::byCount(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), count, place);         \
  }                                                                                                                    \
  template <typename T, bool isSetMask = true, typename Mask = uint64_t>                                               \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const uint8_t repeatTimes,         \
            const UnaryRepeatParams &params, Place place = Place()) {                                                  \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    opc::ascendc::byRepeats(                                                                                           \
        opc::ascendc::strided(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), params),           \
        opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);                                       \
  }

// D and S are the element types of the destination and of the sources.
#define OPC_BINARY_OF(MARK, NAME, INTRINSIC, D, S, ...)                                                                \
  template <__VA_ARGS__>                                                                                               \
  MARK void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,                    \
                 const int32_t &count, Place place = Place()) {                                                        \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                                           \
    opc::ascendc::byCount(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src0, src1), count, place);  \
  }                                                                                                                    \
  template <__VA_ARGS__, bool isSetMask = true, typename Mask = uint64_t>                                              \
  MARK void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1, const Mask &mask,  \
                 const uint8_t repeatTimes, const BinaryRepeatParams &params, Place place = Place()) {                 \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                                           \
    opc::ascendc::byRepeats(                                                                                           \
        opc::ascendc::strided(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src0, src1), params),    \
        opc::ascendc::laneMask<isSetMask, opc::ascendc::widest<D, S>>(mask), repeatTimes, place);                      \
  }
#define OPC_BINARY(NAME, INTRINSIC) OPC_BINARY_OF(, NAME, INTRINSIC, T, T, typename T)
#define OPC_BINARY_VERSIONED(NAME, INTRINSIC) OPC_BINARY_OF(OPC_VERSIONED(NAME), NAME, INTRINSIC, T, T, typename T)
#define OPC_BINARY_MIXED(NAME, INTRINSIC) OPC_BINARY_OF(, NAME, INTRINSIC, D, S, typename D, typename S)

// The scalar takes part in the deduction of the element type, so it must have exactly that type, as on the chip.
#define OPC_SCALAR_OF(NAME, INTRINSIC, D, S, ...)                                                                      \
  template <__VA_ARGS__>                                                                                               \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar, const int32_t &count,               \
            Place place = Place()) {                                                                                   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                                           \
    opc::ascendc::byCount(                                                                                             \
        opc::ascendc::withScalar(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), scalar), count, \
        place);                                                                                                        \
  }                                                                                                                    \
  template <__VA_ARGS__, bool isSetMask = true, typename Mask = uint64_t>                                              \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar, const Mask &mask,                   \
            const uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {                       \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, D, S);                                                                           \
    opc::ascendc::byRepeats(                                                                                           \
        opc::ascendc::strided(                                                                                         \
            opc::ascendc::withScalar(opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), scalar),    \
            params),                                                                                                   \
        opc::ascendc::laneMask<isSetMask, opc::ascendc::widest<D, S>>(mask), repeatTimes, place);                      \
  }
#define OPC_SCALAR(NAME, INTRINSIC) OPC_SCALAR_OF(NAME, INTRINSIC, T, T, typename T)
#define OPC_SCALAR_MIXED(NAME, INTRINSIC) OPC_SCALAR_OF(NAME, INTRINSIC, D, S, typename D, typename S)

// clang-format off
OPC_UNARY(Exp, vexp) OPC_UNARY(Ln, vln) OPC_UNARY(Sqrt, vsqrt) OPC_UNARY(Rsqrt, vrsqrt)
OPC_UNARY(Reciprocal, vrec) OPC_UNARY(Relu, vrelu) OPC_UNARY(Abs, vabs) OPC_UNARY(Not, vnot)
OPC_BINARY(Add, vadd) OPC_BINARY(Sub, vsub) OPC_BINARY(Mul, vmul) OPC_BINARY(Div, vdiv)
OPC_BINARY(Max, vmax) OPC_BINARY(Min, vmin) OPC_BINARY(And, vand) OPC_BINARY(Or, vor)
OPC_BINARY(AddRelu, vaddrelu) OPC_BINARY(SubRelu, vsubrelu)
OPC_BINARY(FusedMulAdd, vfma) OPC_BINARY_VERSIONED(MulAddRelu, vmuladdrelu)
OPC_BINARY(FusedMulAddRelu, vmuladdrelu)
OPC_BINARY_MIXED(AddReluCast, vaddrelucast) OPC_BINARY_MIXED(SubReluCast, vsubrelucast)
OPC_BINARY_MIXED(MulCast, vmulcast) OPC_BINARY_MIXED(MulAddDst, vmuladd)
OPC_SCALAR(Adds, vadds) OPC_SCALAR(Muls, vmuls) OPC_SCALAR(Maxs, vmaxs) OPC_SCALAR(Mins, vmins)
OPC_SCALAR(LeakyRelu, vleakyrelu) OPC_SCALAR_MIXED(Axpy, vaxpy)
OPC_SCALAR(ShiftLeft, vshl) OPC_SCALAR(ShiftRight, vshr)
// clang-format on
#undef OPC_UNARY
#undef OPC_BINARY_OF
#undef OPC_BINARY
#undef OPC_BINARY_VERSIONED
#undef OPC_BINARY_MIXED
#undef OPC_SCALAR_OF
#undef OPC_SCALAR
#undef OPC_SCALAR_MIXED

} // namespace AscendC

namespace opc::ascendc {
template <typename D, typename S>
Call castCall(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<S> &src, AscendC::RoundMode mode) {
  OPC_EXPECT_TYPES(Cast, vcast, D, S);
  Call call = vectorCall("Cast", Intrinsic::vcast, dst, src);
  call.form.rounding = static_cast<RoundingMode>(mode);
  return call;
}
template <typename T> Call fillCall(const AscendC::LocalTensor<T> &dst, const T &value) {
  OPC_EXPECT_TYPES(Duplicate, vbrc, T, T);
  return withScalar(vectorCall("Duplicate", Intrinsic::vbrc, dst), value);
}
template <typename T> Call indexCall(const AscendC::LocalTensor<T> &dst, const T &first) {
  OPC_EXPECT_TYPES(CreateVecIndex, varange, T, T);
  return withScalar(vectorCall("CreateVecIndex", Intrinsic::varange, dst), first);
}
} // namespace opc::ascendc

namespace AscendC {

/// A shift with a flag for rounding: adds the last dropped bit.
template <typename T, bool isSetMask = true, typename Mask = uint64_t>
void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar, const Mask &mask,
                const uint8_t repeatTimes, const UnaryRepeatParams &params, bool roundEn, Place place = Place()) {
  OPC_EXPECT_TYPES(ShiftRight, vshr, T, T);
  opc::ascendc::Call call =
      opc::ascendc::withScalar(opc::ascendc::vectorCall("ShiftRight", opc::Intrinsic::vshr, dst, src), scalar);
  call.form.rounding = roundEn ? opc::RoundingMode::Round : opc::RoundingMode::None;
  opc::ascendc::byRepeats(opc::ascendc::strided(call, params), opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask),
                          repeatTimes, place);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

template <typename D, typename S>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode, const uint32_t count,
          Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::castCall(dst, src, mode), count, place);
}
template <typename D, typename S, bool isSetMask = true, typename Mask = uint64_t>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode, const Mask &mask,
          const uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {
  opc::ascendc::byRepeats(opc::ascendc::strided(opc::ascendc::castCall(dst, src, mode), params),
                          opc::ascendc::laneMask<isSetMask, opc::ascendc::widest<D, S>>(mask), repeatTimes, place);
}

//===----------------------------------------------------------------------===//
// Fill and copy
//===----------------------------------------------------------------------===//

#define OPC_FILL(NAME, CALL, COUNT)                                                                                    \
  template <typename T> void NAME(const LocalTensor<T> &dst, const T &value, COUNT count, Place place = Place()) {     \
    opc::ascendc::byCount(opc::ascendc::CALL(dst, value), count, place);                                               \
  }                                                                                                                    \
  template <typename T, bool isSetMask = true, typename Mask = uint64_t>                                               \
  void NAME(const LocalTensor<T> &dst, const T &value, const Mask &mask, const uint8_t repeatTimes,                    \
            const uint16_t dstBlockStride, const uint8_t dstRepeatStride, Place place = Place()) {                     \
    opc::ascendc::Call call = opc::ascendc::CALL(dst, value);                                                          \
    opc::ascendc::setStrides(call.destination, dstBlockStride, dstRepeatStride);                                       \
    opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);             \
  }
OPC_FILL(Duplicate, fillCall, const int32_t &)
OPC_FILL(CreateVecIndex, indexCall, const uint32_t)
#undef OPC_FILL

template <typename T, bool isSetMask = true, typename Mask = uint64_t>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const uint8_t repeatTimes,
          const CopyRepeatParams &params, Place place = Place()) {
  OPC_EXPECT_TYPES(Copy, vcopy, T, T);
  opc::ascendc::byRepeats(
      opc::ascendc::strided(opc::ascendc::vectorCall("Copy", opc::Intrinsic::vcopy, dst, src), params),
      opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);
}

//===----------------------------------------------------------------------===//
// Whole tensors: dst = left + right
//===----------------------------------------------------------------------===//

#define OPC_WHOLE(OPERATOR, NAME, INTRINSIC)                                                                           \
  template <typename T>                                                                                                \
  opc::ascendc::WholeTensors<T, opc::Intrinsic::INTRINSIC> operator OPERATOR(const LocalTensor<T> &left,               \
                                                                             const LocalTensor<T> &right) {            \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    return {#NAME, left, right};                                                                                       \
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
LocalTensor<T> &LocalTensor<T>::operator=(const opc::ascendc::WholeTensors<T, intrinsic> &expression) {
  opc::ascendc::byCount(opc::ascendc::vectorCall(expression.name, intrinsic, *this, expression.left, expression.right),
                        size, Place::behind(__builtin_return_address(0)));
  return *this;
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_VECTOR_H
