// Strided calls whose second source has a stride of 0: rows with a block of 32 bytes each, for which the simulator
// has one instruction (runtime/target/RowForm.h).
//
//   along one row      all blocks of a repeat use the same block of the second source
//                      Add(dst, x, b, mask, repeats, {1, 1, 0, 8, 8, 0})
//   across rows        a block of each row in a repeat, rows `repeats` blocks long
//                      Add(dst, x, b, rows * lanes of a block, repeats, {repeats, repeats, 1, 1, 1, 0})

#include "runtime/ascendc/Recorder.h"
#include "runtime/target/RowForm.h"

namespace opc::ascendc {

bool Recorder::recordRows(const Call &call, int64_t lanes, Place place) {
  if (!mayTakeRows(call.form.intrinsic))
    return false;
  const int64_t size = elementSize(call.form.destination.type), ofBlock = kBlockBytes / size;
  if (lanes < 1 || lanes * size > kRepeatBytes || call.repeats < 1)
    return false;
  for (unsigned i = 0; i < 2; ++i)
    if (elementSize(call.form.sources[i].type) != unsigned(size))
      return false;
  auto has = [&call](const OperandValue &value, int64_t blockStride, int64_t repeatStride) {
    return value.blockStride == blockStride && (value.repeatStride == repeatStride || call.repeats == 1);
  };
  const OperandValue &result = call.destination, &row = call.sources[0], &block = call.sources[1];
  const int64_t blocks = kRepeatBytes / kBlockBytes, width = call.repeats;
  const bool along =
      has(result, 1, blocks) && has(row, 1, blocks) && has(block, 0, 0) && (width == 1 || lanes * size == kRepeatBytes);
  const bool across = has(result, width, 1) && has(row, width, 1) && has(block, 1, 0) && lanes % ofBlock == 0;
  if (!along && !across)
    return false;
  Call rows = call;
  rows.repeats = kAbsent;
  rows.count = lanes * width;
  rows.sources[1].length = along ? ofBlock : lanes;
  recordOne(rows, place);
  return true;
}

} // namespace opc::ascendc
