// Compares, which write bit masks, and selects, which read them: one bit for each lane, eight to a byte, lowest
// bit first.

#ifndef OPC_RUNTIME_ASCENDC_COMPARE_H
#define OPC_RUNTIME_ASCENDC_COMPARE_H

#include "runtime/ascendc/Calls.h"

namespace opc::ascendc {

/// A compare processes whole vectors of 256 bytes, and its count gives their number, not the number of meaningful
/// lanes in the last one. The simulator rounds counts up itself, so it gets a count that ends at the first lane of
/// the last vector: the other lanes may be undefined. The page requires whole vectors and does not say what happens to
/// a partial last one; many public kernels have one.
template <typename T> int64_t comparedCount(int64_t count, AscendC::Place place) {
  if (count % kLanes<T> != 0)
    machine().doubt("ascendc_c10",
                    "a compare expects a count of whole vectors of 256 bytes; round it up, with room for the bits. "
                    "Here the last vector is compared like the others; the chip may leave it out",
                    place);
  return count <= 0 ? count : (count - 1) / kLanes<T> * kLanes<T> + 1;
}

template <typename M> AscendC::LocalTensor<uint8_t> maskOf(const AscendC::LocalTensor<M> &mask) {
  static_assert(std::is_integral_v<M>, "a mask is a tensor of integers, one bit a lane");
  return mask.template ReinterpretCast<uint8_t>();
}

template <typename M, typename T>
Call compareCall(const AscendC::LocalTensor<M> &dst, const AscendC::LocalTensor<T> &src0,
                 const AscendC::LocalTensor<T> &src1, AscendC::CMPMODE mode) {
  OPC_EXPECT_TYPES(Compare, vcmp, uint8_t, T);
  Call call = vectorCall("Compare", Intrinsic::vcmp, maskOf(dst), src0, src1);
  call.form.compare = static_cast<CompareMode>(mode);
  setMaskStride<T>(call.destination, 1);
  return call;
}
template <typename M, typename T>
Call compareCall(const AscendC::LocalTensor<M> &dst, const AscendC::LocalTensor<T> &src, const T &scalar,
                 AscendC::CMPMODE mode) {
  OPC_EXPECT_TYPES(CompareScalar, vcmps, uint8_t, T);
  Call call = withScalar(vectorCall("CompareScalar", Intrinsic::vcmps, maskOf(dst), src), scalar);
  call.form.compare = static_cast<CompareMode>(mode);
  setMaskStride<T>(call.destination, 1);
  return call;
}

/// Mode 0 uses the bits of one repeat for every repeat, the other modes continue in the mask.
template <typename T, typename M>
Call selectCall(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<M> &mask,
                const AscendC::LocalTensor<T> &src0, const AscendC::LocalTensor<T> &src1, AscendC::SELMODE mode,
                AscendC::Place place) {
  OPC_EXPECT_TYPES(Select, vsel, T, T);
  expectValue(mode != AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
              "Select of two tensors expects VSEL_TENSOR_TENSOR_MODE or VSEL_CMPMASK_SPR", place);
  Call call = vectorCall("Select", Intrinsic::vsel, dst, maskOf(mask), src0, src1);
  setMaskStride<T>(call.sources[0], mode == AscendC::SELMODE::VSEL_CMPMASK_SPR ? 0 : 1);
  return call;
}
template <typename T, typename M>
Call selectCall(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<M> &mask,
                const AscendC::LocalTensor<T> &src, const T &scalar, AscendC::SELMODE mode, AscendC::Place place) {
  OPC_EXPECT_TYPES(Select, vsels, T, T);
  expectValue(mode == AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, "Select with a scalar expects VSEL_TENSOR_SCALAR_MODE",
              place);
  Call call = withScalar(vectorCall("Select", Intrinsic::vsels, dst, maskOf(mask), src), scalar);
  setMaskStride<T>(call.sources[0], 1);
  return call;
}

} // namespace opc::ascendc

