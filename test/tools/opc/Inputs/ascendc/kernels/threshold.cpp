// y = max(a, b) where a > b or a < 0, else `otherwise`: compares to bits, logic on them, both kinds of Select. Half.

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void threshold(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR z, GM_ADDR tiling) {
  GET_TILING_DATA_PTR_WITH_STRUCT(uint32_t, data, tiling);
  const uint32_t total = *data, lanes = 128;
  GlobalTensor<half> aGm, bGm, yGm, zGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, total);
  bGm.SetGlobalBuffer((__gm__ half *)b, total);
  yGm.SetGlobalBuffer((__gm__ half *)y, total);
  zGm.SetGlobalBuffer((__gm__ half *)z, total);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32 * 1024);
  const uint32_t whole = (total + lanes - 1) / lanes * lanes, bytes = whole * sizeof(half);
  LocalTensor<half> aLocal = buffer.GetWithOffset<half>(whole, 0), bLocal = buffer.GetWithOffset<half>(whole, bytes);
  LocalTensor<half> yLocal = buffer.GetWithOffset<half>(whole, 2 * bytes);
  LocalTensor<half> zLocal = buffer.GetWithOffset<half>(whole, 3 * bytes);
  LocalTensor<uint8_t> more = buffer.GetWithOffset<uint8_t>(whole / 8, 4 * bytes);
  LocalTensor<uint8_t> below = buffer.GetWithOffset<uint8_t>(whole / 8, 4 * bytes + 1024);

  Duplicate(aLocal, half(0), whole); // what the copies leave out
  Duplicate(bLocal, half(0), whole);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  DataCopyPad(aLocal, aGm, {1, static_cast<uint16_t>(total * sizeof(half)), 0, 0}, {true, 0, 1, 0});
  DataCopyPad(bLocal, bGm, {1, static_cast<uint16_t>(total * sizeof(half)), 0, 0}, {true, 0, 1, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Compare(more, aLocal, bLocal, CMPMODE::GT, whole);
  Compares(below, aLocal, half(0), CMPMODE::LT, whole);
  PipeBarrier<PIPE_V>();
  LocalTensor<uint16_t> words = more.ReinterpretCast<uint16_t>();
  Or(words, words, below.ReinterpretCast<uint16_t>(), static_cast<int32_t>(whole / 16));
  Max(yLocal, aLocal, bLocal, static_cast<int32_t>(whole));
  PipeBarrier<PIPE_V>();
  Select(zLocal, more, aLocal, bLocal, SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes, whole / lanes, {1, 1, 1, 8, 8, 8});
  Select(yLocal, more, yLocal, half(-3), SELMODE::VSEL_TENSOR_SCALAR_MODE, whole);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(yGm, yLocal, {1, static_cast<uint16_t>(total * sizeof(half)), 0, 0});
  DataCopyPad(zGm, zLocal, {1, static_cast<uint16_t>(total * sizeof(half)), 0, 0});
}
