// Element types, enumerators and macros with the names that kernels use.

#ifndef OPC_RUNTIME_ASCENDC_TYPES_H
#define OPC_RUNTIME_ASCENDC_TYPES_H

#include "runtime/ascendc/KernelMachine.h"
#include "runtime/ascendc/ScalarCode.h"
#include "runtime/target/Half.h"

#include <cstdint>
#include <type_traits>

/// The machine, which the process that loads the object sets before it calls a kernel. Defined here and not next to
/// the class, because a definition in the loading program would replace the object's own.
extern "C" {
__attribute__((visibility("default"), used)) inline opc::ascendc::KernelMachine *opc_kernel_machine = nullptr;
__attribute__((visibility("default"), used)) inline opc::ascendc::BlockCounts opc_kernel_code;
}

// Only in a kernel that is compiled for it: g++ 11 cannot exempt a function.
#if defined(OPC_COUNT_SCALAR_CODE)
#if defined(__clang__)
#define OPC_NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define OPC_NOT_COUNTED __attribute__((no_sanitize_coverage))
#endif
extern "C" OPC_NOT_COUNTED __attribute__((visibility("hidden"), used)) inline void __sanitizer_cov_trace_pc() {
  opc::ascendc::BlockCounts &code = opc_kernel_code;
  code.last = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  const uintptr_t offset = code.last - code.begin;
  const uint32_t block = offset < code.bytes ? code.blockAt[offset] : 0;
  if (block != 0 && code.runs[block - 1]++ == 0)
    code.ran[code.numRan++] = block - 1;
}

#if defined(OPC_TRACE_POINTERS)
extern "C" {
__attribute__((visibility("default"), used)) inline opc::ascendc::AddressRange opc_kernel_memory;
}
#define OPC_TRACED_ACCESS(FUNCTION, BYTES, IS_WRITE)                                                                   \
  extern "C" OPC_NOT_COUNTED __attribute__((visibility("hidden"), used)) inline void FUNCTION(void *address) {         \
    if (reinterpret_cast<uintptr_t>(address) - opc_kernel_memory.begin < opc_kernel_memory.bytes)                      \
      opc_kernel_machine->accessPointer(address, BYTES, IS_WRITE,                                                      \
                                        opc::ascendc::Place::behind(__builtin_return_address(0)));                     \
  }
OPC_TRACED_ACCESS(__sanitizer_cov_load1, 1, false)
OPC_TRACED_ACCESS(__sanitizer_cov_load2, 2, false)
OPC_TRACED_ACCESS(__sanitizer_cov_load4, 4, false)
OPC_TRACED_ACCESS(__sanitizer_cov_load8, 8, false)
OPC_TRACED_ACCESS(__sanitizer_cov_load16, 16, false)
OPC_TRACED_ACCESS(__sanitizer_cov_store1, 1, true)
OPC_TRACED_ACCESS(__sanitizer_cov_store2, 2, true)
OPC_TRACED_ACCESS(__sanitizer_cov_store4, 4, true)
OPC_TRACED_ACCESS(__sanitizer_cov_store8, 8, true)
OPC_TRACED_ACCESS(__sanitizer_cov_store16, 16, true)
#undef OPC_TRACED_ACCESS
#endif
#endif

// The loader finds kernels in the object by their section.
#define __global__ __attribute__((section("opc_kernels"), used, noinline, visibility("default")))
#define __aicore__
#define __gm__
#define __ubuf__
#define GM_ADDR uint8_t *
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 3002
#endif
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 300
#endif

// The values that kernels compare a build's ORIG_DTYPE_<TENSOR> and FORMAT_<TENSOR> with; the numbers are those of
// the vendor's framework.
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_BF16 27
#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2

#define OPC_COMPOUND_ASSIGNMENT(TYPE, SIGN)                                                                            \
  template <typename T> TYPE &operator SIGN## = (const T &number) {                                                    \
    return *this = TYPE(static_cast<float>(*this) SIGN static_cast<float>(number));                                    \
  }
#define OPC_COMPOUND_ASSIGNMENTS(TYPE)                                                                                 \
  OPC_COMPOUND_ASSIGNMENT(TYPE, +)                                                                                     \
  OPC_COMPOUND_ASSIGNMENT(TYPE, -)                                                                                     \
  OPC_COMPOUND_ASSIGNMENT(TYPE, *)                                                                                     \
  OPC_COMPOUND_ASSIGNMENT(TYPE, /)

/// IEEE binary16. The scalar unit has no arithmetic on it; expressions are computed in float.
struct half {
  opc::Half value{0};
  constexpr half() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  half(T number) : value(opc::toHalf(static_cast<float>(number))) {}
  operator float() const { return opc::toFloat(value); }
  OPC_COMPOUND_ASSIGNMENTS(half)
};
/// The upper half of a float.
struct bfloat16_t {
  opc::BFloat16 value{0};
  constexpr bfloat16_t() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  bfloat16_t(T number) : value(opc::toBFloat16(static_cast<float>(number))) {}
  operator float() const { return opc::toFloat(value); }
  OPC_COMPOUND_ASSIGNMENTS(bfloat16_t)
};
#undef OPC_COMPOUND_ASSIGNMENTS
#undef OPC_COMPOUND_ASSIGNMENT
static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2);

// Names of public kernels for the same types.
using float16_t = half;
using float32_t = float;

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {

using TEventID = int8_t;

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  TSCM
};
using QuePosition = TPosition;