namespace AscendC {

template <typename T, typename M>
void Compare(const LocalTensor<M> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode,
             uint32_t count, Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::compareCall(dst, src0, src1, mode), opc::ascendc::comparedCount<T>(count, place),
                        place);
}
template <typename T, typename M, bool isSetMask = true, typename Mask = uint64_t>
void Compare(const LocalTensor<M> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode,
             const Mask &mask, uint8_t repeatTimes, const BinaryRepeatParams &params, Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::compareCall(dst, src0, src1, mode);
  opc::ascendc::setStrides(call.sources[0], params.src0BlkStride, params.src0RepStride);
  opc::ascendc::setStrides(call.sources[1], params.src1BlkStride, params.src1RepStride);
  opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);
}
// The scalar form has two names.
#define OPC_COMPARE_SCALAR(MARK, NAME)                                                                                 \
  template <typename T, typename M>                                                                                    \
  MARK void NAME(const LocalTensor<M> &dst, const LocalTensor<T> &src, const T &scalar, CMPMODE mode, uint32_t count,  \
                 Place place = Place()) {                                                                              \
    OPC_EXPECT_VERSION(NAME, T);                                                                                       \
    opc::ascendc::byCount(opc::ascendc::compareCall(dst, src, scalar, mode),                                           \
                          opc::ascendc::comparedCount<T>(count, place), place);                                        \
  }                                                                                                                    \
  template <typename T, typename M, bool isSetMask = true, typename Mask = uint64_t>                                   \
  MARK void NAME(const LocalTensor<M> &dst, const LocalTensor<T> &src, const T &scalar, CMPMODE mode,                  \
                 const Mask &mask, uint8_t repeatTimes, const UnaryRepeatParams &params, Place place = Place()) {      \
    OPC_EXPECT_VERSION(NAME, T);                                                                                       \
    opc::ascendc::Call call = opc::ascendc::compareCall(dst, src, scalar, mode);                                       \
    opc::ascendc::setStrides(call.sources[0], params.srcBlkStride, params.srcRepStride);                               \
    opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);             \
  }
OPC_COMPARE_SCALAR(OPC_VERSIONED(Compares), Compares)
OPC_COMPARE_SCALAR(, CompareScalar)
#undef OPC_COMPARE_SCALAR

template <typename T, typename M>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE mode, uint32_t count, Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::selectCall(dst, mask, src0, src1, mode, place);
  if (mode != SELMODE::VSEL_CMPMASK_SPR)
    return opc::ascendc::byCount(call, count, place);
  for (opc::ascendc::OperandValue *value : {&call.destination, &call.sources[1], &call.sources[2]})
    opc::ascendc::setStrides(*value, 1, 8);
  opc::ascendc::byRepeats(call, {opc::ascendc::LaneMask::Total, {count, 0}}, 1, place);
}
template <typename T, typename M>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src, const T &scalar,
            SELMODE mode, uint32_t count, Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::selectCall(dst, mask, src, scalar, mode, place), count, place);
}
template <typename T, typename M, bool isSetMask = true, typename Mask = uint64_t>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE mode, const Mask &lanes, uint8_t repeatTimes,
            const BinaryRepeatParams &params, Place place = Place()) {
  opc::ascendc::byRepeats(
      opc::ascendc::strided(opc::ascendc::selectCall(dst, mask, src0, src1, mode, place), params, 1),
      opc::ascendc::laneMask<isSetMask, sizeof(T)>(lanes), repeatTimes, place);
}
template <typename T, typename M, bool isSetMask = true, typename Mask = uint64_t>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src, const T &scalar,
            SELMODE mode, const Mask &lanes, uint8_t repeatTimes, const BinaryRepeatParams &params,
            Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::selectCall(dst, mask, src, scalar, mode, place);
  opc::ascendc::setStrides(call.destination, params.dstBlkStride, params.dstRepStride);
  opc::ascendc::setStrides(call.sources[1], params.src0BlkStride, params.src0RepStride);
  opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(lanes), repeatTimes, place);
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_COMPARE_H
