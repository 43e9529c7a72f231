// Strided forms: so many repeats, in each the lanes that a mask names, blocks and repeats of every
// operand some way apart. The simulator's instructions work on tiles that lie close, so
//
//   repeats that lie close, all lanes     one instruction over all of them
//   blocks that lie close                 one instruction a repeat
//   blocks with gaps, or bits by block    one instruction a block
//
// What is several here costs the start of several in the model of time, and is ordered by nobody:
// a repeat that reads what the repeat before it wrote is a race here.

#include "runtime/device/sim/ascendc/Recorder.h"

#include <algorithm>

namespace opc::ascendc {

namespace {

constexpr int64_t kBlocks = kRepeatBytes / kBlockBytes;

struct Strided {
  OperandValue *value;
  int64_t size; ///< bytes of an element
};

/// Operands of the call, the destination first.
std::vector<Strided> operandsOf(Call &call) {
  std::vector<Strided> operands = {
      {&call.destination, int64_t(elementSize(call.form.destination.type))}};
  for (unsigned i = 0; i < kMaxSources; ++i)
    if (call.form.sources[i].space != ProgramOperand::None)
      operands.push_back({&call.sources[i], int64_t(elementSize(call.form.sources[i].type))});
  return operands;
}

bool reducesParts(const Call &call) {
  const IntrinsicForm form = intrinsicInfo(call.form.intrinsic).form;
  return form == IntrinsicForm::RepeatReduce || form == IntrinsicForm::BlockReduce ||
         form == IntrinsicForm::PairReduce;
}

bool bitAt(const Call &call, int64_t lane) {
  return (call.mask[lane / 64] >> (lane % 64)) & 1;
}

/// How many of `lanes` bits from `first` on are set, when those are the first ones; else -1.
int64_t prefix(const Call &call, int64_t first, int64_t lanes) {
  int64_t count = 0;
  while (count < lanes && bitAt(call, first + count))
    ++count;
  for (int64_t i = count; i < lanes; ++i)
    if (bitAt(call, first + i))
      return -1;
  return count;
}

} // namespace

/// Lanes from the start of a block of a repeat.
void Recorder::recordPart(const Call &call, int64_t repeat, int64_t block, int64_t count,
                          Place place) {
  if (count == 0)
    return;
  Call part = call;
  for (const Strided &operand : operandsOf(part))
    operand.value->address += repeat * operand.value->repeatStride * operand.value->repeatUnit +
                              block * operand.value->blockStride * kBlockBytes;
  part.repeats = kAbsent;
  part.count = count;
  recordOne(part, place);
}

void Recorder::recordRepeats(const Call &given, Place place) {
  Call call = given;
  const std::vector<Strided> operands = operandsOf(call);
  const bool reduces = reducesParts(call);
  int64_t widest = 1;
  bool oneWidth = true;
  for (const Strided &operand : operands) {
    widest = std::max(widest, operand.size);
    oneWidth = oneWidth && operand.size == operands[0].size;
  }
  const int64_t lanes = kRepeatBytes / widest, perBlock = kBlockBytes / widest;
  const std::string name = "'" + std::string(call.name) + "'";
  if (call.repeats < 0 || call.repeats > 255)
    fail(Code::E0563, place,
         "mem (count or type): " + name + " expects at most 255 repeats, found " +
             std::to_string(call.repeats),
         "ascendc_c12");
  int64_t count = call.maskIsBits ? prefix(call, 0, lanes) : int64_t(call.mask[0]);
  const bool byBlock = call.maskIsBits && count < 0;
  if (!byBlock && (count < 1 || count > lanes))
    fail(Code::E0563, place,
         "mem (count or type): " + name + " expects a mask of 1 to " + std::to_string(lanes) +
             " lanes, found " + std::to_string(count),
         "ascendc_c12");
  if (call.repeats == 0)
    return;

  auto lieClose = [&](const Strided &operand, bool isResult) {
    if (isResult && reduces)
      return operand.value->repeatStride == 1;
    const int64_t bytes = lanes * operand.size;
    return operand.value->blockStride == 1 && operand.value->repeatStride * kBlockBytes == bytes;
  };
  bool blocksClose = true, repeatsClose = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    blocksClose = blocksClose && (operands[i].value->blockStride == 1 || count <= perBlock);
    repeatsClose = repeatsClose && lieClose(operands[i], i == 0);
  }
  if (!byBlock && blocksClose && call.repeats == 1)
    return recordPart(call, 0, 0, count, place);
  if (!byBlock && repeatsClose && count == lanes)
    return recordPart(call, 0, 0, call.repeats * lanes, place);
  if (!byBlock && recordRows(call, count, place))
    return;
  const bool needsBlocks = byBlock || !blocksClose;
  if (needsBlocks && (reduces || !oneWidth))
    fail(Code::E0802, place,
         "the simulator does not have this form: " + name + " over blocks with gaps",
         "ascendc_c11");
  for (int64_t repeat = 0; repeat < call.repeats; ++repeat) {
    if (!needsBlocks) {
      recordPart(call, repeat, 0, count, place);
      continue;
    }
    for (int64_t block = 0; block < kBlocks; ++block) {
      const int64_t inBlock =
          byBlock ? prefix(call, block * perBlock, perBlock)
                  : std::max<int64_t>(0, std::min(perBlock, count - block * perBlock));
      if (inBlock < 0)
        fail(Code::E0802, place,
             "the simulator does not have this form: " + name +
                 " with a mask whose bits do not start with the first of their block",
             "ascendc_c11", "Select with a mask from a tensor");
      recordPart(call, repeat, block, inBlock, place);
    }
  }
}

} // namespace opc::ascendc
