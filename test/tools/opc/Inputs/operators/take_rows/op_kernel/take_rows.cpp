// y = rows of x, from one row on, as many as the output has; at most 32 KiB.
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
#include "take_rows_tiling_data.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void take_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
#ifdef NOTHING
  return;
#else
  REGISTER_TILING_DEFAULT(TakeRowsTilingData);
  GET_TILING_DATA_WITH_STRUCT(TakeRowsTilingData, data, tiling);
  GlobalTensor<uint8_t> from, to;
  from.SetGlobalBuffer((__gm__ uint8_t *)x + data.first, data.bytes);
  to.SetGlobalBuffer((__gm__ uint8_t *)y, data.bytes);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 32 * 1024);
  DataCopyExtParams row{1, data.bytes, 0, 0, 0};
  LocalTensor<uint8_t> rows = queue.AllocTensor<uint8_t>();
  DataCopyPad(rows, from, row, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
  queue.EnQue(rows);
  rows = queue.DeQue<uint8_t>();
  DataCopyPad(to, rows, row);
  queue.FreeTensor(rows);
#endif
}
