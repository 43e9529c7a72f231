// Words of the device compiler and of its built-in headers that kernels use without including anything: qualifiers,
// the scalar functions, the calls under the names of instructions.
//
// The headers of kernels include nothing that declares functions of the C library at global scope, since kernels define
// their own functions with such names (div, abs, index). Scalar functions are templates, so functions of <cmath> or of
// the kernel take precedence.

#ifndef OPC_RUNTIME_ASCENDC_DEVICE_H
#define OPC_RUNTIME_ASCENDC_DEVICE_H

#include "runtime/ascendc/Sync.h"

#include <array> // std::min, std::max
#include <cfloat>
#include <climits>
#include <limits>

// Qualifiers of addresses and functions.
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __inout_pipe__(...)
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __sync_alias__
#define __sync_noalias__
#define __check_sync_alias__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef likely
#define likely(condition) __builtin_expect(static_cast<bool>(condition), 1)
#endif
#ifndef unlikely
#define unlikely(condition) __builtin_expect(static_cast<bool>(condition), 0)
#endif

// The chip has one kind of core, with vector unit and cube, so every requested task type is available.
#define KERNEL_TASK_TYPE_DEFAULT(...)
#define KERNEL_TASK_TYPE(...)
#define ENABLE_DETERMINISTIC(...)
#define ASCEND_IS_AIV (true)
#define ASCEND_IS_AIC (false)
#define ASCEND_IS_NOT_AIV (false)
#define ASCEND_IS_NOT_AIC (true)

namespace AscendC {

constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
constexpr int32_t MIX = 0;
constexpr int32_t g_coreType = AIV;

// Sizes under the names of the vendor's library, in bytes, elements or blocks.
constexpr int32_t ONE_BLK_SIZE = 32;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t DEFAULT_C0_SIZE = 32;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t BLOCK_CUBE = 16;

/// The state of the mask register under its internal name.
class AscendCUtils {
public:
  template <typename T, bool isSetMask = true> static void SetMask(const uint64_t &high, const uint64_t &low) {
    if constexpr (isSetMask)
      SetVectorMask<T>(high, low);
  }
  template <typename T, bool isSetMask = true> static void SetMask(int32_t lanes) {
    if constexpr (isSetMask)
      SetVectorMask<T>(lanes);
  }
  template <bool isSetMask = true> static void ResetMask() {
    if constexpr (isSetMask)
      AscendC::ResetMask();
  }
  /// The flag that records overflows has no effect on results.
  static void SetOverflow(uint64_t) {}
};

} // namespace AscendC

using AscendC::g_coreType;

//===----------------------------------------------------------------------===//
// Calls under the names of instructions
//===----------------------------------------------------------------------===//

namespace opc::ascendc {

inline void pipeBarrier(pipe_t pipe, Place place) {
  if (pipe == PIPE_ALL)
    return machine().barrierOfAll(place);
  Call call;
  call.name = "pipe_barrier";
  call.form.kind = PipeInstruction::Barrier;
  call.form.pipe = pipeOf(pipe);
  machine().record(call, place);
}
inline void flag(pipe_t from, pipe_t to, int64_t id, bool set, Place place) {
  expectForm(isPipe(from) && isPipe(to) && hasFlag(from, to),
             "flags of a pipe to itself, of all pipes, from MTE3 to FIX, or between FIX and V without '#define "
             "OPC_FIX_TO_V_DIRECT' before the includes",
             place);
  machine().record(flagCall({pipeOf(from), pipeOf(to)}, id, set), place);
}

/// A number of the launch that converts to an integer: a kernel's own variable of the same name hides it.
template <bool isIndex> struct LaunchNumber {
  operator int64_t() const { return isIndex ? machine().blockIndex() : machine().blockNum(); }
};

} // namespace opc::ascendc

// Visible from the global scope, and hidden by declarations in a kernel's own scopes.
namespace opc::ascendc::global {

template <typename = void> void pipe_barrier(pipe_t pipe, opc::ascendc::Place place = opc::ascendc::Place()) {
  opc::ascendc::pipeBarrier(pipe, place);
}
template <typename = void>
void set_flag(pipe_t from, pipe_t to, int64_t id, opc::ascendc::Place place = opc::ascendc::Place()) {
  opc::ascendc::flag(from, to, id, /*set=*/true, place);
}
template <typename = void>
void wait_flag(pipe_t from, pipe_t to, int64_t id, opc::ascendc::Place place = opc::ascendc::Place()) {
  opc::ascendc::flag(from, to, id, /*set=*/false, place);
}
template <typename = void> int64_t get_block_idx() {
  return opc::ascendc::machine().blockIndex();
}
template <typename = void> int64_t get_block_num() {
  return opc::ascendc::machine().blockNum();
}
template <typename = void> void set_mask_norm() {
  AscendC::SetMaskNorm();
}
template <typename = void> void set_mask_count() {
  AscendC::SetMaskCount();
}
template <typename = void>
void set_vector_mask(uint64_t high, uint64_t low, opc::ascendc::Place place = opc::ascendc::Place()) {
  if (opc::ascendc::machine().maskRegister().kind == opc::ascendc::LaneMask::Total)
    return AscendC::SetVectorMask<half, AscendC::MaskMode::COUNTER>(high, low, place);
  AscendC::SetVectorMask<half>(high, low, place);
}
template <typename = void> void set_atomic_none() {
  AscendC::SetAtomicNone();
}
#ifndef block_idx
inline constexpr LaunchNumber</*isIndex=*/true> block_idx{};
#endif

} // namespace opc::ascendc::global

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

