// Records a kernel in Ascend C, call by call, as a simulator program.
//
//   kernel (native code) --Call--> Recorder --> SimulatorProgram: straight-line code for each block
//
// Addresses, counts and flags are constants when the kernel makes a call, so the scalar code of the program only
// loads registers and issues; branches and loops were executed by the kernel. The kernel only needs values back when
// it reads an element: then everything recorded so far is performed in the order of the kernel (InOrder), which is
// one of the orders that flags allow.
//
// Queues are lowered to addresses in UB and flags (Queues.cpp). Strided forms are lowered to instructions on
// contiguous tiles (Repeats.cpp).

#ifndef OPC_RUNTIME_ASCENDC_RECORDER_H
#define OPC_RUNTIME_ASCENDC_RECORDER_H

#include "runtime/ascendc/DataCache.h"
#include "runtime/ascendc/KernelMachine.h"
#include "runtime/ascendc/ScalarCode.h"
#include "runtime/device/sim/Simulator.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace opc::ascendc {

class AutoSync;
class InOrder;

/// A tensor as the kernel sees it. Pointers within kTensorSpan / 2 of `base` refer to it.
struct RecordedTensor {
  std::string name;
  intptr_t base = 0;
  int64_t bytes = 0;
  ElementType type = ElementType::UInt8;
  bool writable = false;
  void *values = nullptr; ///< its elements, for reads while recording
  bool inPlace = false;   ///< writable, and holds values that the kernel may read
  int64_t capacity = 0;   ///< SimTensor::capacity; `values` has as many bytes
};
inline constexpr int64_t kTensorSpan = int64_t(1) << 36;

/// The kernel's scalar code, as far as it is counted.
struct ScalarCode {
  struct Line {
    uint32_t place = 0; ///< in `places`
    uint32_t count = 0; ///< instructions that the block has there
  };
  std::vector<Place> places;
  std::vector<std::vector<Line>> blocks;
  BlockCounts *counts = nullptr; ///< of the object; null: nothing is counted
};

struct RecordSettings {
  const Target *target = nullptr;
  std::string kernel;
  std::vector<RecordedTensor> tensors;
  const uint8_t *tiling = nullptr;
  int64_t tilingBytes = 0;
  uint64_t tilingKey = 0;
  int64_t blockNum = 1;
  int64_t instructionLimit = 4'000'000; ///< of all blocks
  bool autoSync = false;                ///< add the flags of the scalar unit that the vendor's compiler adds
  ScalarCode scalarCode;
  RecordedTensor unifiedBuffer; ///< addresses of elements of UB for the kernel's own code; base 0: none
  /// Makes the memory of a writable tensor accessible to the kernel's own code, or inaccessible again.
  std::function<void(const RecordedTensor &, bool)> openMemory;
  intptr_t codeBase = 0; ///< load address of the kernel's object, for locations known by address
};

/// The file name of a location that is an offset in the kernel's object.
inline constexpr const char *kCodeOffset = "@code";

struct Recording {
  SimulatorProgram program;
  std::vector<uint64_t> reads; ///< the results of the kernel's reads, in order
  bool stopped = false;        ///< stopped at an access out of bounds; the program ends after it
};

class Recorder final : public KernelMachine {
public:
  /// `stop` must not return: it ends the kernel at any point of its execution.
  Recorder(RecordSettings settings, Diagnostics &diagnostics, std::function<void()> stop);
  ~Recorder();

  void startBlock(int64_t block);
  /// Waits for pending operations of queues.
  void endBlock();
  /// Returns all blocks so far as one program.
  Recording finish();
  /// The location of the last call; may be called at any time.
  const Place &lastCall() const { return last; }

