// Element types, enumerators, and the row of the table that a call in given types has.

#ifndef STRICT_TYPES_H
#define STRICT_TYPES_H

/// The scalar unit makes a half of a constant and does nothing else with one.
struct half {
  half() = default;
  explicit constexpr half(float) : bits(0) {}
  explicit constexpr half(int) : bits(0) {}
  uint16_t bits;
};
/// Not even that is known of bfloat16: its bits are safe.
struct bfloat16_t {
  bfloat16_t() = default;
  uint16_t bits;
};

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX };

namespace AscendC {

enum class TPosition : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC };
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
  MTE2_M
};
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };

/// Modes are arguments; each is a type here, so that a call in a mode that emits nothing does not compile.
struct RoundMode {
  enum Name { None, Rint, Floor, Ceil, Round, Trunc, Odd };
  template <Name mode> struct Is {};
  static constexpr Is<None> CAST_NONE{};
  static constexpr Is<Rint> CAST_RINT{};
  static constexpr Is<Floor> CAST_FLOOR{};
  static constexpr Is<Ceil> CAST_CEIL{};
  static constexpr Is<Round> CAST_ROUND{};
  static constexpr Is<Trunc> CAST_TRUNC{};
  static constexpr Is<Odd> CAST_ODD{};
};
struct SELMODE {
  enum Name { Register, Scalar, Tensor };
  template <Name mode> struct Is {};
  static constexpr Is<Register> VSEL_CMPMASK_SPR{};
  static constexpr Is<Scalar> VSEL_TENSOR_SCALAR_MODE{};
  static constexpr Is<Tensor> VSEL_TENSOR_TENSOR_MODE{};
};
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

} // namespace AscendC

namespace strict {

struct Row {
  const char *name, *forms, *old, *now;
};
constexpr Row kRows[] = {
#define OPC_CALL(NAME, FORMS, IN_8_1, IN_9_1, DOCUMENTED, OTHERS) {NAME, FORMS, IN_8_1, IN_9_1},
#define OPC_CAST_MODES(SOURCE, DESTINATION, IN_8_1, IN_9_1, DOCUMENTED)                                                \
  {"Cast modes", SOURCE ">" DESTINATION, IN_8_1, IN_9_1},
#define OPC_CALL_OF_BOTH(NAME, FORM)
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
};

constexpr bool same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

/// Whether `list`, of words with blanks between them, has the word that `parts` are one after the other; "" ends them.
constexpr bool holds(const char *list, const char *const *parts) {
  for (; *list; list += *list == ' ' ? 1 : 0) {
    const char *at = list;
    bool fits = true;
    for (const char *const *part = parts; fits && **part; ++part)
      for (const char *c = *part; fits && *c; ++c)
        fits = *at == *c && (++at, true);
    if (fits && (*at == 0 || *at == ' '))
      return true;
    while (*list && *list != ' ')
      ++list;
  }
  return false;
}
constexpr bool holds(const char *list, const char *word) {
  const char *const parts[] = {word, ""};
  return holds(list, parts);
}

template <typename T> struct Word;
template <> struct Word<half> {
  static constexpr const char *text = "f16";
};
template <> struct Word<float> {
  static constexpr const char *text = "f32";
};
template <> struct Word<bfloat16_t> {
  static constexpr const char *text = "bf16";
};
template <> struct Word<int8_t> {
  static constexpr const char *text = "i8";
};
template <> struct Word<uint8_t> {
  static constexpr const char *text = "ui8";
};
template <> struct Word<int16_t> {
  static constexpr const char *text = "i16";
};
template <> struct Word<uint16_t> {
  static constexpr const char *text = "ui16";
};
template <> struct Word<int32_t> {
  static constexpr const char *text = "i32";
};
template <> struct Word<uint32_t> {
  static constexpr const char *text = "ui32";
};
template <> struct Word<int64_t> {
  static constexpr const char *text = "i64";
};
template <> struct Word<uint64_t> {
  static constexpr const char *text = "ui64";
};

/// Whether both versions have the row. `with` is the type of a mask beside the source, or "".
constexpr bool takes(const char *name, const char *form, const char *source, const char *with,
                     const char *destination) {
  const bool one = same(source, destination), alone = *with == 0;
  const char *const parts[] = {source, alone ? (one ? "" : ">") : ":", alone ? (one ? "" : destination) : with, "", ""};
  for (const Row &row : kRows)
    if (same(row.name, name) && holds(row.forms, form))
      if (holds(row.old, parts) && (same(row.now, "=") || holds(row.now, parts)))
        return true;
  return false;
}
/// Whether both versions have a rounding mode of a cast.
constexpr bool rounds(const char *mode, const char *source, const char *destination) {
  const char *const parts[] = {source, ">", destination, ""};
  for (const Row &row : kRows)
    if (same(row.name, "Cast modes") && holds(row.forms, parts))
      return holds(row.old, mode) && (same(row.now, "=") || holds(row.now, mode));
  return false;
}
/// Whether both versions have a call without types, or a pair of pipes, or a pipe.
constexpr bool takes(const char *name, const char *form, const char *word) {
  return takes(name, form, word, "", word);
}

} // namespace strict

#define STRICT_WORD(T) strict::Word<T>::text
/// The reason names the call; the compiler's note of the instantiation names the types.
#define STRICT_TAKES(NAME, FORM, SOURCE, WITH, DESTINATION)                                                            \
  static_assert(strict::takes(NAME, FORM, SOURCE, WITH, DESTINATION),                                                  \
                NAME ": runtime/target/toolkit/KernelCalls.def has no row of these types in form '" FORM               \
                     "' for both versions")

#endif
