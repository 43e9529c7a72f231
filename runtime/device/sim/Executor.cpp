// Effects on memory. Bounds, alignment and counts were checked at issue.

#include "runtime/device/sim/Executor.h"

#include "runtime/device/sim/launch/Capture.h"
#include "runtime/device/sim/numerics/bounds/Perturb.h"
#include "runtime/device/sim/numerics/bounds/Worst.h"
#include "runtime/target/Half.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace opc::sim {

/// All bytes 0xff: NaN as f16, bf16 and f32, -1 as an integer, large as an unsigned offset.
static constexpr int kPoison = 0xff;

void Executor::Free::operator()(uint8_t *pointer) const {
  std::free(pointer);
}

Executor::Executor(const Launch &launch) : launch(launch) {
  const size_t bytes = (size_t(launch.onChipBytes()) + 63) / 64 * 64;
  memory.reset(static_cast<uint8_t *>(std::aligned_alloc(64, bytes)));
  takeInstructions();
}

bool Executor::takeInstructions() {
  bool all = memory != nullptr;
  while (functions.size() < launch.program.instructions.size()) {
    const PipeInstruction &instruction = launch.program.instructions[functions.size()];
    const bool vector = instruction.kind == PipeInstruction::Vector;
    functions.push_back(vector ? findVectorFunction(instruction.intrinsic, typeRowOf(instruction), bestHostLevel())
                               : nullptr);
    all =
        all && (!vector || functions.back()) && (!instruction.atomicAdd || findAtomicAdd(instruction.destination.type));
  }
  return all;
}

bool Executor::ready() const {
  if (!memory) {
    launch.diagnostics.error(Code::E0453, {}, "the simulator expects memory for the unified buffer, found none",
                             "sim_c44");
    return false;
  }
  for (size_t i = 0; i < functions.size(); ++i) {
    const PipeInstruction &instruction = launch.program.instructions[i];
    const bool vector = instruction.kind == PipeInstruction::Vector;
    if ((!vector || functions[i]) && (!instruction.atomicAdd || findAtomicAdd(instruction.destination.type)))
      continue;
    launch.error(Code::E0550, instruction,
                 launch.describe(instruction) + " expects types that it has, found '" +
                     std::string(elementTypeName(instruction.destination.type)) + "' as the destination",
                 "sim_c1");
    return false;
  }
  return true;
}

void Executor::poison() {
  std::memset(memory.get(), kPoison, size_t(launch.onChipBytes()));
}

void Executor::perform(const SimInstruction &op) {
  switch (op.instruction->kind) {
  case PipeInstruction::Load:
    return load(op);
  case PipeInstruction::Store:
    return store(op);
  case PipeInstruction::Vector:
    return vector(op);
  case PipeInstruction::ScalarWrite:
    return scalarWrite(op);
  case PipeInstruction::LoadNz:
    return loadNz(op);
  case PipeInstruction::Fill:
    return fill(op);
  case PipeInstruction::LoadFractals:
    return loadFractals(op);
  case PipeInstruction::LoadIm2col:
    return loadIm2col(op);
  case PipeInstruction::LoadBias:
    return loadBias(op);
  case PipeInstruction::Mmad:
    return mmad(op);
  case PipeInstruction::Fixpipe:
    return fixpipe(op);
  default:
    return;
  }
}

/// Converts a register to the bytes of an element; it holds f32 bits for float types, else an integer.
static void element(ElementType type, uint64_t bits, uint8_t *bytes) {
  uint16_t narrow = 0;
  switch (type) {
  case ElementType::Float16:
    narrow = toHalf(floatFromBits(uint32_t(bits))).bits;
    break;
  case ElementType::BFloat16:
    narrow = toBFloat16(floatFromBits(uint32_t(bits))).bits;
    break;
  default:
    std::memcpy(bytes, &bits, elementSize(type));
    return;
  }
  std::memcpy(bytes, &narrow, sizeof(narrow));
}

void Executor::load(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  if (from.rowBytes == 0)
    return;
  const int64_t size = elementSize(to.operand->type), alignment = launch.target.ubAlignment();
  const int64_t before = op.padBefore * size, dataEnd = before + from.rowBytes;
  const int64_t rowEnd = (dataEnd + op.padAfter * size + alignment - 1) / alignment * alignment;
  const bool hasValue = op.instruction->pad != kNoRegister;
  const bool isFilled = !hasValue && launch.options.recorded && before == 0 && op.padAfter == 0;
  uint8_t value[8];
  if (hasValue)
    element(to.operand->type, op.pad, value);
  else
    std::memset(value, kPoison, sizeof value);
  for (int64_t row = 0; row < op.rows; ++row) {
    uint8_t *destination = ub() + to.address + row * to.stride;
    for (int64_t byte = 0; byte < before; byte += size)
      std::memcpy(destination + byte, value, size_t(size));
    std::memcpy(destination + before, global(from) + row * from.stride, size_t(from.rowBytes));
    // By the vendor's page the first element of a row without padding fills its last block. The checks still count
    // these bytes as undefined, with exceptions. Padding without a value is undefined. Generated kernels get
    // the poison.
    if (isFilled)
      std::memcpy(value, destination, size_t(size));
    for (int64_t byte = dataEnd; byte < rowEnd; byte += size)
      std::memcpy(destination + byte, value, size_t(size));
  }
}

void Executor::store(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[op.numAccesses - 1];
  if (to.rowBytes == 0)
    return;
  const VectorFunction add = op.instruction->atomicAdd ? findAtomicAdd(to.operand->type) : nullptr;
  for (int64_t row = 0; row < op.rows; ++row) {
    uint8_t *destination = global(to) + row * to.stride;
    const uint8_t *source = ub() + from.address + row * from.stride;
    if (!add) {
      std::memcpy(destination, source, size_t(to.rowBytes));
      continue;
    }
    VectorCall call;
    call.destination = destination;
    call.sources[0] = destination;
    call.sources[1] = source;
    call.count = op.count;
    add(call);
  }
}

/// The index of the first element of a group that equals its result: bit-identical, or any NaN for a NaN.
template <typename Bits> static int64_t placeOf(Bits value, const Bits *group, int64_t count, Bits infinity) {
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  auto isNaN = [infinity](Bits bits) { return Bits(bits & Bits(~sign)) > infinity; };
  for (int64_t i = 0; i < count; ++i)
    if (group[i] == value || (isNaN(value) && isNaN(group[i])))
      return i;
  return 0;
}

/// Computes results by `function`, then stores each with its index in the form of `index`.
template <typename Bits>
static void reduceWithIndex(VectorFunction function, const VectorCall &call, int64_t group, ReduceIndex index,
                            Bits infinity) {
  const int64_t results = (call.count + group - 1) / group;
  std::vector<Bits> values(static_cast<size_t>(results));
  VectorCall alone = call;
  alone.destination = values.data();
  function(alone);
  const auto *source = static_cast<const Bits *>(call.sources[0]);
  auto *to = static_cast<Bits *>(call.destination);
  for (int64_t g = 0; g < results; ++g) {
    const Bits value = values[size_t(g)];
    const auto place = Bits(placeOf(value, source + g * group, std::min(group, call.count - g * group), infinity));
    if (index == ReduceIndex::OnlyIndex) {
      to[g] = place;
      continue;
    }
    to[2 * g] = index == ReduceIndex::ValueIndex ? value : place;
    to[2 * g + 1] = index == ReduceIndex::ValueIndex ? place : value;
  }
}

static void reduceWithIndex(VectorFunction function, const VectorCall &call, const PipeInstruction &instruction) {
  const int64_t size = elementSize(instruction.destination.type);
  const bool byRepeat = intrinsicInfo(instruction.intrinsic).form == IntrinsicForm::RepeatReduce;
  const int64_t group = byRepeat ? kRepeatBytes / size : std::max<int64_t>(call.count, 1);
  if (instruction.destination.type == ElementType::Float16)
    reduceWithIndex<uint16_t>(function, call, group, instruction.index, 0x7c00);
  else
    reduceWithIndex<uint32_t>(function, call, group, instruction.index, 0x7f800000u);
}

// Reduces each row in the form of the chip's calls (RowForm.h), by the functions of these calls.
void Executor::reduceRows(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  const TypeRow types = typeRowOf(instruction);
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const ReducedRows rows = reducedRowsOf(op);
  const RowReduction way = rows.way();
  const HostLevel level = bestHostLevel();
  const Intrinsic reduction = way == RowReduction::Alone ? instruction.intrinsic : ofRepeats(instruction.intrinsic);
  const Intrinsic pair = ofPairs(instruction.intrinsic);
  const VectorFunction reduce = findVectorFunction(reduction, types, level),
                       join = findVectorFunction(pair, types, level);
  auto perform = [&](Intrinsic intrinsic, VectorFunction function, const VectorCall &call) {
    if (launch.options.numerics == SimNumerics::Worst)
      performWorst(intrinsic, types, call, function, {launch.options.numericsSeed, uint64_t(op.index)});
    else
      function(call);
  };
  auto reduceTo = [&](uint8_t *destination, const uint8_t *source, int64_t count) {
    VectorCall call;
    call.sources[0] = source, call.lengths[0] = count;
    call.destination = destination, call.count = count;
    perform(reduction, reduce, call);
  };
  const int64_t repeats = rows.repeats();
  std::vector<uint8_t> parts(way == RowReduction::Halves ? size_t(repeats / 2 * kRepeatBytes) : size_t(kBlockBytes));
  for (int64_t row = 0; row < op.rows && op.count > 0; ++row) {
    uint8_t *result = ub() + to.address + row * to.stride;
    const uint8_t *source = ub() + from.address + row * from.stride;
    if (way == RowReduction::Halves) {
      for (int64_t half = repeats / 2; half > 0; half /= 2, source = parts.data())
        for (int64_t part = 0; part < half; ++part) {
          VectorCall call;
          call.sources[0] = source + 2 * part * kRepeatBytes, call.sources[1] = source + (2 * part + 1) * kRepeatBytes;
          call.lengths[0] = call.lengths[1] = call.count = rows.lanes();
          call.destination = parts.data() + part * kRepeatBytes;
          perform(pair, join, call);
        }
      reduceTo(result, parts.data(), rows.lanes());
    } else if (way == RowReduction::Repeats && repeats > 1) {
      reduceTo(parts.data(), source, op.count);
      reduceTo(result, parts.data(), repeats);
    } else {
      reduceTo(result, source, op.count);
    }
  }
}