  uint32_t version() const override { return kMachineVersion; }
  int64_t blockIndex() const override { return block; }
  int64_t blockNum() const override { return settings.blockNum; }
  uint64_t tilingKey() const override { return settings.tilingKey; }
  const void *tilingData(const void *address, int64_t bytes, Place place) override;
  void record(const Call &call, Place place) override;
  uint64_t read(const Call &call, Place place) override;
  void *element(const Call &call) override;
  void accessPointer(void *address, int64_t bytes, bool isWrite, Place place) override;
  void dump(const Call &call, uint32_t number, Place place) override;
  double compute(ScalarFunction function, double value) const override;
  void print(const char *format, __builtin_va_list values) override;
  int64_t countBits(const Call &mask, int64_t count, Place place) override;
  void setAtomicAdd(bool on) override { atomicAdd = on; }
  LaneMask &maskRegister() override { return vectorMask; }
  void barrierOfAll(Place place) override;
  BufferPlace scratch(int64_t bytes, Place place) override;
  int64_t freeBytes() const override { return settings.target->ubBytes() - used; }
  int64_t scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const override;
  int32_t initBuffer(const BufferRequest &request, Place place) override;
  BufferPlace bufferOf(int32_t id, Place place) override;
  BufferPlace bufferHolding(int64_t address) const override;
  BufferPlace allocTensor(int32_t queue, Place place) override;
  void enQue(int32_t queue, int64_t address, const QueueStep *between, Place place) override;
  BufferPlace deQue(int32_t queue, const QueueStep *between, Place place) override;
  void freeTensor(int32_t queue, int64_t address, Place place) override;
  int64_t tensorsInQueue(int32_t queue) const override;
  bool hasIdleBuffer(int32_t queue) const override;
  void freeAllEvents(int32_t queue, Place place) override;
  void endPipe(Place place) override;
  void cleanCache(const void *address) override;
  [[noreturn]] void refuse(const char *rule, const char *what, Place place) override;
  void doubt(const char *rule, const char *what, Place place) override;

private:
  /// The registers of the program: one for each field of an instruction.
  enum Role : uint16_t {
    kDestination = 0, ///< address, stride, length of each operand
    kSources = 3,
    kScratch = kSources + 3 * kMaxSources,
    kCount = kScratch + 3,
    kRows,
    kFlagId,
    kScalar,
    kPad,
    kDepth,
    kImage, ///< by ImageNumber
    kReadValue = kImage + kNumImageNumbers,
    kBlock,
    kCompared,
    kNumRoles
  };
  /// An element to which a kernel has a reference.
  struct Element {
    uint16_t buffer = 0;
    int64_t end = kAbsent;
  };
  /// An access through a pointer, after which the kernel's own code continues.
  struct PointerAccess {
    char *address = nullptr;
    int64_t writes = 0; ///< bytes; 0 for a read
    Place place;
  };
  enum class State : uint8_t { Free, Allocated, Enqueued, Dequeued };
  struct Slot {
    State state = State::Free;
    int64_t event = 0;
    int64_t storeEvent = -1; ///< of steps from V to MTE3 in a queue that has other steps too; -1 before the first
    QueueStep step{Pipe::S, Pipe::S}; ///< of the last EnQue
    uint16_t program = 0;             ///< the program's buffer for the tensor that has it
    uint16_t other = kNoBuffer;       ///< the one for the next tensor, once there is one
    bool wasGiven = false;            ///< by AllocTensor, once
    bool used = false;                ///< freed and not allocated since: the flag of its consumer is pending
  };
  struct Buffer {
    BufferRequest request;
    int64_t address = 0, slotBytes = 0;
    uint16_t program = 0; ///< among the program's buffers
    Place place;
    std::vector<Slot> slots;
    std::deque<size_t> waiting; ///< in the queue
    size_t next = 0;            ///< the slot from which AllocTensor looks for a free one
  };

  [[noreturn]] void fail(Code code, Place place, std::string message, std::string rule, std::string fix = {});
  [[noreturn]] void stopHere();
  Location locationOf(const Place &place) const;
  uint16_t locationIndex(const Place &place);

