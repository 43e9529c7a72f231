// Fills: a scalar in all lanes, or consecutive numbers that start at a scalar.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

template <typename T> void broadcast(const VectorCall &call) {
  ComputedType<T> values[kBlock];
  for (int64_t i = 0; i < kBlock; ++i)
    values[i] = scalarOf<T>(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) { store<T>(values, call.destination, index, lanes); });
}

/// For floats: the sum of the scalar and the lane's number, rounded once. Lane numbers are exact in float.
template <typename T> void arange(const VectorCall &call) {
  const float first = scalarOf<T>(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float values[kBlock];
    for (int64_t i = 0; i < kBlock; ++i)
      values[i] = oneNaN(toFloatOdd(double(first) + double(index + i)));
    store<T>(values, call.destination, index, lanes);
  });
}

template <> void arange<float>(const VectorCall &call) {
  const float first = scalarOf<float>(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float values[kBlock];
    for (int64_t i = 0; i < kBlock; ++i)
      values[i] = oneNaN(first + float(index + i));
    store<float>(values, call.destination, index, lanes);
  });
}

/// For integers, which wrap around.
template <typename T> void arangeInteger(const VectorCall &call) {
  const uint32_t first = uint32_t(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    T values[kBlock];
    for (int64_t i = 0; i < kBlock; ++i)
      values[i] = T(first + uint32_t(index + i));
    store<T>(values, call.destination, index, lanes);
  });
}

const VectorEntry kTable[] = {
    entry<int16_t>(Intrinsic::vbrc, broadcast<int16_t>),
    entry<uint16_t>(Intrinsic::vbrc, broadcast<uint16_t>),
    entry<Half>(Intrinsic::vbrc, broadcast<Half>),
    entry<BFloat16>(Intrinsic::vbrc, broadcast<BFloat16>),
    entry<int32_t>(Intrinsic::vbrc, broadcast<int32_t>),
    entry<uint32_t>(Intrinsic::vbrc, broadcast<uint32_t>),
    entry<float>(Intrinsic::vbrc, broadcast<float>),
    entry<int16_t>(Intrinsic::varange, arangeInteger<int16_t>),
    entry<int32_t>(Intrinsic::varange, arangeInteger<int32_t>),
    entry<Half>(Intrinsic::varange, arange<Half>),
    entry<float>(Intrinsic::varange, arange<float>),
};

} // namespace

VectorTable fillTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL
