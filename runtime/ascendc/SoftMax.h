// The softmax family: SoftMax, SimpleSoftMax, SoftmaxFlashV2, SoftmaxGrad, SoftmaxGradFront.
//
//   x          m rows of k elements, `srcK` apart
//   max, sum   m blocks of 32 bytes, each filled with the number of its row
//
//   SoftMax            max = max(x), e = exp(x - max), sum = sum(e), e / sum
//   SimpleSoftMax      exp(x - max) / sum of a given max and sum
//   SoftmaxFlashV2     max' = max(max, x), e = exp(x - max'), sum' = exp(max - max') * sum + sum(e); e is not divided
//   SoftmaxGradFront   sum(grad * y), a block for each row
//   SoftmaxGrad        (grad - sum(grad * y)) * y
//
// They are compositions of basic calls, row by row in float. The chip's library has other sequences of instructions,
// so cycles are an estimate. Tiling structures are not used: all temporary memory is for one row.

#ifndef OPC_RUNTIME_ASCENDC_SOFTMAX_H
#define OPC_RUNTIME_ASCENDC_SOFTMAX_H

#include "runtime/ascendc/Move.h"
#include "runtime/ascendc/Reduce.h"
#include "runtime/ascendc/Sync.h"
#include "runtime/ascendc/Vector.h"
#include "runtime/ascendc/lib/SoftMaxTiling.h"
#include "runtime/ascendc/lib/TemporarySizes.h"

namespace AscendC {

/// Rows and columns in memory, and those that are used.
struct SoftMaxShapeInfo {
  uint32_t srcM = 0, srcK = 0, oriSrcM = 0, oriSrcK = 0;
};

/// The compile-time configuration of a softmax. The compositions here ignore it.
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0, oriSrcK = 0;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0};

} // namespace AscendC

namespace opc::ascendc {

/// The temporary memory of one row, and the steps on a row.
class SoftMaxRows {
public:
  template <typename T>
  SoftMaxRows(const AscendC::LocalTensor<uint8_t> *given, const AscendC::LocalTensor<T> &source,
              AscendC::SoftMaxShapeInfo shape, AscendC::Place place)
      : place(place) {
    if (shape.srcM == 0 && source.shape.shapeDim > 0) {
      const AscendC::ShapeInfo &known = source.shape;
      auto rowsOf = [&known](const uint32_t *sizes) {
        uint32_t rows = 1;
        for (int i = 0; i + 1 < known.shapeDim; ++i)
          rows *= sizes[i];
        return rows;
      };
      shape = {rowsOf(known.shape), known.shape[known.shapeDim - 1], rowsOf(known.originalShape),
               known.originalShape[known.shapeDim - 1]};
    }
    rows = shape.oriSrcM == 0 ? shape.srcM : shape.oriSrcM;
    stride = shape.srcK;
    length = shape.oriSrcK == 0 ? shape.srcK : shape.oriSrcK;
    expectValue(rows > 0 && length > 0 && length <= stride && stride * int64_t(sizeof(T)) % kBlockBytes == 0,
                "softmax expects a shape whose rows are whole blocks of 32 bytes; SoftMaxShapeInfo or SetShapeInfo "
                "gives it",
                place);
    const int64_t bytes = softMaxBytes(length);
    const bool fits = given && given->end - given->address >= bytes && given->address % kBlockBytes == 0;
    const AscendC::LocalTensor<uint8_t> memory =
        fits ? *given : tensorAt<uint8_t>(machine().scratch(bytes, place), 0, bytes);
    int64_t offset = 0;
    auto part = [&](int64_t partBytes) {
      AscendC::LocalTensor<float> result = memory[uint32_t(offset)].template ReinterpretCast<float>();
      offset += roundedToBlock(partBytes);
      result.end = result.address + partBytes;
      return result;
    };
    row = part(softMaxRowBytes(length));
    other = part(softMaxRowBytes(length));
    value = part(32);
    spread = part(64);
    wide = part(64);
    zeros = part(64).template ReinterpretCast<uint32_t>();
    work = part(reductionBytes(length));
    AscendC::Duplicate(zeros, uint32_t(0), 16, place);
  }

  int64_t rows = 0, stride = 0, length = 0;
  AscendC::LocalTensor<float> row, other; ///< a row in float
  AscendC::LocalTensor<float> spread;     ///< a number in each lane of a block

