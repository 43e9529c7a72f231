// Buffers and queues: addresses in UB, the state of each buffer, and the flags that queue operations set and wait for.
//
//   EnQue       set  producer -> consumer      each buffer has its own event
//   DeQue       wait producer -> consumer
//   FreeTensor  set  consumer -> producer
//   AllocTensor wait consumer -> producer, if the buffer was used before
//
// Each tensor of AllocTensor has another buffer of the program than the previous one at the same address: the previous
// contents are undefined for it, like those of an unwritten tensor.
//
// A queue position has eight buffers and a pair of pipes has eight events, so the n-th buffer of a position has event
// n. The vendor's library allocates events dynamically; nothing in its documentation makes the numbers matter.

#include "runtime/ascendc/Recorder.h"

#include <algorithm>
#include <string_view>

namespace opc::ascendc {

/// The event of barrierOfAll, for pairs with the scalar unit, which queues do not use.
static constexpr int64_t kBarrierEvent = 7;

static std::string number(int64_t value) {
  return std::to_string(value);
}

uint16_t Recorder::programBuffer(const std::string &name, int64_t address, int64_t bytes, int64_t slots) {
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const ProgramBuffer &buffer = program.buffers[i];
    if (buffer.name == name && buffer.address == address && buffer.slotBytes == bytes && buffer.slots == slots)
      return uint16_t(i);
  }
  program.buffers.push_back({name, address, bytes, slots});
  return uint16_t(program.buffers.size() - 1);
}

int32_t Recorder::initBuffer(const BufferRequest &request, Place place) {
  last = place;
  const Memory memory = request.memory;
  const int64_t unit = settings.target->memoryAlignment(memory), capacity = settings.target->memoryBytes(memory);
  int64_t &taken = memory == Memory::UB ? used : usedOf[unsigned(memory)];
  if (memory != Memory::UB && performed)
    fail(Code::E0810, place,
         "InitBuffer expects buffers of the cube before the kernel reads elements, found one in " +
             std::string(request.position) + " after it",
         "ascendc_c6", "InitBuffer at the start of the kernel");
  // The vendor's TPipe does so when it is made; without buffers of the cube these flags are not used.
  if (memory != Memory::UB && !presets)
    for (unsigned id = 0; id < settings.target->firstEventId(Pipe::M, Pipe::MTE1); ++id)
      queueFlag(true, Pipe::M, Pipe::MTE1, id, place);
  presets |= memory != Memory::UB;
  const std::string what =
      std::string(request.position) + (request.isQueue ? " queue" : " buffer") + " of line " + number(place.line);
  if (request.bytes < 1 || request.number < 1)
    fail(Code::E0810, place,
         "InitBuffer expects at least one buffer of at least one byte, found " + number(request.number) + " of " +
             number(request.bytes),
         "ascendc_c6");
  const int64_t bytes = (request.bytes + unit - 1) / unit * unit;
  if (taken + bytes * request.number > capacity) {
    Diagnostic &error = diagnostics.error(
        Code::E0810, locationOf(place),
        "InitBuffer expects buffers within the " + number(capacity) + " bytes of " + std::string(memoryName(memory)) +
            ", found " + number(taken) + " in use and " + number(request.number) + " of " + number(bytes) + " more",
        "ascendc_c6", "smaller tiles, or fewer buffers");
    for (const Buffer &buffer : buffers)
      error.notes.push_back(Note{locationOf(buffer.place), number(buffer.request.number) + " of " +
                                                               number(buffer.slotBytes) + " bytes in " +
                                                               buffer.request.position});
    stopHere();
  }
  int64_t first = 0;
  if (request.isQueue) {
    const auto most = int64_t(settings.target->figure("queue_buffers"));
    int64_t &count = queueBuffers[request.position];
    if (count + request.number > most)
      fail(Code::E0811, place,
           "InitBuffer expects at most " + number(most) + " queue buffers in " + request.position + ", found " +
               number(count + request.number),
           "ascendc_c7", "one buffer a queue instead of two, or TBuf for temporaries");
    first = count;
    count += request.number;
  }
  Buffer buffer;
  buffer.request = request;
  buffer.address = windowOf(memory) + taken;
  buffer.slotBytes = bytes;
  buffer.place = place;
  buffer.program = programBuffer(what, buffer.address, bytes, request.number);
  buffer.slots.resize(size_t(request.number));
  for (size_t i = 0; i < buffer.slots.size(); ++i) {
    buffer.slots[i].event = first + int64_t(i);
    buffer.slots[i].program = buffer.program;
  }
  taken += bytes * request.number;
  buffers.push_back(std::move(buffer));
  return int32_t(buffers.size() - 1);
}