enum class HardEvent : uint8_t {
  MTE2_V,
  V_MTE2,
  MTE3_V,
  V_MTE3,
  MTE2_MTE3,
  MTE3_MTE2,
  S_V,
  V_S,
  S_MTE2,
  MTE2_S,
  S_MTE3,
  MTE3_S,
  V_V,
  MTE2_MTE1,
  MTE1_MTE2,
  MTE1_M,
  M_MTE1,
  M_V,
  V_M,
  M_FIX,
  FIX_M,
  MTE3_MTE1,
  MTE1_V,
  V_MTE1,
  M_S,
  FIX_MTE2,
  FIX_MTE3,
  MTE2_FIX,
  FIX_S,
  MTE1_FIX,
  FIX_MTE1,
  M_MTE2,
  MTE2_M,
};
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceType : uint8_t { MAX, MIN, SUM };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
using TTagType = int32_t;
enum class DataFormat : uint8_t { ND, NZ, NCHW, NC1HWC0, NHWC };
/// The shape that a kernel attaches to a tensor; calls do not use it.
struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t dims, const uint32_t sizes[], DataFormat format = DataFormat::ND)
      : shapeDim(dims < 8 ? dims : 8), originalShapeDim(shapeDim), dataFormat(format) {
    for (int i = 0; i < shapeDim; ++i)
      shape[i] = originalShape[i] = sizes[i];
  }
  uint8_t shapeDim = 0, originalShapeDim = 0;
  uint32_t shape[8] = {}, originalShape[8] = {};
  DataFormat dataFormat = DataFormat::ND;
};
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint64_t { ALL, DDR, UB, SEQ };

} // namespace AscendC

namespace opc::ascendc {

inline KernelMachine &machine() {
  return *opc_kernel_machine;
}

template <typename T> constexpr bool kNoSuchType = false;

template <typename T> constexpr ElementType elementTypeOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, half>)
    return ElementType::Float16;
  else if constexpr (std::is_same_v<U, bfloat16_t>)
    return ElementType::BFloat16;
  else if constexpr (std::is_same_v<U, float>)
    return ElementType::Float32;
  else if constexpr (std::is_same_v<U, double>)
    return ElementType::Float64;
  else if constexpr (std::is_same_v<U, bool>)
    return ElementType::Bool;
  else if constexpr (std::is_integral_v<U>) {
    constexpr bool isSigned = std::is_signed_v<U>;
    if constexpr (sizeof(U) == 1)
      return isSigned ? ElementType::Int8 : ElementType::UInt8;
    else if constexpr (sizeof(U) == 2)
      return isSigned ? ElementType::Int16 : ElementType::UInt16;
    else if constexpr (sizeof(U) == 4)
      return isSigned ? ElementType::Int32 : ElementType::UInt32;
    else
      return isSigned ? ElementType::Int64 : ElementType::UInt64;
  } else
    static_assert(kNoSuchType<T>, "tensors of Ascend C have elements of half, bfloat16_t, float, "
                                  "bool and integers of 8 to 64 bits");
}

/// A scalar in the representation of the simulator's registers.
template <typename T> int64_t registerOf(T value) {
  if constexpr (std::is_same_v<T, double>) {
    int64_t bits; // elements of 64 bits are moved as they are
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
  } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_floating_point_v<T>)
    return int64_t(floatBits(static_cast<float>(value)));
  else
    return static_cast<int64_t>(value);
}
template <typename T> T fromRegister(uint64_t bits) {
  if constexpr (std::is_same_v<T, double>) {
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_floating_point_v<T>)
    return T(floatFromBits(uint32_t(bits)));
  else
    return static_cast<T>(bits);
}

constexpr bool sameWord(const char *a, const char *b, int length) {
  for (int i = 0; i < length; ++i)
    if (a[i] != b[i])
      return false;
  return b[length] == 0;
}

constexpr const char *wordOf(ElementType type) {
  constexpr const char *words[] = {"f16", "f32",  "bf16", "i8",   "ui8", "i16", "ui16",
                                   "i32", "ui32", "i64",  "ui64", "i1",  "f64"};
  return words[static_cast<int>(type)];
}

/// Whether a list of type rows in the notation of Intrinsics.def ("i16 f16>f32") contains a row.
constexpr bool hasRow(const char *rows, const char *source, const char *destination) {
  while (*rows) {
    int length = 0, arrow = -1;
    for (; rows[length] && rows[length] != ' '; ++length)
      arrow = rows[length] == '>' ? length : arrow;
    const bool found =
        arrow < 0 ? sameWord(rows, source, length) && sameWord(rows, destination, length)
                  : sameWord(rows, source, arrow) && sameWord(rows + arrow + 1, destination, length - arrow - 1);
    if (found)
      return true;
    rows += length + (rows[length] == ' ' ? 1 : 0);
  }
  return false;
}

constexpr const char *rowsOf(Intrinsic intrinsic) {
  constexpr const char *rows[] = {
#define OPC_INTRINSIC(NAME, ASCENDC, FORM, TYPES) TYPES,
#include "runtime/target/Intrinsics.def"
#undef OPC_INTRINSIC
  };
  return rows[static_cast<int>(intrinsic)];
}

/// Whether the chip has an intrinsic for these types.
template <Intrinsic intrinsic, typename D, typename S>
constexpr bool kHas = hasRow(rowsOf(intrinsic), wordOf(elementTypeOf<S>()), wordOf(elementTypeOf<D>()));

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_TYPES_H
