// Turns calls into instructions of the program. Calls that differ only in values share an instruction: the code sets
// the registers that changed, then issues it.

#include "runtime/ascendc/Recorder.h"

#include "runtime/ascendc/order/AutoSync.h"
#include "runtime/ascendc/order/InOrder.h"
#include "runtime/device/sim/launch/Capture.h"
#include "runtime/target/Half.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace opc::ascendc {

static std::string number(int64_t value) {
  return std::to_string(value);
}

Recorder::Recorder(RecordSettings settingsGiven, Diagnostics &diagnostics, std::function<void()> stop)
    : settings(std::move(settingsGiven)), diagnostics(diagnostics), stop(std::move(stop)), code(program.code) {
  program.kernel = settings.kernel;
  program.target = std::string(settings.target->name());
  program.numTensors = uint16_t(settings.tensors.size());
  program.numRegisters = kNumRoles;
  for (const RecordedTensor &tensor : settings.tensors)
    tensors.push_back(
        {tensor.name, tensor.values, tensor.bytes, tensor.type, tensor.writable, tensor.inPlace, tensor.capacity});
}

Recorder::~Recorder() = default;

void Recorder::startBlock(int64_t index) {
  block = index;
  starts.push_back(code.size());
  std::fill(std::begin(known), std::end(known), false);
  atomicAdd = false;
  cache.clean();
  flags = settings.autoSync ? std::make_unique<AutoSync>(*settings.target) : nullptr;
  vectorMask = {LaneMask::Bits, {~uint64_t(0), ~uint64_t(0)}};
}

void Recorder::endBlock() {
  settlePointer();
  endPipe(last);
  addScalarWork();
  append(ScalarOp::Halt, 0, 0);
}

/// Emits code that jumps to the current block, by binary search.
static void dispatch(std::vector<ScalarInstruction> &code, size_t low, size_t high, const std::vector<size_t> &starts,
                     size_t offset, uint16_t block, uint16_t compared) {
  if (high - low == 1) {
    code.push_back({ScalarOp::Jump, 0, 0, 0, int64_t(starts[low] + offset)});
    return;
  }
  const size_t middle = low + (high - low) / 2;
  code.push_back({ScalarOp::Const, compared, 0, 0, int64_t(middle)});
  code.push_back({ScalarOp::Lt, compared, block, compared, 0});
  const size_t jump = code.size();
  code.push_back({ScalarOp::JumpIfZero, 0, compared, 0, 0});
  dispatch(code, low, middle, starts, offset, block, compared);
  code[jump].imm = int64_t(code.size());
  dispatch(code, middle, high, starts, offset, block, compared);
}

Recording Recorder::finish() {
  if (code.empty() || code.back().op != ScalarOp::Halt)
    append(ScalarOp::Halt, 0, 0); // stopped in the middle of a block
  if (program.locations.empty())
    program.locations.push_back({});
  if (starts.size() > 1) {
    // A leaf is one instruction, an inner node three, and there is one more leaf than inner nodes.
    const size_t length = 1 + starts.size() + 3 * (starts.size() - 1);
    std::vector<ScalarInstruction> head = {{ScalarOp::BlockIdx, kBlock, 0, 0, 0}};
    dispatch(head, 0, starts.size(), starts, length, kBlock, kCompared);
    code.insert(code.begin(), head.begin(), head.end());
  }
  return Recording{std::move(program), std::move(reads), stopped};
}

//===----------------------------------------------------------------------===//
// Locations and errors
//===----------------------------------------------------------------------===//

Location Recorder::locationOf(const Place &place) const {
  if (place.file)
    return Location{place.file, place.line, 0};
  if (place.code)
    return Location{kCodeOffset, unsigned(reinterpret_cast<intptr_t>(place.code) - 1 - settings.codeBase), 0};
  return {};
}

uint16_t Recorder::locationIndex(const Place &place) {
  const void *file = place.file ? place.file : place.code;
  auto [found, isNew] = locations.try_emplace({file, place.line}, program.locations.size());
  if (!isNew)
    return found->second;
  if (program.locations.size() >= 65000)
    fail(Code::E0802, place, "a kernel expects to call from at most 65000 places, found another", "ascendc_c13");
  const Location location = locationOf(place);
  program.locations.push_back({location.file, location.line, location.column});
  return found->second;
}