Recorder::Buffer &Recorder::bufferAt(int32_t id, const char *what, const Place &place) {
  last = place;
  if (id < 0 || size_t(id) >= buffers.size())
    fail(Code::E0820, place,
         "mem (wrong buffer use): " + std::string(what) +
             " expects a queue or buffer that "
             "InitBuffer made, found none",
         "queue_c1");
  return buffers[size_t(id)];
}

BufferPlace Recorder::bufferOf(int32_t id, Place place) {
  const Buffer &buffer = bufferAt(id, "Get", place);
  return {buffer.program, buffer.address, buffer.request.bytes};
}

BufferPlace Recorder::bufferHolding(int64_t address) const {
  for (const Buffer &buffer : buffers) {
    const int64_t offset = address - buffer.address;
    if (offset >= 0 && offset < buffer.slotBytes * buffer.request.number)
      return {buffer.slots[size_t(offset / buffer.slotBytes)].program,
              buffer.address + offset / buffer.slotBytes * buffer.slotBytes, buffer.slotBytes};
  }
  return {};
}

/// The slot that contains an address.
size_t Recorder::slotAt(Buffer &buffer, int64_t address, const char *what, const Place &place) {
  const int64_t offset = address - buffer.address;
  if (offset < 0 || offset >= buffer.slotBytes * buffer.request.number)
    fail(Code::E0820, place,
         "mem (wrong buffer use): " + std::string(what) + " expects a tensor of its own queue, " +
             program.buffers[buffer.program].name + ", found one from elsewhere",
         "queue_c2");
  return size_t(offset / buffer.slotBytes);
}

void Recorder::queueFlag(bool set, Pipe from, Pipe to, int64_t event, const Place &place) {
  Call call;
  call.name = set ? "EnQue or FreeTensor" : "DeQue or AllocTensor";
  call.form.kind = set ? PipeInstruction::SetFlag : PipeInstruction::WaitFlag;
  call.form.pipe = set ? from : to;
  call.form.other = set ? to : from;
  call.flagId = event;
  recordOne(call, place, /*fromQueue=*/true);
}

void Recorder::queueBarrier(const Place &place) {
  Call call;
  call.form.kind = PipeInstruction::Barrier;
  call.form.pipe = Pipe::V;
  recordOne(call, place, /*fromQueue=*/true);
}

BufferPlace Recorder::allocTensor(int32_t id, Place place) {
  Buffer &buffer = bufferAt(id, "AllocTensor", place);
  // The next free one after the last allocated one: buffers alternate, as in the vendor's library.
  size_t chosen = buffer.slots.size();
  for (size_t i = 0; i < buffer.slots.size() && chosen == buffer.slots.size(); ++i)
    if (const size_t index = (buffer.next + i) % buffer.slots.size(); buffer.slots[index].state == State::Free)
      chosen = index;
  if (chosen == buffer.slots.size())
    fail(Code::E0820, place,
         "mem (wrong buffer use): AllocTensor expects a free buffer of the " + number(buffer.request.number) + " in " +
             program.buffers[buffer.program].name + ", found none: the kernel would wait forever",
         "queue_c3", "FreeTensor of the ones before, or more buffers in InitBuffer");
  buffer.next = (chosen + 1) % buffer.slots.size();
  Slot &slot = buffer.slots[chosen];
  slot.state = State::Allocated;
  if (slot.used && buffer.request.producer != buffer.request.consumer)
    queueFlag(false, buffer.request.consumer, buffer.request.producer, slot.event, place);
  else if (slot.used)
    queueBarrier(place);
  slot.used = false;
  if (slot.wasGiven) {
    if (slot.other == kNoBuffer) {
      slot.other = uint16_t(program.buffers.size());
      const ProgramBuffer same = program.buffers[buffer.program];
      program.buffers.push_back(same);
    }
    std::swap(slot.program, slot.other);
  }
  slot.wasGiven = true;
  return {slot.program, buffer.address + int64_t(chosen) * buffer.slotBytes, buffer.request.bytes};
}