  template <typename T> AscendC::LocalTensor<T> rowOf(const AscendC::LocalTensor<T> &tensor, int64_t index) const {
    return tensor[uint32_t(index * stride)];
  }
  template <typename T> AscendC::LocalTensor<T> blockOf(const AscendC::LocalTensor<T> &tensor, int64_t index) const {
    return tensor[uint32_t(index * (kBlockBytes / int64_t(sizeof(T))))];
  }

  /// The number of a block of a row, in `spread`.
  void read(const AscendC::LocalTensor<float> &block) { AscendC::Adds(spread, block, 0.0f, 8, place), step(); }
  void read(const AscendC::LocalTensor<half> &block) {
    AscendC::Cast(spread, block, AscendC::RoundMode::CAST_NONE, 8, place), step();
  }
  /// Stores a block of `spread`.
  void write(const AscendC::LocalTensor<float> &block) { AscendC::Adds(block, spread, 0.0f, 8, place), step(); }
  void write(const AscendC::LocalTensor<half> &block) {
    AscendC::Gather(wide, spread, zeros, 0, 16, place), step();
    AscendC::Cast(block, wide, AscendC::RoundMode::CAST_RINT, 16, place), step();
  }
  /// Rows of the tensors, to and from float.
  void load(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<float> &from) {
    AscendC::Adds(to, from, 0.0f, int32_t(length), place), step();
  }
  void load(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<half> &from) {
    AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, uint32_t(length), place), step();
  }
  void store(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<float> &from) { load(to, from); }
  void store(const AscendC::LocalTensor<half> &to, const AscendC::LocalTensor<float> &from) {
    AscendC::Cast(to, from, AscendC::RoundMode::CAST_RINT, uint32_t(length), place), step();
  }

  /// spread = max of `row`, or sum.
  void reduceMax(const AscendC::LocalTensor<float> &from) {
    AscendC::ReduceMax(value, from, work, int32_t(length), false, place), step();
    AscendC::Gather(spread, value, zeros, 0, 8, place), step();
  }
  void reduceSum(const AscendC::LocalTensor<float> &from) {
    AscendC::ReduceSum(value, from, work, int32_t(length), place), step();
    AscendC::Gather(spread, value, zeros, 0, 8, place), step();
  }
  void exponential() { AscendC::Exp(row, row, int32_t(length), place), step(); }
  void subtract(const AscendC::LocalTensor<float> &from) { byBlock<Intrinsic::vsub>("Sub", from); }
  void divide() { byBlock<Intrinsic::vdiv>("Div", row); }
  void step() { AscendC::PipeBarrier<PIPE_V>(place); }

  AscendC::LocalTensor<float> value; ///< one number
  AscendC::Place place;

private:
  /// row = from <op> spread, with the block for all blocks of the row.
  template <Intrinsic intrinsic> void byBlock(const char *name, const AscendC::LocalTensor<float> &from) {
    constexpr int64_t lanes = kLanes<float>, most = 255;
    for (int64_t at = 0; at < length;) {
      const int64_t left = length - at, repeats = left < lanes ? 1 : left / lanes < most ? left / lanes : most;
      const int64_t mask = left < lanes ? left : lanes;
      const AscendC::BinaryRepeatParams params(1, 1, 0, 8, 8, 0);
      byRepeats(strided(vectorCall(name, intrinsic, row[uint32_t(at)], from[uint32_t(at)], spread), params),
                {LaneMask::First, {uint64_t(mask), 0}}, repeats, place);
      at += repeats * mask;
    }
    step();
  }

  AscendC::LocalTensor<float> wide; ///< 16 lanes
  AscendC::LocalTensor<uint32_t> zeros;
  AscendC::LocalTensor<float> work;
};

template <typename T> constexpr bool kIsSoftMaxType = std::is_same_v<T, half> || std::is_same_v<T, float>;

