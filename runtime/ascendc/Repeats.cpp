// Strided forms: a number of repeats, in each of them the lanes of a mask, with strides between the blocks and
// between the repeats of every operand.
//
//   lane l of repeat r   r * repeatStride + (block of l) * blockStride + (position of l in its block)
//
// The simulator's instructions work on contiguous tiles. So the lanes of a repeat are split into runs that are
// contiguous in every operand, and each run of each repeat is an instruction; runs that continue from repeat to
// repeat are one instruction. A run that does not start at a block is `partial`. A call that becomes several
// instructions costs several starts in the cost model, and nothing orders these instructions: a repeat that reads
// what the previous repeat wrote is reported as a race.

#include "runtime/ascendc/Recorder.h"
#include "runtime/target/Half.h"
#include "runtime/target/RowForm.h"

#include <algorithm>
#include <limits>

namespace opc::ascendc {

namespace {

/// How the address of an operand depends on the lane.
enum class Step : uint8_t {
  Lanes, ///< an element for each lane, in blocks
  Words, ///< an offset or index of 32 bits for each lane
  Bits,  ///< a bit for each lane
  Whole  ///< a tile that offsets refer to
};
struct Operand {
  OperandValue *value;
  int64_t size; ///< bytes of an element
  Step step;
};

std::vector<Operand> operandsOf(Call &call) {
  const IntrinsicForm form = intrinsicInfo(call.form.intrinsic).form;
  auto sizeOf = [](const ProgramOperand &operand) { return int64_t(elementSize(operand.type)); };
  const bool isTile = form == IntrinsicForm::Scatter;
  std::vector<Operand> operands = {{&call.destination, sizeOf(call.form.destination),
                                    isTile             ? Step::Whole
                                    : writesMask(form) ? Step::Bits
                                                       : Step::Lanes}};
  for (unsigned i = 0; i < kMaxSources && call.form.sources[i].space != ProgramOperand::None; ++i) {
    const bool isLast = i + 1 == kMaxSources || call.form.sources[i + 1].space == ProgramOperand::None;
    const Step step = i == 0 && hasMask(form)                   ? Step::Bits
                      : i == 0 && form == IntrinsicForm::Gather ? Step::Whole
                      : isLast && hasWords(form)                ? Step::Words
                                                                : Step::Lanes;
    operands.push_back({&call.sources[i], sizeOf(call.form.sources[i]), step});
  }
  return operands;
}

/// Bytes from the start of an operand to a lane of a repeat.
int64_t offsetOf(const Operand &operand, int64_t repeat, int64_t lane) {
  const int64_t start = repeat * operand.value->repeatStride * operand.value->repeatUnit;
  if (operand.step == Step::Whole)
    return 0;
  if (operand.step == Step::Bits)
    return start + lane / 8;
  const int64_t byte = lane * operand.size;
  return start + byte / kBlockBytes * operand.value->blockStride * kBlockBytes + byte % kBlockBytes;
}

int64_t lanesOf(const std::vector<Operand> &operands) {
  int64_t widest = 1;
  for (const Operand &operand : operands)
    if (operand.step == Step::Lanes)
      widest = std::max(widest, operand.size);
  return kRepeatBytes / widest;
}

bool isSet(const LaneMask &mask, int64_t lane) {
  if (mask.kind != LaneMask::Bits)
    return uint64_t(lane) < mask.words[0];
  return lane < 128 && ((mask.words[lane / 64] >> (lane % 64)) & 1) != 0;
}

struct Run {
  int64_t lane, count;
};

/// The lanes of the mask in one repeat, split into runs that are contiguous in every operand.
std::vector<Run> runsOf(const std::vector<Operand> &operands, const LaneMask &mask, int64_t lanes) {
  std::vector<Run> runs;
  auto goesOn = [&operands](int64_t lane) {
    return std::all_of(operands.begin(), operands.end(), [lane](const Operand &operand) {
      const bool isByLane = operand.step == Step::Lanes || operand.step == Step::Words;
      return !isByLane || offsetOf(operand, 0, lane) == offsetOf(operand, 0, lane - 1) + operand.size;
    });
  };
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (!isSet(mask, lane))
      continue;
    if (!runs.empty() && runs.back().lane + runs.back().count == lane && goesOn(lane))
      ++runs.back().count;
    else
      runs.push_back({lane, 1});
  }
  return runs;
}

/// Whether each repeat begins where the previous one ended.
bool repeatsGoOn(const std::vector<Operand> &operands, int64_t lanes) {
  return std::all_of(operands.begin(), operands.end(), [lanes](const Operand &operand) {
    const int64_t step = operand.value->repeatStride * operand.value->repeatUnit;
    return operand.step == Step::Whole || step == (operand.step == Step::Bits ? lanes / 8 : lanes * operand.size);
  });
}

std::string inQuotes(const char *name) {
  return "'" + std::string(name) + "'";
}

} // namespace