void Recorder::fail(Code errorCode, Place place, std::string message, std::string rule, std::string fix) {
  diagnostics.error(errorCode, locationOf(place), std::move(message), std::move(rule), std::move(fix));
  stopHere();
}

void Recorder::stopHere() {
  stopped = true;
  stop();
  std::abort(); // `stop` does not return
}

void Recorder::refuse(const char *rule, const char *what, Place place) {
  const std::string text = what, label = rule;
  if (label == "ascendc_c21")
    fail(Code::E0800, place, text, label);
  if (label == "ascendc_c11")
    fail(Code::E0802, place, "the simulator does not have this form: " + text, label);
  fail(label == "ascendc_c20" ? Code::E0821 : Code::E0563, place,
       label == "ascendc_c20" ? text : "mem (count or type): " + text, label);
}

void Recorder::doubt(const char *rule, const char *what, Place place) {
  const Location location = locationOf(place);
  if (remarks.insert(rule + location.file + ":" + number(location.line)).second)
    diagnostics.warning(Code::E0563, location, std::string("mem (count or type): ") + what, rule);
}

const void *Recorder::tilingData(const void *address, int64_t bytes, Place place) {
  last = place;
  const auto *start = static_cast<const uint8_t *>(address);
  const int64_t offset = reinterpret_cast<intptr_t>(start) - reinterpret_cast<intptr_t>(settings.tiling);
  const bool fits =
      bytes >= 0 && offset >= 0 && offset <= settings.tilingBytes && bytes <= settings.tilingBytes - offset;
  if (!fits && offset == 0)
    fail(Code::E0804, place,
         "the kernel expects " + number(bytes) + " bytes of tiling data, found " + number(settings.tilingBytes),
         "ascendc_c22", "--tiling names a file with the bytes of the kernel's tiling structure");
  if (!fits)
    fail(Code::E0560, place,
         "mem (out of bounds): tiling data is read from the kernel's parameter 'tiling', found " + number(bytes) +
             " bytes read from " +
             (offset > 0 && offset < kTensorSpan / 2 ? "byte " + number(offset) + " of it" : "another address"),
         "ascendc_c22", "the last parameter of the kernel, named 'tiling'");
  return start;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Recorder::setRegister(uint16_t reg, int64_t value) {
  if (known[reg] && values[reg] == value)
    return;
  known[reg] = true;
  values[reg] = value;
  append(ScalarOp::Const, reg, value);
}

static bool isFlag(const PipeInstruction &form) {
  return form.kind == PipeInstruction::SetFlag || form.kind == PipeInstruction::WaitFlag;
}

static void addOperand(std::string &key, const ProgramOperand &operand) {
  const uint16_t words[] = {uint16_t(operand.space | (unsigned(operand.type) << 8)), operand.buffer, operand.tensor,
                            operand.stride, operand.length};
  key.append(reinterpret_cast<const char *>(words), sizeof words);
}

uint32_t Recorder::indexOf(const PipeInstruction &form) {
  std::string key;
  key.reserve(96);
  for (unsigned byte :
       {unsigned(form.kind), unsigned(form.pipe), unsigned(form.other), unsigned(form.intrinsic),
        unsigned(form.rounding), unsigned(form.compare), unsigned(form.pattern), unsigned(form.atomicAdd),
        unsigned(form.scalar != kNoRegister), unsigned(form.pad != kNoRegister), unsigned(form.rows != kNoRegister),
        unsigned(form.partial), unsigned(form.index), unsigned(form.transposed), unsigned(form.relu),
        unsigned(form.packed), unsigned(form.depth != kNoRegister)})
    key += char(byte);
  key.append(reinterpret_cast<const char *>(&form.location), sizeof form.location);
  addOperand(key, form.destination);
  for (const ProgramOperand &source : form.sources)
    if (source.space != ProgramOperand::None)
      addOperand(key, source);
  addOperand(key, form.scratch);
  auto [found, isNew] = instructions.try_emplace(key, uint32_t(program.instructions.size()));
  if (isNew)
    program.instructions.push_back(form);
  return found->second;
}

/// The tensor that an address in global memory refers to.
std::optional<size_t> Recorder::tensorAt(int64_t address) const {
  for (size_t i = 0; i < settings.tensors.size(); ++i)
    if (const int64_t offset = address - settings.tensors[i].base;
        offset > -kTensorSpan / 2 && offset < kTensorSpan / 2)
      return i;
  return std::nullopt;
}

/// Resolves an address in global memory to a tensor and an offset.
void Recorder::resolve(ProgramOperand &form, OperandValue &value, const Place &place) {
  if (form.space != ProgramOperand::GM)
    return;
  if (const std::optional<size_t> tensor = tensorAt(value.address)) {
    form.tensor = uint16_t(*tensor);
    value.address -= settings.tensors[*tensor].base;
    return;
  }
  fail(Code::E0560, place,
       "mem (out of bounds): a copy expects an address in a tensor that the kernel was given, found "
       "another one",
       "ascendc_c23", "SetGlobalBuffer takes a parameter of the kernel, or an address after it");
}

/// A copy moves bytes: use the tensor's type where the kernel has another type of the same width.
void Recorder::matchTypes(Call &call) {
  const bool load = call.form.kind == PipeInstruction::Load;
  ProgramOperand &global = load ? call.form.sources[0] : call.form.destination;
  ProgramOperand &local = load ? call.form.destination : call.form.sources[0];
  const ElementType type = settings.tensors[global.tensor].type;
  const bool isTruth = type == ElementType::Bool && global.type == ElementType::Int8; // booleans are moved as bytes
  if (global.type == type || isTruth || elementSize(type) != elementSize(global.type) || call.hasPad ||
      (!load && atomicAdd))
    return;
  global.type = local.type = type;
}

/// Checks that a call accesses only its tensors, up to the end of their last block.
void Recorder::checkTensors(const Call &call, const SimInstruction &op, const Place &place) {
  const PipeInstruction &form = *op.instruction;
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    const OperandValue *value = access.operand == &form.destination ? &call.destination
                                : access.operand == &form.scratch   ? &call.scratch
                                                                    : nullptr;
    for (unsigned s = 0; s < kMaxSources; ++s)
      if (access.operand == &form.sources[s])
        value = &call.sources[s];
    if (!value || value->end == kAbsent || access.rows <= 0 || access.rowBytes <= 0)
      continue;
    const int64_t unit = settings.target->ubAlignment();
    const __int128 end = __int128(access.address) + __int128(access.rows - 1) * access.stride + access.rowBytes;
    if (end <= (value->end + unit - 1) / unit * unit)
      continue;
    const int64_t left = value->end - access.address;
    const std::string found = end > INT64_MAX ? "more than 2^63" : number(int64_t(end) - access.address);
    fail(Code::E0562, place,
         "mem (wrong buffer use): '" + std::string(call.name) + "' expects " +
             (left >= 0 ? "the " + number(left) + " bytes that are left of its tensor, found " + found
                        : "bytes of its tensor, found an access " + number(-left) + " bytes after its end"),
         "ascendc_c5", "a smaller count, or a larger buffer");
  }
}