/// The event of the slot's step. In the pair of V and MTE3 the events are those of VECOUT's buffers; a queue of another
/// position has one of them for each slot that needs it.
int64_t Recorder::eventOf(const Buffer &buffer, Slot &slot, const Place &place) {
  const bool stores = slot.step.from == Pipe::V && slot.step.to == Pipe::MTE3;
  if (!stores || std::string_view(buffer.request.position) == "VECOUT")
    return slot.event;
  if (slot.storeEvent < 0) {
    int64_t &count = queueBuffers["VECOUT"];
    if (count >= int64_t(settings.target->figure("queue_buffers")))
      fail(Code::E0811, place,
           "EnQue<TPosition::VECOUT, TPosition::GM> expects a free event between V and MTE3, found none of the " +
               number(count),
           "ascendc_c7", "one buffer a queue instead of two");
    slot.storeEvent = count++;
  }
  return slot.storeEvent;
}

void Recorder::enQue(int32_t id, int64_t address, const QueueStep *between, Place place) {
  Buffer &buffer = bufferAt(id, "EnQue", place);
  const size_t index = slotAt(buffer, address, "EnQue", place);
  Slot &slot = buffer.slots[index];
  if (slot.state != State::Allocated && slot.state != State::Dequeued)
    fail(Code::E0820, place,
         std::string("mem (wrong buffer use): EnQue expects a tensor that AllocTensor gave, found "
                     "one that is ") +
             (slot.state == State::Free ? "free" : "in the queue already"),
         "queue_c4");
  if (int64_t(buffer.waiting.size()) >= buffer.request.depth)
    fail(Code::E0820, place,
         "mem (wrong buffer use): EnQue expects at most " + number(buffer.request.depth) +
             " tensors in the queue, its depth, found another",
         "queue_c5", "DeQue before it, or a larger depth in TQue<position, depth>");
  slot.state = State::Enqueued;
  buffer.waiting.push_back(index);
  slot.step = between ? *between : QueueStep{buffer.request.producer, buffer.request.consumer};
  if (slot.step.from != slot.step.to)
    queueFlag(true, slot.step.from, slot.step.to, eventOf(buffer, slot, place), place);
}

BufferPlace Recorder::deQue(int32_t id, const QueueStep *between, Place place) {
  Buffer &buffer = bufferAt(id, "DeQue", place);
  if (buffer.waiting.empty())
    fail(Code::E0820, place,
         "sync (wait without set): DeQue expects a tensor in " + program.buffers[buffer.program].name +
             ", found none: the kernel would wait forever",
         "queue_c6", "EnQue before it");
  const size_t index = buffer.waiting.front();
  buffer.waiting.pop_front();
  Slot &slot = buffer.slots[index];
  slot.state = State::Dequeued;
  const QueueStep step = between ? *between : QueueStep{buffer.request.producer, buffer.request.consumer};
  if (step.from != slot.step.from || step.to != slot.step.to)
    fail(Code::E0820, place,
         "sync (wait without set): DeQue expects the positions of its EnQue, found a wait of pipe " +
             std::string(pipeName(step.to)) + " for pipe " + std::string(pipeName(step.from)) + " and a flag from " +
             std::string(pipeName(slot.step.from)) + " to " + std::string(pipeName(slot.step.to)),
         "queue_c6", "DeQue<source, destination, T> as in EnQue<source, destination, T>");
  if (step.from != step.to)
    queueFlag(false, step.from, step.to, eventOf(buffer, slot, place), place);
  else
    queueBarrier(place);
  return {slot.program, buffer.address + int64_t(index) * buffer.slotBytes, buffer.request.bytes};
}

void Recorder::freeTensor(int32_t id, int64_t address, Place place) {
  Buffer &buffer = bufferAt(id, "FreeTensor", place);
  Slot &slot = buffer.slots[slotAt(buffer, address, "FreeTensor", place)];
  if (slot.state != State::Allocated && slot.state != State::Dequeued)
    fail(Code::E0820, place,
         std::string("mem (free of unallocated): FreeTensor expects a tensor that the kernel has, "
                     "found one that is ") +
             (slot.state == State::Free ? "free" : "in the queue"),
         "queue_c7");
  slot.state = State::Free;
  slot.used = true;
  if (buffer.request.producer != buffer.request.consumer)
    queueFlag(true, buffer.request.consumer, buffer.request.producer, slot.event, place);
}

int64_t Recorder::tensorsInQueue(int32_t id) const {
  return id < 0 || size_t(id) >= buffers.size() ? 0 : int64_t(buffers[size_t(id)].waiting.size());
}