/// Checks that operands of repeats start at a block, results of whole repeats at an element.
void Recorder::checkAddresses(const Call &call, const Place &place) {
  Call copy = call;
  const IntrinsicForm form = intrinsicInfo(call.form.intrinsic).form;
  for (const Operand &operand : operandsOf(copy)) {
    const bool isResult = operand.value == &copy.destination && form == IntrinsicForm::RepeatReduce;
    const bool isTile = operand.step == Step::Whole;
    const int64_t unit = isResult || isTile ? operand.size : settings.target->ubAlignment();
    if (operand.value->address % unit != 0)
      fail(Code::E0561, place,
           "mem (misaligned): " + inQuotes(call.name) + " expects operands at multiples of " + std::to_string(unit) +
               " bytes, found one at " + std::to_string(operand.value->address),
           "sim_c14");
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

// Strided calls whose second source has a stride of 0: rows with a block of 32 bytes each, for which the simulator
// has one instruction (runtime/target/RowForm.h).
//
//   along one row      all blocks of a repeat use the same block of the second source
//                      Add(dst, x, b, mask, repeats, {1, 1, 0, 8, 8, 0})
//   across rows        a block of each row in a repeat, rows `repeats` blocks long
//                      Add(dst, x, b, rows * lanes of a block, repeats, {repeats, repeats, 1, 1, 1, 0})
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

//===----------------------------------------------------------------------===//
// Repeats
//===----------------------------------------------------------------------===//

void Recorder::recordRepeats(const Call &given, Place place) {
  Call call = given;
  const std::vector<Operand> operands = operandsOf(call);
  const IntrinsicForm form = intrinsicInfo(call.form.intrinsic).form;
  const int64_t lanes = lanesOf(operands);
  const std::string name = inQuotes(call.name);
  auto refuse = [&](const std::string &what, const std::string &fix) {
    fail(Code::E0802, place, "the simulator does not have this form: " + name + " " + what, "ascendc_c11", fix);
  };
  const bool isTotal = call.mask.kind == LaneMask::Total;
  const auto total = int64_t(std::min<uint64_t>(call.mask.words[0], uint64_t(1) << 32));
  if (isTotal)
    call.repeats = (total + lanes - 1) / lanes;
  else if (call.repeats < 0 || call.repeats > 255)
    fail(Code::E0563, place,
         "mem (count or type): " + name + " expects at most 255 repeats, found " + std::to_string(call.repeats),
         "ascendc_c12");
  if (call.mask.kind == LaneMask::First && (call.mask.words[0] < 1 || int64_t(call.mask.words[0]) > lanes))
    fail(Code::E0563, place,
         "mem (count or type): " + name + " expects a mask of 1 to " + std::to_string(lanes) + " lanes, found " +
             std::to_string(call.mask.words[0]),
         "ascendc_c12");
  if (call.repeats == 0)
    return;
  checkAddresses(call, place);
  if (form == IntrinsicForm::RepeatReduce || form == IntrinsicForm::BlockReduce || form == IntrinsicForm::PairReduce)
    return recordReductions(call, place);

  LaneMask ofRepeat = call.mask;
  if (isTotal)
    ofRepeat = {LaneMask::First, {uint64_t(lanes), 0}};
  const std::vector<Run> runs = runsOf(operands, ofRepeat, lanes);
  const bool isWhole = runs.size() == 1 && runs[0].count == lanes;
  const bool isOne = isWhole && (call.repeats == 1 || repeatsGoOn(operands, lanes));
  const bool leavesOut = writesMask(form) && (!isWhole || (isTotal && total % lanes != 0));
  if (leavesOut && (runs.size() != 1 || runs[0].lane != 0))
    refuse("with other lanes than the first of each repeat",
           "a mask of all lanes, or of the first: what the bits of the others hold is not published");
  if (call.form.intrinsic == Intrinsic::varange && !isOne &&
      (call.repeats != 1 || runs.size() != 1 || runs[0].lane != 0))
    refuse("over lanes with gaps", "CreateVecIndex over a count, then Copy");

  auto emit = [&](int64_t repeat, int64_t lane, int64_t count) {
    Call part = call;
    part.repeats = kAbsent;
    const bool isPart = writesMask(form) && count % lanes != 0;
    part.count = writesMask(form) && !isPart ? count - lanes + 1 : count;
    if (isPart)
      part.sources[0].length = count;
    for (const Operand &operand : operandsOf(part)) {
      if (operand.step == Step::Bits && lane % 8 != 0)
        refuse("with a run of lanes that does not start with a byte of its bits", "");
      const int64_t offset = offsetOf(operand, repeat, lane);
      operand.value->address += offset;
      part.form.partial = part.form.partial || offset % kBlockBytes != 0;
      if (operand.step == Step::Whole)
        part.form.partial = part.form.partial || operand.value->address % kBlockBytes != 0;
    }
    recordOne(part, place);
  };
  if (isOne && !leavesOut)
    return emit(0, 0, isTotal ? total : call.repeats * lanes);
  if (call.mask.kind == LaneMask::First && recordRows(call, int64_t(call.mask.words[0]), place))
    return;
  for (int64_t repeat = 0; repeat < call.repeats; ++repeat)
    for (const Run &run : runs) {
      const int64_t left = isTotal ? total - repeat * lanes - run.lane : run.count;
      if (left > 0)
        emit(repeat, run.lane, std::min(run.count, left));
    }
}

/// Records reductions of repeats over lanes that are not the first, or whose blocks have gaps: each is copied to a
/// repeat of scratch, in which the other lanes hold the neutral element.
void Recorder::recordSpread(const Call &call, Place place) {
  const ElementType type = call.form.sources[0].type;
  const BufferPlace free = scratch(kRepeatBytes, place);
  ProgramOperand tile = call.form.sources[0];
  tile.buffer = uint16_t(free.buffer);
  OperandValue at;
  at.address = free.address;
  at.end = free.address + free.bytes;
  at.repeatStride = kRepeatBytes / kBlockBytes;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float rest = call.form.intrinsic == Intrinsic::vreduce_repeat_max   ? -kInfinity
                     : call.form.intrinsic == Intrinsic::vreduce_repeat_min ? kInfinity
                                                                            : 0;
  for (int64_t repeat = 0; repeat < call.repeats; ++repeat) {
    Call fill;
    fill.name = call.name;
    fill.form.kind = PipeInstruction::Vector;
    fill.form.pipe = Pipe::V;
    fill.form.intrinsic = Intrinsic::vbrc;
    fill.form.destination = tile;
    fill.destination = at;
    fill.hasScalar = true;
    fill.scalar = int64_t(floatBits(rest));
    fill.count = kRepeatBytes / int64_t(elementSize(type));
    recordOne(fill, place);

    Call copy = fill;
    copy.form.intrinsic = Intrinsic::vcopy;
    copy.hasScalar = false;
    copy.count = kAbsent;
    copy.form.sources[0] = call.form.sources[0];
    copy.sources[0] = call.sources[0];
    copy.sources[0].address += repeat * call.sources[0].repeatStride * kBlockBytes;
    copy.mask = call.mask;
    copy.repeats = 1;
    recordRepeats(copy, place);

    Call part = call;
    part.repeats = kAbsent;
    part.count = fill.count;
    part.form.sources[0] = tile;
    part.sources[0] = at;
    part.destination.address += repeat * part.destination.repeatStride * part.destination.repeatUnit;
    part.form.partial = part.destination.address % kBlockBytes != 0;
    recordOne(part, place);
  }
}

/// Records reductions of whole repeats to results with a stride.
void Recorder::recordReductions(Call &call, Place place) {
  const int64_t size = elementSize(call.form.sources[0].type), lanes = kRepeatBytes / size;
  const LaneMask &mask = call.mask;
  int64_t count = 0;
  while (count < lanes && isSet(mask, count))
    ++count;
  const bool isTotal = mask.kind == LaneMask::Total;
  const OperandValue source = call.sources[0];
  bool isPrefix = true;
  for (int64_t lane = count; lane < lanes; ++lane)
    isPrefix = isPrefix && !isSet(mask, lane);
  const bool isClose = source.blockStride == 1 || count * size <= kBlockBytes;
  if ((!isPrefix || (!isClose && count > 0)) && !isTotal &&
      intrinsicInfo(call.form.intrinsic).form == IntrinsicForm::RepeatReduce)
    return recordSpread(call, place);
  if (!isPrefix || count == 0 || !isClose)
    fail(Code::E0802, place,
         "the simulator does not have this form: " + inQuotes(call.name) +
             (isClose ? " with a mask that names other lanes than the first" : " over blocks with gaps"),
         "ascendc_c11", "Copy the lanes together first");
  const int64_t total = isTotal ? int64_t(mask.words[0]) : call.repeats * lanes;
  auto emit = [&](int64_t repeat, int64_t elements) {
    Call part = call;
    part.repeats = kAbsent;
    part.count = elements;
    part.destination.address += repeat * part.destination.repeatStride * part.destination.repeatUnit;
    part.sources[0].address += repeat * source.repeatStride * kBlockBytes;
    part.form.partial = part.destination.address % kBlockBytes != 0;
    recordOne(part, place);
  };
  if ((count == lanes || isTotal) && call.destination.repeatStride == 1 &&
      (call.repeats == 1 || source.repeatStride * kBlockBytes == kRepeatBytes))
    return emit(0, total);
  for (int64_t repeat = 0; repeat < call.repeats; ++repeat)
    emit(repeat, isTotal ? std::min(lanes, total - repeat * lanes) : count);
}

} // namespace opc::ascendc
