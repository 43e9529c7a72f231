// A stand-in for the header that kernel sources include: enough types and signatures for a compiler
// to check the syntax and the types of what is emitted. Nothing runs. Written from the published
// signatures' facts, for these tests only.

#ifndef KERNEL_OPERATOR_STAND_IN_H
#define KERNEL_OPERATOR_STAND_IN_H

#include <cstdint>
#include <type_traits>

#define __aicore__
#define __global__
#define __gm__
#define GM_ADDR uint8_t *
#define TILING_KEY_IS(key) (standInTilingKey == (key))
#define GET_TILING_DATA_WITH_STRUCT(type, name, address)                                           \
  const type name = *reinterpret_cast<const type *>(address)

extern uint64_t standInTilingKey;

struct half {
  half() = default;
  explicit half(float value);
  explicit half(int value);
  uint16_t bits;
};
struct bfloat16_t {
  bfloat16_t() = default;
  explicit bfloat16_t(float value);
  explicit bfloat16_t(int value);
  uint16_t bits;
};

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX };

namespace AscendC {

enum class TPosition { VECIN, VECOUT, VECCALC };
enum class HardEvent {
  MTE2_V,
  V_MTE2,
  V_MTE3,
  MTE3_V,
  MTE2_MTE3,
  MTE3_MTE2,
  S_V,
  V_S,
  S_MTE2,
  MTE2_S,
  S_MTE3,
  MTE3_S
};
enum class RoundMode {
  CAST_NONE,
  CAST_RINT,
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,
  CAST_TRUNC,
  CAST_ODD
};
enum class CMPMODE { LT, GT, EQ, LE, GE, NE };
enum class SELMODE { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

template <typename T> class LocalTensor {
public:
  T GetValue(uint32_t index) const;
  void SetValue(uint32_t index, T value) const;
  LocalTensor operator[](uint32_t offset) const;
  template <typename U> LocalTensor<U> ReinterpretCast() const;
};

template <typename T> class GlobalTensor {
public:
  void SetGlobalBuffer(__gm__ T *buffer);
  GlobalTensor operator[](uint64_t offset) const;
};

template <TPosition position> class TBuf {
public:
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t size, uint32_t byteOffset);
};

class TPipe {
public:
  template <TPosition position> bool InitBuffer(TBuf<position> &buffer, uint32_t bytes);
};

struct DataCopyExtParams {
  uint16_t blockCount;
  uint32_t blockLen;
  uint32_t srcStride;
  uint32_t dstStride;
  uint32_t rsv;
};
template <typename T> struct DataCopyPadExtParams {
  bool isPad;
  uint8_t leftPadding;
  uint8_t rightPadding;
  T paddingValue;
};

template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from,
                 const DataCopyExtParams &rows, const DataCopyPadExtParams<T> &pad);
template <typename T>
void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from,
                 const DataCopyExtParams &rows);

template <HardEvent event> void SetFlag(int32_t id);
template <HardEvent event> void WaitFlag(int32_t id);
template <pipe_t pipe> void PipeBarrier();
int64_t GetBlockIdx();
template <typename T> void SetAtomicAdd();
void DisableDmaAtomic();

// Forms of intrinsics. A scalar takes part in the deduction of the tensor's type: it must have that
// very type.
#define UNARY(NAME)                                                                                \
  template <typename T>                                                                            \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t count);
#define BINARY(NAME)                                                                               \
  template <typename D, typename S>                                                                \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,     \
            int32_t count);
#define SCALAR(NAME)                                                                               \
  template <typename D, typename S>                                                                \
  void NAME(const LocalTensor<D> &dst, const LocalTensor<S> &src, const S &scalar, int32_t count);
// clang-format off
UNARY(Exp) UNARY(Ln) UNARY(Sqrt) UNARY(Rsqrt) UNARY(Reciprocal) UNARY(Relu) UNARY(Abs)
UNARY(Not)
BINARY(Add) BINARY(Sub) BINARY(Mul) BINARY(Div) BINARY(Max)
BINARY(Min) BINARY(AddRelu) BINARY(SubRelu) BINARY(AddReluCast) BINARY(SubReluCast)
BINARY(MulCast) BINARY(FusedMulAdd) BINARY(MulAddRelu) BINARY(MulAddDst) BINARY(And)
BINARY(Or)
SCALAR(Adds) SCALAR(Muls) SCALAR(Maxs) SCALAR(Mins) SCALAR(LeakyRelu)
SCALAR(Axpy) SCALAR(ShiftLeft) SCALAR(ShiftRight)
#undef UNARY
#undef BINARY
#undef SCALAR
template <typename T>
void Compare(const LocalTensor<uint8_t> &dst, const LocalTensor<T> &src0,
             const LocalTensor<T> &src1, CMPMODE mode, uint32_t count);