/// dst = exp(x - max) / sum with both in blocks of M.
template <typename T, typename M>
void softMax(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<M> &sum, const AscendC::LocalTensor<M> &max,
             const AscendC::LocalTensor<T> &src, SoftMaxRows &&x, bool isGiven) {
  static_assert(kIsSoftMaxType<T> && kIsSoftMaxType<M>, "Ascend 310B has the softmax family for half and float");
  for (int64_t r = 0; r < x.rows; ++r) {
    x.load(x.row, x.rowOf(src, r));
    if (isGiven) {
      x.read(x.blockOf(max, r));
    } else {
      x.reduceMax(x.row);
      x.write(x.blockOf(max, r));
    }
    x.subtract(x.row);
    x.exponential();
    if (isGiven) {
      x.read(x.blockOf(sum, r));
    } else {
      x.reduceSum(x.row);
      x.write(x.blockOf(sum, r));
    }
    x.divide();
    x.store(x.rowOf(dst, r), x.row);
  }
}

template <bool isUpdate, typename T, typename M>
void softMaxFlash(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<M> &sum,
                  const AscendC::LocalTensor<M> &max, const AscendC::LocalTensor<T> &src,
                  const AscendC::LocalTensor<T> &expMax, const AscendC::LocalTensor<M> &inSum,
                  const AscendC::LocalTensor<M> &inMax, SoftMaxRows &&x) {
  static_assert(kIsSoftMaxType<T> && kIsSoftMaxType<M>, "Ascend 310B has the softmax family for half and float");
  for (int64_t r = 0; r < x.rows; ++r) {
    x.load(x.row, x.rowOf(src, r));
    x.reduceMax(x.row);
    AscendC::LocalTensor<float> old = x.other, factor = x.other[8], next = x.other[16];
    if constexpr (isUpdate) {
      // Blocks of the row that is not in use.
      AscendC::Adds(next, x.spread, 0.0f, 8, x.place), x.step();
      x.read(x.blockOf(inMax, r));
      AscendC::Adds(old, x.spread, 0.0f, 8, x.place), x.step();
      AscendC::Max(x.spread, next, old, 8, x.place), x.step();
    }
    // The old maximum may be in the memory of the new one: it was read before.
    x.write(x.blockOf(max, r));
    x.subtract(x.row);
    x.exponential();
    if constexpr (isUpdate) {
      AscendC::Sub(factor, old, x.spread, 8, x.place), x.step();
      AscendC::Exp(factor, factor, 8, x.place), x.step();
      x.read(x.blockOf(inSum, r));
      AscendC::Mul(next, factor, x.spread, 8, x.place), x.step();
      AscendC::Adds(x.spread, factor, 0.0f, 8, x.place), x.step();
      x.write(x.blockOf(expMax, r));
    }
    x.reduceSum(x.row);
    if constexpr (isUpdate)
      AscendC::Add(x.spread, x.spread, next, 8, x.place), x.step();
    x.write(x.blockOf(sum, r));
    x.store(x.rowOf(dst, r), x.row);
  }
}

template <typename T>
void softMaxGrad(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &grad,
                 const AscendC::LocalTensor<T> &src, bool isFront, SoftMaxRows &&x) {
  static_assert(kIsSoftMaxType<T>, "Ascend 310B has the softmax family for half and float");
  const auto count = int32_t(x.length);
  for (int64_t r = 0; r < x.rows; ++r) {
    x.load(x.row, x.rowOf(grad, r));
    x.load(x.other, x.rowOf(src, r));
    AscendC::Mul(x.row, x.row, x.other, count, x.place), x.step();
    x.reduceSum(x.row);
    if (isFront) {
      x.write(x.blockOf(dst, r));
      continue;
    }
    x.load(x.row, x.rowOf(grad, r));
    x.subtract(x.row);
    AscendC::Mul(x.row, x.row, x.other, count, x.place), x.step();
    x.store(x.rowOf(dst, r), x.row);
  }
}

} // namespace opc::ascendc

namespace AscendC {

// Each call has a form with and a form without temporary memory.
#define OPC_SOFTMAX_FORMS(NAME, TEMPLATE, TENSORS, CALL)                                                               \
  template <TEMPLATE, typename Tiling>                                                                                 \
  void NAME(TENSORS, const LocalTensor<uint8_t> &temporary, const Tiling &, const SoftMaxShapeInfo &shape = {},        \
            Place place = Place()) {                                                                                   \
    const LocalTensor<uint8_t> *given = &temporary;                                                                    \
    CALL;                                                                                                              \
  }                                                                                                                    \
  template <TEMPLATE, typename Tiling, typename = std::enable_if_t<!std::is_same_v<Tiling, LocalTensor<uint8_t>>>>     \
  void NAME(TENSORS, const Tiling &, const SoftMaxShapeInfo &shape = {}, Place place = Place()) {                      \
    const LocalTensor<uint8_t> *given = nullptr;                                                                       \
    CALL;                                                                                                              \
  }
#define OPC_LIST(...) __VA_ARGS__
#define OPC_ND_ONLY                                                                                                    \
  static_assert(!isDataFormatNZ, "the simulator has the softmax family for rows (ND), not for fractals (NZ)")

OPC_SOFTMAX_FORMS(SoftMax,
                  OPC_LIST(typename T, bool isReuseSource = false, bool isBasicBlock = false,
                           bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG, typename M),
                  OPC_LIST(const LocalTensor<T> &dst, const LocalTensor<M> &sum, const LocalTensor<M> &max,
                           const LocalTensor<T> &src),
                  OPC_ND_ONLY;
                  opc::ascendc::softMax(dst, sum, max, src, opc::ascendc::SoftMaxRows(given, src, shape, place), false))
OPC_SOFTMAX_FORMS(SimpleSoftMax,
                  OPC_LIST(typename T, bool isReuseSource = false, bool isBasicBlock = false,
                           bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG, typename M),
                  OPC_LIST(const LocalTensor<T> &dst, const LocalTensor<M> &inSum, const LocalTensor<M> &inMax,
                           const LocalTensor<T> &src),
                  OPC_ND_ONLY;
                  opc::ascendc::softMax(dst, inSum, inMax, src, opc::ascendc::SoftMaxRows(given, src, shape, place),
                                        true))
OPC_SOFTMAX_FORMS(SoftmaxFlashV2,
                  OPC_LIST(typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
                           bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG, typename M),
                  OPC_LIST(const LocalTensor<T> &dst, const LocalTensor<M> &expSum, const LocalTensor<M> &max,
                           const LocalTensor<T> &src, const LocalTensor<T> &expMax, const LocalTensor<M> &inExpSum,
                           const LocalTensor<M> &inMax),
                  OPC_ND_ONLY;
                  opc::ascendc::softMaxFlash<isUpdate>(dst, expSum, max, src, expMax, inExpSum, inMax,
                                                       opc::ascendc::SoftMaxRows(given, src, shape, place)))
OPC_SOFTMAX_FORMS(SoftmaxGradFront, OPC_LIST(typename T, bool isBasicBlock = false, bool isDataFormatNZ = false),
                  OPC_LIST(const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src),
                  OPC_ND_ONLY;
                  opc::ascendc::softMaxGrad(dst, grad, src, true, opc::ascendc::SoftMaxRows(given, src, shape, place)))
#undef OPC_SOFTMAX_FORMS

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false, typename Tiling>
void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src,
                 const LocalTensor<uint8_t> &temporary, const Tiling &, bool isFront = false,
                 const SoftMaxShapeInfo &shape = {}, Place place = Place()) {
  OPC_ND_ONLY;
  opc::ascendc::softMaxGrad(dst, grad, src, isFront, opc::ascendc::SoftMaxRows(&temporary, src, shape, place));
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false, typename Tiling,
          typename = std::enable_if_t<!std::is_same_v<Tiling, LocalTensor<uint8_t>>>>
void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src, const Tiling &,
                 bool isFront = false, const SoftMaxShapeInfo &shape = {}, Place place = Place()) {
  OPC_ND_ONLY;
  const LocalTensor<uint8_t> *given = nullptr;
  opc::ascendc::softMaxGrad(dst, grad, src, isFront, opc::ascendc::SoftMaxRows(given, src, shape, place));
}
#undef OPC_ND_ONLY
#undef OPC_LIST

/// The tiling of a softmax, made in the kernel.
template <typename Tiling>
bool SoftMaxTilingFunc(const uint32_t, const SoftMaxShapeInfo &shape, Tiling &tiling, const uint32_t, const uint32_t,
                       bool = false, bool = false) {
  tiling.srcM = shape.srcM;
  tiling.srcK = shape.srcK;
  tiling.srcSize = shape.srcM * shape.srcK;
  return true;
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_SOFTMAX_H