/// Adds the flags that the vendor's compiler adds before an instruction, and reports them once for each line.
void Recorder::addFlags(const Call &call, const SimInstruction &op, const Place &place) {
  constexpr size_t kMostRemarks = 20;
  const std::vector<AutoSync::Edge> edges = flags->issue(op.instruction->pipe, op);
  for (const AutoSync::Edge &edge : edges) {
    // They count as issued already. Recording them moves the program, to which `op` refers until here.
    std::unique_ptr<AutoSync> kept = std::move(flags);
    queueFlag(true, edge.from, edge.to, edge.id, place);
    queueFlag(false, edge.from, edge.to, edge.id, place);
    flags = std::move(kept);
    if (edge.freesId)
      continue;
    const std::string from(pipeName(edge.from)), to(pipeName(edge.to));
    const Location location = locationOf(place);
    const std::string key = location.file + ":" + number(location.line) + from + to;
    if (remarks.size() >= kMostRemarks || !remarks.insert(key).second)
      continue;
    auto upper = [](std::string text) {
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
      return text;
    };
    const std::string event = upper(from) + "_" + upper(to);
    diagnostics.remark(Code::E0822, location,
                       "'" + std::string(call.name) + "' depends on the compiler, which makes pipe " + to +
                           " wait here for pipe " + from + " (--cce-auto-sync)",
                       "ascendc_c24",
                       "SetFlag and WaitFlag<HardEvent::" + event +
                           "> before it; --auto-sync=off finds what lacks them");
  }
}