// clang-format on
template <typename T>
void Compares(const LocalTensor<uint8_t> &dst, const LocalTensor<T> &src, const T &scalar,
              CMPMODE mode, uint32_t count);
template <typename T>
void Select(const LocalTensor<T> &dst, const LocalTensor<uint8_t> &mask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE mode, uint32_t count);
template <typename T>
void Select(const LocalTensor<T> &dst, const LocalTensor<uint8_t> &mask, const LocalTensor<T> &src0,
            const T &scalar, SELMODE mode, uint32_t count);
template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work,
               int32_t count);
template <typename T>
void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work,
               int32_t count);
template <typename T>
void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work,
               int32_t count);
template <typename T> void Duplicate(const LocalTensor<T> &dst, const T &value, int32_t count);
template <typename T> void CreateVecIndex(LocalTensor<T> &dst, const T &first, uint32_t count);
template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
            const LocalTensor<uint32_t> &offsets, uint32_t base, uint32_t count);

// Strided forms: a mask for each repeat, the number of repeats, strides in blocks or results.
enum class ReduceType { MAX, MIN, SUM };
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
struct CopyRepeatParams {
  uint16_t dstStride, srcStride, dstRepeatSize, srcRepeatSize;
};
struct BinaryRepeatParams {
  BinaryRepeatParams(uint8_t dstBlkStride, uint8_t src0BlkStride, uint8_t src1BlkStride,
                     uint8_t dstRepStride, uint8_t src0RepStride, uint8_t src1RepStride);
};
#define STRIDED(NAME)                                                                              \
  template <typename T>                                                                            \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
            uint64_t mask, uint8_t repeats, const BinaryRepeatParams &strides);
STRIDED(Add)
STRIDED(Sub)
STRIDED(Mul)
STRIDED(Div)
STRIDED(Max)
STRIDED(Min)
#undef STRIDED
template <typename T>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, uint8_t repeats,
          const CopyRepeatParams &strides);
template <ReduceType type, typename T, typename U>
void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, int32_t mask,
                  int32_t repeats, int32_t dstStride, int32_t blockStride, int32_t srcStride,
                  ReduceOrder order);
template <ReduceType type, typename T, typename U>
void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, int32_t mask,
                     int32_t repeats, int32_t dstStride, int32_t blockStride, int32_t srcStride);
template <ReduceType type, typename T, typename U>
void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, int32_t mask,
                    int32_t repeats, int32_t dstStride, int32_t blockStride, int32_t srcStride);

// Moves. The mask of GatherMask has words as wide as the elements.
struct GatherMaskParams {
  uint8_t src0BlockStride;
  uint16_t repeatTimes, src0RepeatStride, src1RepeatStride;
};
template <typename T, typename U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &pattern,
                bool counted, uint32_t mask, const GatherMaskParams &strides, uint64_t &kept);
template <typename T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t pattern, bool counted,
                uint32_t mask, const GatherMaskParams &strides, uint64_t &kept);
template <typename T>
void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src,
             const LocalTensor<uint32_t> &offsets, uint32_t base, uint32_t count);
template <typename T> void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src);
struct TransDataTo5HDParams {
  bool dstHighHalf, srcHighHalf;
  uint8_t repeatTimes;
  uint16_t dstRepStride, srcRepStride;
};
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                    const TransDataTo5HDParams &params);

// Sort.
template <typename T>
void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src,
            const LocalTensor<uint32_t> &indices, int32_t repeats);
template <typename T> struct MrgSortSrcList {
  MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c,
                 const LocalTensor<T> &d);
};
struct MrgSort4Info {
  uint16_t elementLengths[4];
  bool ifExhaustedSuspension;
  uint16_t validBit, repeatTimes;
};
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &lists, const MrgSort4Info &info);

// Composed calls.
template <typename T, bool reuse = false>
void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &shared,
           uint32_t count);
template <typename T, bool reuse = false>
void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
         const LocalTensor<uint8_t> &shared, uint32_t count);
template <typename D, typename S>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode, uint32_t count);

} // namespace AscendC

#endif // KERNEL_OPERATOR_STAND_IN_H