namespace opc::ascendc {

template <typename T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
/// The type in which a scalar function computes.
template <typename T> using Scalar = std::conditional_t<std::is_same_v<T, double>, double, float>;

// Whole numbers by way of the built-in functions, which need no header.
template <typename T> T scalarAbs(T value) {
  if constexpr (std::is_integral_v<T>)
    return value < 0 ? T(-value) : value;
  else
    return T(__builtin_fabs(double(value)));
}

} // namespace opc::ascendc

namespace opc::ascendc::global {

// `Other` makes a template less specialised than any other with the same number of arguments: std's for integers
// take precedence.
#define OPC_SCALAR_FUNCTION(NAME, FUNCTION)                                                                            \
  template <typename T, typename... Other, std::enable_if_t<kIsNumber<T> && sizeof...(Other) == 0, int> = 0>           \
  Scalar<T> NAME(T value, Other...) {                                                                                  \
    return Scalar<T>(machine().compute(ScalarFunction::FUNCTION, double(value)));                                      \
  }
OPC_SCALAR_FUNCTION(sqrt, Sqrt)
OPC_SCALAR_FUNCTION(exp, Exp)
OPC_SCALAR_FUNCTION(log, Log)
OPC_SCALAR_FUNCTION(ceil, Ceil)
OPC_SCALAR_FUNCTION(floor, Floor)
OPC_SCALAR_FUNCTION(round, Round)
OPC_SCALAR_FUNCTION(trunc, Trunc)
#undef OPC_SCALAR_FUNCTION
template <typename T, typename... Other, std::enable_if_t<kIsNumber<T> && sizeof...(Other) == 0, int> = 0>
T abs(T value, Other...) {
  return scalarAbs(value);
}
#define OPC_SCALAR_EXTREME(NAME, SIGN)                                                                                 \
  template <typename T, typename U, typename... Other,                                                                 \
            std::enable_if_t<kIsNumber<T> && kIsNumber<U> && sizeof...(Other) == 0, int> = 0>                          \
  std::common_type_t<T, U> NAME(T a, U b, Other...) {                                                                  \
    using V = std::common_type_t<T, U>;                                                                                \
    return V(b) SIGN V(a) ? V(b) : V(a);                                                                               \
  }
OPC_SCALAR_EXTREME(min, <)
OPC_SCALAR_EXTREME(max, >)
#undef OPC_SCALAR_EXTREME

} // namespace opc::ascendc::global

using namespace opc::ascendc::global;

namespace AscendC {

/// A scalar conversion. The scalar unit rounds as Cast does.
template <typename S, typename D, RoundMode mode> D ScalarCast(S value) {
  static_assert(std::is_same_v<S, float> &&
                    (std::is_same_v<D, half> || std::is_same_v<D, int32_t> || std::is_same_v<D, bfloat16_t>),
                "Ascend 310B has ScalarCast of float to half, bfloat16_t and int32_t");
  if constexpr (std::is_same_v<D, int32_t>) {
    using opc::ascendc::ScalarFunction;
    const double number = double(value);
    constexpr ScalarFunction function = mode == RoundMode::CAST_FLOOR   ? ScalarFunction::Floor
                                        : mode == RoundMode::CAST_CEIL  ? ScalarFunction::Ceil
                                        : mode == RoundMode::CAST_ROUND ? ScalarFunction::Round
                                        : mode == RoundMode::CAST_TRUNC ? ScalarFunction::Trunc
                                                                        : ScalarFunction::Rint;
    const double whole = opc::ascendc::machine().compute(function, number);
    if (!(number == number))
      return 0;
    return whole < -2147483648.0 ? INT32_MIN : whole > 2147483647.0 ? INT32_MAX : int32_t(whole);
  } else {
    static_assert(mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT,
                  "the simulator has ScalarCast to half and bfloat16_t with CAST_RINT and CAST_NONE");
    return D(value);
  }
}
inline float ToFloat(const bfloat16_t &value) {
  return float(value);
}
inline bfloat16_t ToBfloat16(const float &value) {
  return bfloat16_t(value);
}

/// Counts over the bits of a word.
template <int countValue> int64_t ScalarGetCountOfValue(uint64_t word) {
  const int64_t ones = __builtin_popcountll(word);
  return countValue == 1 ? ones : 64 - ones;
}
inline int64_t ScalarCountLeadingZero(uint64_t word) {
  return word == 0 ? 64 : __builtin_clzll(word);
}
/// The index of the first bit of a value, counted from the lowest; -1 for none.
template <int countValue> int64_t ScalarGetSFFValue(uint64_t word) {
  const uint64_t bits = countValue == 1 ? word : ~word;
  return bits == 0 ? -1 : __builtin_ctzll(bits);
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_DEVICE_H