  // Recorder.cpp
  void recordOne(const Call &call, Place place, bool fromQueue = false);
  uint32_t indexOf(const PipeInstruction &form);
  void setRegister(uint16_t reg, int64_t value);
  void resolve(ProgramOperand &form, OperandValue &value, const Place &place);
  void setOperand(ProgramOperand &operand, OperandValue &value, uint16_t reg, const Place &place);
  void setRegisters(Call &call, const Place &place);
  void observe(const Call &call, uint32_t index, const Place &place);
  void checkTensors(const Call &call, const SimInstruction &op, const Place &place);
  void addFlags(const Call &call, const SimInstruction &op, const Place &place);
  void tellHazard(const Call &call, const DataCache::Hazard &hazard, const Place &place);
  void addScalarWork();
  void matchTypes(Call &call);
  void append(ScalarOp op, uint16_t dst, int64_t imm) { code.push_back({op, dst, 0, 0, imm}); }
  InOrder &inOrder();
  std::optional<size_t> tensorAt(int64_t address) const;
  bool isInUnifiedBuffer(intptr_t address) const;
  Call pointerAccess(const void *address, int64_t bytes, bool isWrite) const;
  void settlePointer();
  void closeMemory();
  void followPointer(void *address, int64_t bytes, bool isWrite, Place place);

  // Repeats.cpp
  void recordRepeats(const Call &call, Place place);
  void recordReductions(Call &call, Place place);
  void recordSpread(const Call &call, Place place);
  void checkAddresses(const Call &call, const Place &place);
  /// Records a call on rows of one block each, the first `lanes` of a repeat; false if the call does not have
  /// that form.
  bool recordRows(const Call &call, int64_t lanes, Place place);

  // Queues.cpp
  Buffer &bufferAt(int32_t id, const char *what, const Place &place);
  size_t slotAt(Buffer &buffer, int64_t address, const char *what, const Place &place);
  uint16_t programBuffer(const std::string &name, int64_t address, int64_t bytes, int64_t slots);
  int64_t eventOf(const Buffer &buffer, Slot &slot, const Place &place);
  void queueFlag(bool set, Pipe from, Pipe to, int64_t event, const Place &place);
  void queueBarrier(const Place &place);
  void checkFreed(const Call &call, const Place &place);

  RecordSettings settings;
  Diagnostics &diagnostics;
  std::function<void()> stop;
  std::vector<SimTensor> tensors; ///< as the launch sees them

  SimulatorProgram program;
  std::vector<ScalarInstruction> &code;
  std::vector<size_t> starts; ///< of each block in `code`
  std::unordered_map<std::string, uint32_t> instructions;
  std::map<std::pair<const void *, uint32_t>, uint16_t> locations;
  std::unique_ptr<InOrder> performed;
  std::optional<PointerAccess> pointer;          ///< the last one, if nothing was recorded since
  const RecordedTensor *opened = nullptr;        ///< its memory is open
  bool isAccessing = false;                      ///< in accessPointer or element
  std::unordered_map<int64_t, Element> elements; ///< of UB by address
  std::unique_ptr<AutoSync> flags;               ///< of this block; null: the kernel has all that there are
  DataCache cache;
  std::set<std::string> remarks; ///< about added flags and the cache, each once
  std::vector<uint64_t> reads;
  std::vector<uint32_t> workAt; ///< by place of scalar code: its instruction
  std::vector<uint64_t> workOf; ///< by place: instructions since the last call
  int64_t values[kNumRoles] = {};
  bool known[kNumRoles] = {};
  int64_t block = 0, recorded = 0;
  bool atomicAdd = false, stopped = false;
  LaneMask vectorMask;
  Place last;

  std::vector<Buffer> buffers; ///< of the pipe
  std::map<std::string, int64_t> queueBuffers;
  int64_t used = 0;                  ///< bytes of UB
  int64_t usedOf[kNumMemories] = {}; ///< bytes of the other memories
  bool presets = false;              ///< the pipe has set its flags from M to MTE1, and waits for them at its end
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_RECORDER_H