/// Reports once for each line and rule that the scalar unit's cache may give another result than memory.
void Recorder::tellHazard(const Call &call, const DataCache::Hazard &hazard, const Place &place) {
  const std::string rule = hazard.rule, who = "'" + std::string(call.name) + "' ";
  const Location location = locationOf(place);
  if (!remarks.insert(rule + location.file + ":" + number(location.line)).second)
    return;
  const std::string message =
      rule == "cache_c1"   ? who + "may read an old value from the scalar unit's cache: a copy stored "
                                   "to its line of 64 bytes after it was cached"
      : rule == "cache_c2" ? who + "may load an old value: the scalar unit's cache has a newer one that "
                                   "is not written back"
                           : who + "changes a line of 64 bytes that the other side changes too, and the "
                                   "scalar unit's cache writes back whole lines: one change may be lost";
  diagnostics.warning(Code::E0823, location, message, rule, "DataCacheCleanAndInvalid between the two")
      .notes.push_back({locationOf(hazard.earlier), "the other access"});
}

void Recorder::cleanCache(const void *address) {
  settlePointer();
  const auto at = int64_t(reinterpret_cast<intptr_t>(address));
  if (!address)
    cache.clean();
  else if (const std::optional<size_t> tensor = tensorAt(at))
    cache.clean(uint16_t(*tensor), at - settings.tensors[*tensor].base);
}

/// Adds the scalar code that ran since the last call, line by line in the order in which the lines first ran.
void Recorder::addScalarWork() {
  constexpr size_t kMostPlaces = 8; // if there are more, the last gets the rest
  constexpr uint32_t kNone = UINT32_MAX;
  ScalarCode &scalar = settings.scalarCode;
  if (!scalar.counts || scalar.counts->numRan == 0)
    return;
  workAt.resize(scalar.places.size(), kNone);
  workOf.resize(scalar.places.size());
  uint32_t order[kMostPlaces];
  size_t places = 0;
  for (size_t i = 0; i < scalar.counts->numRan; ++i) {
    const uint32_t index = scalar.counts->ran[i];
    const uint64_t runs = std::exchange(scalar.counts->runs[index], 0);
    for (const ScalarCode::Line &line : scalar.blocks[index]) {
      const bool isNew = workOf[line.place] == 0;
      const uint32_t place = isNew && places == kMostPlaces ? order[places - 1] : line.place;
      if (isNew && places < kMostPlaces)
        order[places++] = place;
      workOf[place] += runs * line.count;
    }
  }
  scalar.counts->numRan = 0;
  for (size_t i = 0; i < places; ++i) {
    const uint32_t place = order[i];
    if (workAt[place] == kNone) {
      PipeInstruction form;
      form.kind = PipeInstruction::ScalarWork;
      form.location = locationIndex(scalar.places[place]);
      workAt[place] = indexOf(form);
    }
    const auto count = std::min<uint64_t>(std::exchange(workOf[place], 0), uint64_t(kMostScalarWork));
    code.push_back(
        {ScalarOp::Work, 0, uint16_t(workAt[place] & 0xffff), uint16_t(workAt[place] >> 16), int64_t(count)});
  }
}

/// Sets the registers of an operand: three from `reg` on.
void Recorder::setOperand(ProgramOperand &operand, OperandValue &value, uint16_t reg, const Place &place) {
  if (operand.space == ProgramOperand::None)
    return;
  resolve(operand, value, place);
  operand.address = reg;
  setRegister(reg, value.address);
  operand.stride = value.stride == kAbsent ? kNoRegister : uint16_t(reg + 1);
  if (value.stride != kAbsent)
    setRegister(uint16_t(reg + 1), value.stride);
  operand.length = value.length == kAbsent ? kNoRegister : uint16_t(reg + 2);
  if (value.length != kAbsent)
    setRegister(uint16_t(reg + 2), value.length);
}