bool Recorder::hasIdleBuffer(int32_t id) const {
  if (id < 0 || size_t(id) >= buffers.size())
    return false;
  const std::vector<Slot> &slots = buffers[size_t(id)].slots;
  return std::any_of(slots.begin(), slots.end(), [](const Slot &slot) { return slot.state == State::Free; });
}

/// Waits for the flags of buffers that were freed and not allocated again.
void Recorder::freeAllEvents(int32_t id, Place place) {
  Buffer &buffer = bufferAt(id, "FreeAllEvent", place);
  for (Slot &slot : buffer.slots) {
    if (slot.state == State::Free && slot.used && buffer.request.producer != buffer.request.consumer)
      queueFlag(false, buffer.request.consumer, buffer.request.producer, slot.event, place);
    slot.used = slot.used && slot.state != State::Free;
  }
}

void Recorder::endPipe(Place place) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    Buffer &buffer = buffers[i];
    for (const Slot &slot : buffer.slots)
      if (slot.state == State::Allocated || slot.state == State::Dequeued)
        fail(Code::E0820, buffer.place,
             "mem (leak): the kernel ends and has a tensor of " + program.buffers[buffer.program].name +
                 " that it did not give back",
             "queue_c8", "FreeTensor for each tensor that AllocTensor or DeQue gave");
    freeAllEvents(int32_t(i), place);
  }
  for (unsigned id = 0; presets && id < settings.target->firstEventId(Pipe::M, Pipe::MTE1); ++id)
    queueFlag(false, Pipe::M, Pipe::MTE1, id, place);
  presets = false;
  buffers.clear();
  queueBuffers.clear();
  used = 0;
  std::fill(std::begin(usedOf), std::end(usedOf), 0);
}

/// Refuses accesses to a freed tensor, which belongs to the next load.
void Recorder::checkFreed(const Call &call, const Place &place) {
  auto check = [&](const ProgramOperand &form, const OperandValue &value) {
    if (form.space != ProgramOperand::UB)
      return;
    for (const Buffer &buffer : buffers) {
      const int64_t offset = value.address - buffer.address;
      if (!buffer.request.isQueue || offset < 0 || offset >= buffer.slotBytes * buffer.request.number)
        continue;
      const Slot &slot = buffer.slots[size_t(offset / buffer.slotBytes)];
      if (form.buffer != slot.program && form.buffer != slot.other)
        continue;
      if (slot.state == State::Free)
        fail(Code::E0820, place,
             "init (freed): '" + std::string(call.name) +
                 "' expects a tensor that the kernel has, "
                 "found one of " +
                 program.buffers[buffer.program].name + " that it gave back",
             "queue_c9", "FreeTensor after the last use");
    }
  };
  check(call.form.destination, call.destination);
  for (unsigned i = 0; i < kMaxSources; ++i)
    check(call.form.sources[i], call.sources[i]);
  check(call.form.scratch, call.scratch);
}

/// Every pipe sets a flag for the scalar unit, then the scalar unit sets a flag for every pipe.
void Recorder::barrierOfAll(Place place) {
  last = place;
  std::vector<Pipe> pipes = {Pipe::MTE2, Pipe::V, Pipe::MTE3};
  if (presets) // the kernel uses the cube
    pipes.insert(pipes.end(), {Pipe::MTE1, Pipe::M, Pipe::FIX});
  for (Pipe pipe : pipes)
    queueFlag(true, pipe, Pipe::S, kBarrierEvent, place);
  for (Pipe pipe : pipes)
    queueFlag(false, pipe, Pipe::S, kBarrierEvent, place);
  for (Pipe pipe : pipes)
    queueFlag(true, Pipe::S, pipe, kBarrierEvent, place);
  for (Pipe pipe : pipes)
    queueFlag(false, Pipe::S, pipe, kBarrierEvent, place);
}

BufferPlace Recorder::scratch(int64_t bytes, Place place) {
  last = place;
  const int64_t unit = settings.target->ubAlignment(), capacity = settings.target->ubBytes();
  bytes = std::max(unit, (bytes + unit - 1) / unit * unit);
  if (used + bytes > capacity)
    fail(Code::E0810, place,
         "a call expects " + number(bytes) + " bytes of UB as scratch, found " + number(capacity - used) +
             " that no buffer has",
         "ascendc_c6", "smaller buffers, or the form that takes a tensor as scratch");
  return {programBuffer("scratch of line " + number(place.line), used, bytes, 1), used, bytes};
}

} // namespace opc::ascendc
