// Debug output of kernels: values of tensors, text, assertions. On the chip these calls cost time and have no effect
// on results; here they write to stderr while the kernel is recorded.

#ifndef OPC_RUNTIME_ASCENDC_DEBUG_H
#define OPC_RUNTIME_ASCENDC_DEBUG_H

#include "runtime/ascendc/Tensors.h"

#include <cassert>

namespace AscendC {

/// Dumps the first `elements` elements after performing all earlier calls in the order of the kernel's lines.
/// `number` identifies the dump.
template <typename Tensor>
void DumpTensor(const Tensor &tensor, uint32_t number, uint32_t elements, Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::scalarAccess(tensor, /*write=*/false);
  call.name = "DumpTensor";
  call.count = elements;
  opc::ascendc::machine().dump(call, number, place);
}
template <typename Tensor>
void DumpTensor(const Tensor &tensor, uint32_t number, uint32_t elements, const ShapeInfo &, Place place = Place()) {
  DumpTensor(tensor, number, elements, place);
}
inline void PrintTimeStamp(uint32_t) {
}
/// The chip's documentation has no printf. Public operators use it in functions that are never called, so it compiles,
/// and a call ends the kernel.
template <typename... T> __attribute__((noinline)) void printf(const char *, const T &...) {
  opc::ascendc::machine().refuse(
      "ascendc_c21",
      "Ascend 310B has no 'printf' by the vendor's documentation; use DumpTensor, or PRINTF, "
      "which prints here",
      Place::behind(__builtin_return_address(0)));
}

} // namespace AscendC

namespace opc::ascendc {
__attribute__((format(printf, 1, 2))) inline void print(const char *format, ...) {
  __builtin_va_list values;
  __builtin_va_start(values, format);
  machine().print(format, values);
  __builtin_va_end(values);
}
/// The value of an assertion after an expression: the expression.
struct Asserted {
  Asserted operator+() const { return {}; }
};
template <typename T> T operator+(const T &value, Asserted) {
  return value;
}
inline Asserted asserted(bool holds, const char *what, Place place = Place()) {
  if (!holds)
    machine().refuse("ascendc_c20", what, place);
  return {};
}
} // namespace opc::ascendc

using AscendC::printf;

#define PRINTF(...) opc::ascendc::print(__VA_ARGS__)
#define ASC_CPU_LOG_DEBUG(...) opc::ascendc::print(__VA_ARGS__)
#define ASC_CPU_LOG_INFO(...) opc::ascendc::print(__VA_ARGS__)
#define ASC_CPU_LOG_WARNING(...) opc::ascendc::print(__VA_ARGS__)
#define ASC_CPU_LOG_ERROR(...) opc::ascendc::print(__VA_ARGS__)
#define TRACE_START(id)
#define TRACE_STOP(id)
#define ascendc_assert(condition, ...)                                                                                 \
  ((condition)                                                                                                         \
       ? void()                                                                                                        \
       : opc::ascendc::machine().refuse("ascendc_c20", "ascendc_assert fails: " #condition, opc::ascendc::Place()))
// It expands to nothing in the device's build, so kernels also use it after an expression: `n = tiles ASSERT(tiles
// != 0);`
#define ASSERT(condition) +opc::ascendc::asserted(static_cast<bool>(condition), "ASSERT fails: " #condition)
#define ASSERT_MSG(condition, ...) ASSERT(condition)
// Replaces the macro of <cassert>, which would end the process, by one that reports the line.
#undef assert
#define assert(condition)                                                                                              \
  ((condition) ? void()                                                                                                \
               : opc::ascendc::machine().refuse("ascendc_c20", "assert fails: " #condition, opc::ascendc::Place()))

#endif // OPC_RUNTIME_ASCENDC_DEBUG_H