/// Sets the registers of the operands and numbers of a call.
void Recorder::setRegisters(Call &call, const Place &place) {
  PipeInstruction &form = call.form;
  setOperand(form.destination, call.destination, kDestination, place);
  for (unsigned i = 0; i < kMaxSources; ++i)
    setOperand(form.sources[i], call.sources[i], uint16_t(kSources + 3 * i), place);
  setOperand(form.scratch, call.scratch, kScratch, place);
  auto setValue = [&](uint16_t &field, bool there, Role role, int64_t value) {
    field = there ? uint16_t(role) : kNoRegister;
    if (there)
      setRegister(role, value);
  };
  setValue(form.count, call.count != kAbsent, kCount, call.count);
  setValue(form.rows, call.rows != kAbsent, kRows, call.rows);
  setValue(form.flagId, isFlag(form), kFlagId, call.flagId);
  setValue(form.scalar, call.hasScalar, kScalar, call.scalar);
  setValue(form.pad, call.hasPad, kPad, call.pad);
  setValue(form.depth, call.depth != kAbsent, kDepth, call.depth);
  if (form.kind == PipeInstruction::LoadIm2col)
    for (unsigned i = 0; i < kNumImageNumbers; ++i) {
      form.image[i] = uint16_t(kImage + i);
      setRegister(form.image[i], call.image[i]);
    }
}

/// Checks what an instruction accesses, and adds the flags that it needs.
void Recorder::observe(const Call &call, uint32_t index, const Place &place) {
  checkFreed(call, place);
  Diagnostics unheard;
  const SimOptions options;
  const std::vector<int64_t> none;
  const sim::Launch launch{program, *settings.target, tensors, none, options, unheard};
  SimInstruction op;
  sim::capture(launch, index, values, op);
  checkTensors(call, op, place);
  if (const std::optional<DataCache::Hazard> hazard = cache.access(op, place))
    tellHazard(call, *hazard, place);
  if (flags)
    addFlags(call, op, place);
}

void Recorder::recordOne(const Call &given, Place place, bool fromQueue) {
  settlePointer();
  if (++recorded > settings.instructionLimit)
    fail(Code::E0451, place,
         "kernel '" + printable(settings.kernel) + "' expects to end within " + number(settings.instructionLimit) +
             " calls, found another one",
         "ascendc_c14");
  addScalarWork();
  Call call = given;
  PipeInstruction &form = call.form;
  const int64_t ids = settings.target->eventIds();
  if (isFlag(form) && !fromQueue && (call.flagId < 0 || call.flagId >= ids))
    fail(Code::E0573, place,
         "sync (event id): '" + std::string(call.name) + "' expects an event id from 0 to " + number(ids - 1) +
             ", found " + number(call.flagId),
         "sim_c30");
  form.location = locationIndex(place);
  setRegisters(call, place);
  form.atomicAdd = form.kind == PipeInstruction::Store && atomicAdd;
  if (form.kind == PipeInstruction::Load || form.kind == PipeInstruction::Store)
    matchTypes(call);

  const uint32_t index = indexOf(form);
  if (isFlag(form) && flags) {
    const bool sets = form.kind == PipeInstruction::SetFlag;
    const Pipe from = sets ? form.pipe : form.other, to = sets ? form.other : form.pipe;
    sets ? flags->set(from, to, call.flagId) : flags->wait(from, to, call.flagId);
  } else if (!isFlag(form) && form.kind != PipeInstruction::Barrier) {
    observe(call, index, place);
  }
  if (form.kind == PipeInstruction::ScalarRead) {
    known[kReadValue] = false;
    append(ScalarOp::Read, kReadValue, index);
  } else {
    append(ScalarOp::Issue, 0, index);
  }
}

void Recorder::record(const Call &call, Place place) {
  last = place;
  if (call.repeats != kAbsent)
    return recordRepeats(call, place);
  // The single result of a reduction may be at any element.
  Call copy = call;
  const int64_t unit = settings.target->ubAlignment();
  copy.form.partial =
      copy.form.partial ||
      (call.form.kind == PipeInstruction::Vector && intrinsicInfo(call.form.intrinsic).form == IntrinsicForm::Reduce &&
       call.destination.address % unit != 0 && call.sources[0].address % unit == 0 && call.scratch.address % unit == 0);
  recordOne(copy, place);
}

InOrder &Recorder::inOrder() {
  if (!performed)
    performed = std::make_unique<InOrder>(program, *settings.target, tensors);
  if (!performed->catchUp())
    stopHere(); // the simulator reports why
  return *performed;
}

uint64_t Recorder::read(const Call &call, Place place) {
  last = place;
  recordOne(call, place);
  reads.push_back(inOrder().value());
  return reads.back();
}

//===----------------------------------------------------------------------===//
// Accesses through pointers
//===----------------------------------------------------------------------===//

bool Recorder::isInUnifiedBuffer(intptr_t address) const {
  const int64_t offset = address - settings.unifiedBuffer.base;
  return settings.unifiedBuffer.base != 0 && offset > -kTensorSpan / 2 && offset < kTensorSpan / 2;
}

void *Recorder::element(const Call &call) {
  isAccessing = true; // an access of the element follows
  settlePointer();
  isAccessing = false;
  const OperandValue &value = call.sources[0];
  if (call.form.sources[0].space == ProgramOperand::GM)
    return reinterpret_cast<void *>(intptr_t(value.address));
  elements[value.address] = {call.form.sources[0].buffer, value.end};
  return reinterpret_cast<void *>(settings.unifiedBuffer.base + intptr_t(value.address));
}

/// A scalar access of 1, 2, 4 or 8 bytes.
Call Recorder::pointerAccess(const void *address, int64_t bytes, bool isWrite) const {
  Call call;
  call.name = isWrite ? "a store through a pointer" : "a load through a pointer";
  call.form.kind = isWrite ? PipeInstruction::ScalarWrite : PipeInstruction::ScalarRead;
  call.form.pipe = Pipe::S;
  ProgramOperand &form = isWrite ? call.form.destination : call.form.sources[0];
  OperandValue &value = isWrite ? call.destination : call.sources[0];
  form.space = ProgramOperand::GM;
  form.type = bytes == 1   ? ElementType::UInt8
              : bytes == 2 ? ElementType::UInt16
              : bytes == 4 ? ElementType::UInt32
                           : ElementType::UInt64;
  value.address = int64_t(reinterpret_cast<intptr_t>(address));
  if (isInUnifiedBuffer(intptr_t(value.address))) {
    call.name = isWrite ? "t(i) = v" : "t(i)";
    form.space = ProgramOperand::UB;
    value.address -= int64_t(settings.unifiedBuffer.base);
    const auto found = elements.find(value.address);
    const Element element =
        found != elements.end() ? found->second : Element{uint16_t(bufferHolding(value.address).buffer)};
    form.buffer = element.buffer;
    value.end = element.end;
  }
  call.hasScalar = isWrite;
  return call;
}

static constexpr int64_t kWidestAccess = 8;

/// Records what the kernel stored through a pointer since the last call, and closes the memory.
void Recorder::settlePointer() {
  if (!pointer)
    return closeMemory();
  const PointerAccess access = *std::exchange(pointer, std::nullopt);
  std::vector<Call> stores;
  for (int64_t from = 0; from < access.writes; from += kWidestAccess) {
    const int64_t bytes = std::min(access.writes - from, kWidestAccess);
    stores.push_back(pointerAccess(access.address + from, bytes, /*isWrite=*/true));
    std::memcpy(&stores.back().scalar, access.address + from, size_t(bytes));
  }
  closeMemory();
  for (const Call &store : stores)
    recordOne(store, access.place);
}

/// Closes the memory that an access opened, unless the next one follows: opening takes longer than recording.
void Recorder::closeMemory() {
  if (opened && !isAccessing && settings.openMemory)
    settings.openMemory(*std::exchange(opened, nullptr), false);
}