void Executor::vector(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  const IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  VectorCall call;
  call.destination = ub() + op.accesses[0].address;
  const bool accumulates = form == IntrinsicForm::Accumulate || form == IntrinsicForm::AccumulateScalar;
  unsigned next = accumulates ? 2 : 1;
  for (unsigned i = 0; i < kMaxSources && instruction.sources[i].space != ProgramOperand::None; ++i) {
    const SimAccess &source = op.accesses[next++];
    call.sources[i] = ub() + source.address;
    call.lengths[i] = source.rowBytes / elementSize(source.operand->type);
  }
  call.count =
      writesMask(form) && !comparesPart(instruction) ? wholeVectors(launch.target, instruction, op.count) : op.count;
  call.scalar = op.scalar;
  call.rounding = instruction.rounding;
  call.compare = instruction.compare;
  call.pattern = instruction.pattern;
  // A gather of kept elements in place reads each before it is overwritten.
  std::vector<uint8_t> kept;
  if (form == IntrinsicForm::GatherMask || form == IntrinsicForm::GatherPattern) {
    const unsigned data = form == IntrinsicForm::GatherMask ? 1 : 0;
    const SimAccess &from = op.accesses[data + 1], &to = op.accesses[0];
    if (to.address < from.end() && from.address < to.end()) {
      kept.assign(ub() + from.address, ub() + from.end());
      call.sources[data] = kept.data();
    }
  }
  // The bytes after the kept elements are undefined, as is scratch after an instruction.
  if (form == IntrinsicForm::GatherMask)
    std::memset(call.destination, kPoison, size_t(op.accesses[0].rowBytes));
  if (reducesRows(instruction))
    reduceRows(op);
  else if (instruction.index == ReduceIndex::None && launch.options.numerics == SimNumerics::Worst)
    performWorst(instruction.intrinsic, typeRowOf(instruction), call, functions[op.index],
                 {launch.options.numericsSeed, uint64_t(op.index)});
  else if (instruction.index == ReduceIndex::None)
    functions[op.index](call);
  else
    reduceWithIndex(functions[op.index], call, instruction);
  if (launch.options.perturbUlps && hasAssumedUlp(instruction.intrinsic))
    perturb(call.destination, instruction.destination.type, call.count, launch.options.perturbUlps,
            launch.options.perturbSeed + op.index);
  if (hasScratch(form)) {
    // The result may be in it.
    const SimAccess &scratch = op.accesses[op.numAccesses - 1], &to = op.accesses[0];
    const int64_t begin = std::clamp(to.address, scratch.address, scratch.end());
    const int64_t end = std::clamp(to.end(), begin, scratch.end());
    std::memset(ub() + scratch.address, kPoison, size_t(begin - scratch.address));
    std::memset(ub() + end, kPoison, size_t(scratch.end() - end));
  }
}

void Executor::scalarWrite(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  uint8_t value[8];
  element(op.instruction->destination.type, op.scalar, value);
  std::memcpy(to.operand->space == ProgramOperand::GM ? global(to) : ub() + to.address, value, size_t(to.rowBytes));
}

uint64_t Executor::read(const SimInstruction &op) const {
  const SimAccess &access = op.accesses[0];
  const uint8_t *bytes = access.operand->space == ProgramOperand::GM ? global(access) : memory.get() + access.address;
  uint64_t raw = 0;
  std::memcpy(&raw, bytes, size_t(access.rowBytes));
  switch (access.operand->type) {
  case ElementType::Float16:
    return floatBits(toFloat(Half{uint16_t(raw)}));
  case ElementType::BFloat16:
    return floatBits(toFloat(BFloat16{uint16_t(raw)}));
  case ElementType::Int8:
    return uint64_t(int64_t(int8_t(raw)));
  case ElementType::Int16:
    return uint64_t(int64_t(int16_t(raw)));
  case ElementType::Int32:
    return uint64_t(int64_t(int32_t(raw)));
  default:
    return raw;
  }
}

} // namespace opc::sim
