// Vector calls. Each has the forms that the table names, and asks it for the types.

#ifndef STRICT_VECTOR_H
#define STRICT_VECTOR_H

#include "Calls.h"

namespace AscendC {

#define STRICT_UNARY(NAME)                                                                                             \
  template <typename T> void NAME(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t &) {                   \
    STRICT_TAKES(#NAME, "count", STRICT_WORD(T), "", STRICT_WORD(T));                                                  \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  void NAME(const LocalTensor<T> &, const LocalTensor<T> &, uint64_t, const uint8_t, const UnaryRepeatParams &) {      \
    STRICT_TAKES(#NAME, "mask", STRICT_WORD(T), "", STRICT_WORD(T));                                                   \
  }
// The destination may have another type than the sources.
#define STRICT_BINARY_OF(NAME, D, S, ...)                                                                              \
  template <__VA_ARGS__>                                                                                               \
  void NAME(const LocalTensor<D> &, const LocalTensor<S> &, const LocalTensor<S> &, const int32_t &) {                 \
    STRICT_TAKES(#NAME, "count", STRICT_WORD(S), "", STRICT_WORD(D));                                                  \
  }                                                                                                                    \
  template <__VA_ARGS__>                                                                                               \
  void NAME(const LocalTensor<D> &, const LocalTensor<S> &, const LocalTensor<S> &, uint64_t, const uint8_t,           \
            const BinaryRepeatParams &) {                                                                              \
    STRICT_TAKES(#NAME, "mask", STRICT_WORD(S), "", STRICT_WORD(D));                                                   \
  }
#define STRICT_BINARY(NAME) STRICT_BINARY_OF(NAME, T, T, typename T)
#define STRICT_BINARY_MIXED(NAME) STRICT_BINARY_OF(NAME, D, S, typename D, typename S)
// The scalar is deduced with the source: it has its very type.
#define STRICT_SCALAR_OF(NAME, D, S, ...)                                                                              \
  template <__VA_ARGS__> void NAME(const LocalTensor<D> &, const LocalTensor<S> &, const S &, const int32_t &) {       \
    STRICT_TAKES(#NAME, "count", STRICT_WORD(S), "", STRICT_WORD(D));                                                  \
  }                                                                                                                    \
  template <__VA_ARGS__>                                                                                               \
  void NAME(const LocalTensor<D> &, const LocalTensor<S> &, const S &, uint64_t, const uint8_t,                        \
            const UnaryRepeatParams &) {                                                                               \
    STRICT_TAKES(#NAME, "mask", STRICT_WORD(S), "", STRICT_WORD(D));                                                   \
  }
#define STRICT_SCALAR(NAME) STRICT_SCALAR_OF(NAME, T, T, typename T)
#define STRICT_SCALAR_MIXED(NAME) STRICT_SCALAR_OF(NAME, D, S, typename D, typename S)

// clang-format off
STRICT_UNARY(Exp) STRICT_UNARY(Ln) STRICT_UNARY(Sqrt) STRICT_UNARY(Rsqrt) STRICT_UNARY(Reciprocal)
STRICT_UNARY(Relu) STRICT_UNARY(Abs) STRICT_UNARY(Not)
STRICT_BINARY(Add) STRICT_BINARY(Sub) STRICT_BINARY(Mul) STRICT_BINARY(Div) STRICT_BINARY(Max) STRICT_BINARY(Min)
STRICT_BINARY(And) STRICT_BINARY(Or) STRICT_BINARY(AddRelu) STRICT_BINARY(SubRelu) STRICT_BINARY(FusedMulAdd)
STRICT_BINARY(FusedMulAddRelu)
STRICT_BINARY_MIXED(AddReluCast) STRICT_BINARY_MIXED(SubReluCast) STRICT_BINARY_MIXED(MulCast)
STRICT_BINARY_MIXED(MulAddDst)
STRICT_SCALAR(Adds) STRICT_SCALAR(Muls) STRICT_SCALAR(Maxs) STRICT_SCALAR(Mins) STRICT_SCALAR(LeakyRelu)
STRICT_SCALAR(ShiftLeft) STRICT_SCALAR(ShiftRight) STRICT_SCALAR_MIXED(Axpy)
// clang-format on
#undef STRICT_UNARY
#undef STRICT_BINARY_OF
#undef STRICT_BINARY
#undef STRICT_BINARY_MIXED
#undef STRICT_SCALAR_OF
#undef STRICT_SCALAR
#undef STRICT_SCALAR_MIXED

    //===----------------------------------------------------------------------===//
    // Compares, selects, casts
    //===----------------------------------------------------------------------===//

    template <typename M, typename T>
    void Compare(const LocalTensor<M> &, const LocalTensor<T> &, const LocalTensor<T> &, CMPMODE, uint32_t) {
  STRICT_TAKES("Compare", "count", STRICT_WORD(T), "", STRICT_WORD(M));
}
template <typename M, typename T>
void CompareScalar(const LocalTensor<M> &, const LocalTensor<T> &, const T, CMPMODE, uint32_t) {
  STRICT_TAKES("CompareScalar", "count", STRICT_WORD(T), "", STRICT_WORD(M));
}
template <typename T, typename M>
void Select(const LocalTensor<T> &, const LocalTensor<M> &, const LocalTensor<T> &, const LocalTensor<T> &,
            const SELMODE::Is<SELMODE::Tensor> &, uint32_t) {
  STRICT_TAKES("Select", "tensor_count", STRICT_WORD(T), STRICT_WORD(M), STRICT_WORD(T));
}
template <typename T, typename M>
void Select(const LocalTensor<T> &, const LocalTensor<M> &, const LocalTensor<T> &, const T,
            const SELMODE::Is<SELMODE::Scalar> &, uint32_t) {
  STRICT_TAKES("Select", "scalar_count", STRICT_WORD(T), STRICT_WORD(M), STRICT_WORD(T));
}

template <typename D, typename S, RoundMode::Name mode>
void Cast(const LocalTensor<D> &, const LocalTensor<S> &, const RoundMode::Is<mode> &, const uint32_t) {
  STRICT_TAKES("Cast", "count", STRICT_WORD(S), "", STRICT_WORD(D));
  constexpr const char *names[] = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};
  static_assert(strict::rounds(names[mode], STRICT_WORD(S), STRICT_WORD(D)),
                "Cast: emits nothing in this rounding mode");
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T>
void ReduceSum(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const int32_t) {
  STRICT_TAKES("ReduceSum", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void ReduceMax(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const int32_t, bool = false) {
  STRICT_TAKES("ReduceMax", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void ReduceMin(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const int32_t, bool = false) {
  STRICT_TAKES("ReduceMin", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void WholeReduceSum(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t /*mask*/, const int32_t /*repeats*/,
                    const int32_t, const int32_t, const int32_t) {
  STRICT_TAKES("WholeReduceSum", "mask", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void WholeReduceMax(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t /*mask*/, const int32_t /*repeats*/,
                    const int32_t, const int32_t, const int32_t, ReduceOrder = ReduceOrder::ORDER_VALUE_INDEX) {
  STRICT_TAKES("WholeReduceMax", "mask", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void WholeReduceMin(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t /*mask*/, const int32_t /*repeats*/,
                    const int32_t, const int32_t, const int32_t, ReduceOrder = ReduceOrder::ORDER_VALUE_INDEX) {
  STRICT_TAKES("WholeReduceMin", "mask", STRICT_WORD(T), "", STRICT_WORD(T));
}
// Repeats stand before the mask.
#define STRICT_PART_REDUCE(NAME)                                                                                       \
  template <typename T>                                                                                                \
  void NAME(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t /*repeats*/, const int32_t /*mask*/,         \
            const int32_t, const int32_t, const int32_t) {                                                             \
    STRICT_TAKES(#NAME, "mask", STRICT_WORD(T), "", STRICT_WORD(T));                                                   \
  }
STRICT_PART_REDUCE(BlockReduceSum)
STRICT_PART_REDUCE(BlockReduceMax)
STRICT_PART_REDUCE(BlockReduceMin)
STRICT_PART_REDUCE(PairReduceSum)
#undef STRICT_PART_REDUCE

//===----------------------------------------------------------------------===//
// Fill, move, sort
//===----------------------------------------------------------------------===//

template <typename T> void Duplicate(const LocalTensor<T> &, const T &, const int32_t &) {
  STRICT_TAKES("Duplicate", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void CreateVecIndex(const LocalTensor<T> &, const T &, const uint32_t) {
  STRICT_TAKES("CreateVecIndex", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void Copy(const LocalTensor<T> &, const LocalTensor<T> &, const uint64_t, const uint8_t, const CopyRepeatParams &) {
  STRICT_TAKES("Copy", "mask", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void Gather(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<uint32_t> &, const uint32_t,
            const uint32_t) {
  STRICT_TAKES("Gather", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void Scatter(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<uint32_t> &, const uint32_t,
             const uint32_t) {
  STRICT_TAKES("Scatter", "count", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T, typename U>
void GatherMask(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<U> &, const bool, const uint32_t,
                const GatherMaskParams &, uint64_t &) {
  STRICT_TAKES("GatherMask", "tensor_pattern", STRICT_WORD(T), STRICT_WORD(U), STRICT_WORD(T));
}
template <typename T>
void GatherMask(const LocalTensor<T> &, const LocalTensor<T> &, const uint8_t, const bool, const uint32_t,
                const GatherMaskParams &, uint64_t &) {
  STRICT_TAKES("GatherMask", "fixed_pattern", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void Transpose(const LocalTensor<T> &, const LocalTensor<T> &) {
  STRICT_TAKES("Transpose", "16x16", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&)[16], const LocalTensor<T> (&)[16], const TransDataTo5HDParams &) {
  STRICT_TAKES("TransDataTo5HD", "tensor_lists", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void Sort32(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<uint32_t> &, const int32_t) {
  STRICT_TAKES("Sort32", "repeat", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void MrgSort(const LocalTensor<T> &, const MrgSortSrcList<T> &, const MrgSort4Info &) {
  STRICT_TAKES("MrgSort", "MrgSort4Info", STRICT_WORD(T), "", STRICT_WORD(T));
}

//===----------------------------------------------------------------------===//
// Calls with scratch of their own
//===----------------------------------------------------------------------===//

template <typename T, bool reuseSource = false>
void Floor(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<uint8_t> &, const uint32_t) {
  STRICT_TAKES("Floor", "tmp", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T, bool reuseSource = false>
void Xor(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<uint8_t> &,
         const uint32_t) {
  STRICT_TAKES("Xor", "tmp", STRICT_WORD(T), "", STRICT_WORD(T));
}

} // namespace AscendC

#endif