void Recorder::accessPointer(void *address, int64_t bytes, bool isWrite, Place place) {
  isAccessing = true;
  followPointer(address, bytes, isWrite, place);
  isAccessing = false;
}

void Recorder::followPointer(void *address, int64_t bytes, bool isWrite, Place place) {
  settlePointer();
  last = place;
  auto *at = static_cast<char *>(address);
  const auto number = reinterpret_cast<intptr_t>(address);
  const std::optional<size_t> index = tensorAt(int64_t(number));
  if (!index && !isInUnifiedBuffer(number))
    return;
  const RecordedTensor &tensor = index ? settings.tensors[*index] : settings.unifiedBuffer;
  const int64_t offset = int64_t(number) - tensor.base;
  if (isWrite && (!tensor.writable || offset < 0 || offset + bytes > tensor.capacity)) {
    recordOne(pointerAccess(address, std::min(bytes, kWidestAccess), isWrite), place);
    stopHere(); // the simulator reports why
  }
  uint64_t values[2] = {};
  for (int64_t from = 0; from < bytes && !isWrite; from += kWidestAccess)
    values[from / kWidestAccess] = read(pointerAccess(at + from, std::min(bytes - from, kWidestAccess), false), place);
  if (!tensor.writable)
    return; // the kernel's memory has the values
  if (settings.openMemory && opened != &tensor) {
    if (opened)
      settings.openMemory(*opened, false);
    settings.openMemory(tensor, true);
    opened = &tensor;
  }
  if (!isWrite)
    std::memcpy(address, values, size_t(bytes));
  pointer = PointerAccess{at, isWrite ? bytes : 0, place};
}

void Recorder::dump(const Call &given, uint32_t tag, Place place) {
  settlePointer();
  last = place;
  Call call = given;
  ProgramOperand &operand = call.form.sources[0];
  resolve(operand, call.sources[0], place);
  InOrder &memory = inOrder();
  const auto size = int64_t(elementSize(operand.type));
  const bool isFloat = operand.type == ElementType::Float16 || operand.type == ElementType::BFloat16 ||
                       operand.type == ElementType::Float32;
  std::string text =
      std::string(given.name) + " " + number(tag) + ": " + std::string(elementTypeName(operand.type)) + " [";
  for (int64_t i = 0; i < call.count; ++i) {
    const std::optional<uint64_t> bits = memory.element(operand, call.sources[0].address + i * size);
    if (!bits)
      fail(Code::E0560, place,
           "mem (out of bounds): '" + std::string(given.name) +
               "' expects elements that there are, "
               "found " +
               number(call.count) + " asked for and " + number(i) + " there",
           "ascendc_c5");
    char value[32];
    if (isFloat)
      std::snprintf(value, sizeof value, "%.9g", double(floatFromBits(uint32_t(*bits))));
    else
      std::snprintf(value, sizeof value, "%lld", static_cast<long long>(*bits));
    text += (i == 0 ? "" : ", ") + std::string(value);
  }
  std::fprintf(stderr, "%s]\n", text.c_str());
}

double Recorder::compute(ScalarFunction function, double value) const {
  switch (function) {
  case ScalarFunction::Sqrt:
    return std::sqrt(value);
  case ScalarFunction::Exp:
    return std::exp(value);
  case ScalarFunction::Log:
    return std::log(value);
  case ScalarFunction::Ceil:
    return std::ceil(value);
  case ScalarFunction::Floor:
    return std::floor(value);
  case ScalarFunction::Round:
    return std::round(value);
  case ScalarFunction::Trunc:
    return std::trunc(value);
  case ScalarFunction::Rint:
    return std::nearbyint(value);
  }
  return value;
}

void Recorder::print(const char *format, __builtin_va_list values) {
  std::vfprintf(stderr, format, values);
}

int64_t Recorder::countBits(const Call &call, int64_t count, Place place) {
  const uint8_t *bits = inOrder().ub() + call.sources[0].address;
  int64_t kept = 0;
  for (int64_t i = 0; i < count; ++i)
    kept += (bits[i / 8] >> (i % 8)) & 1;
  return kept;
}

int64_t Recorder::scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const {
  return settings.target->scratchBytes(intrinsic, type, count);
}

} // namespace opc::ascendc
