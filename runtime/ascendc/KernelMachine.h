// What stands between a kernel in Ascend C, compiled by a stock compiler, and who records it.
//
// kernel_operator.h turns each call of a kernel into a `Call` and hands it to the machine of the shared object, the
// variable opc_kernel_machine. Who loads the object sets that variable, then calls the kernel block by block. The two
// sides are built by different compilers, maybe, so what they share is plain data and one class of virtual functions;
// the version says whether they agree.

#ifndef OPC_RUNTIME_ASCENDC_KERNELMACHINE_H
#define OPC_RUNTIME_ASCENDC_KERNELMACHINE_H

#include "runtime/program/SimulatorProgram.h"

#include <cstdint>

namespace opc::ascendc {

/// Of Call and KernelMachine.
inline constexpr uint32_t kMachineVersion = 2;

/// Where a call stands in the kernel's source: as a default argument of a call it is the caller's line. Operators
/// have no default arguments; they know the address behind their call.
struct Place {
  const char *file = nullptr;
  uint32_t line = 0;
  const void *code = nullptr;

  static Place behind(const void *code) { return Place(nullptr, 0, code); }
  Place(const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE(), const void *code = nullptr)
      : file(file), line(line), code(code) {}
};

/// A value that an operand or a call does not have.
inline constexpr int64_t kAbsent = INT64_MIN;

/// A memory operand with its values; the form of it stands in the instruction.
struct OperandValue {
  int64_t address = 0;      ///< UB: byte. GM: address in this process
  int64_t end = kAbsent;    ///< UB: one past the last byte of its tensor
  int64_t stride = kAbsent; ///< copies: bytes between the starts of rows
  int64_t length = kAbsent; ///< elements, where the count does not say it
  int64_t blockStride = 1;  ///< repeats: blocks of 32 bytes between the starts of blocks
  int64_t repeatStride = 0; ///< repeats: between the starts of repeats, in units of repeatUnit
  int64_t repeatUnit = 32;  ///< bytes; of a mask the bytes of a repeat's bits
};

/// Which lanes of its repeats a strided form works on.
struct LaneMask {
  enum Kind : uint8_t {
    First, ///< the first words[0] of each repeat
    Bits,  ///< those whose bits are set, lowest first
    Total  ///< the first words[0] of all repeats, of which there are as many as that takes
  };
  Kind kind = First;
  uint64_t words[2] = {0, 0};
};

/// One instruction as the kernel asks for it. Registers of `form` mean nothing.
struct Call {
  const char *name = ""; ///< as the kernel spells it: "Adds"
  PipeInstruction form;
  OperandValue destination, sources[kMaxSources], scratch;
  int64_t count = kAbsent, rows = kAbsent, flagId = kAbsent;
  bool hasScalar = false, hasPad = false;
  int64_t scalar = 0, pad = 0; ///< f32 bits for float types, else the integer

  // Strided forms: `repeats` times the lanes that the mask names.
  int64_t repeats = kAbsent;
  LaneMask mask;
};

/// A buffer in UB, or one that a queue hands out.
struct BufferPlace {
  int32_t buffer = -1; ///< number, for operands; -1 for none
  int64_t address = 0, bytes = 0;
};

/// A queue or buffer, as InitBuffer is told about it.
struct BufferRequest {
  const char *position = ""; ///< "VECIN"
  bool isQueue = false;
  Pipe producer = Pipe::V, consumer = Pipe::V; ///< queues
  int64_t depth = 1, number = 1, bytes = 0;
};

class KernelMachine {
public:
  virtual uint32_t version() const = 0;

  // The launch.
  virtual int64_t blockIndex() const = 0;
  virtual int64_t blockNum() const = 0;
  virtual uint64_t tilingKey() const = 0;
  /// Bytes of the tiling data from `address` on; the kernel ends when there are fewer than `bytes`.
  virtual const void *tilingData(const void *address, int64_t bytes, Place place) = 0;

  // Instructions.
  virtual void record(const Call &call, Place place) = 0;
  /// A scalar read: the bits of an f32 for float types, else the integer.
  virtual uint64_t read(const Call &call, Place place) = 0;
  /// Writes the first `count` elements of a tensor, a read's operand, for people.
  virtual void dump(const Call &call, uint32_t number, Place place) = 0;
  /// How many bits of a mask are set, of the first `count`.
  virtual int64_t countBits(const Call &mask, int64_t count, Place place) = 0;
  /// What stores from here on do with the elements that are there.
  virtual void setAtomicAdd(bool on) = 0;
  /// The mask that outlives a call, for calls with isSetMask = false: all lanes at a block's start.
  virtual LaneMask &maskRegister() = 0;
  /// All pipes wait for all.
  virtual void barrierOfAll(Place place) = 0;
  /// Bytes of UB that nobody asked for, for calls that take scratch by themselves.
  virtual BufferPlace scratch(int64_t bytes, Place place) = 0;
  virtual int64_t scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const = 0;

  // Buffers and queues. A pipe's end gives all of them back.
  virtual int32_t initBuffer(const BufferRequest &request, Place place) = 0;
  virtual BufferPlace bufferOf(int32_t id, Place place) = 0;
  virtual BufferPlace allocTensor(int32_t queue, Place place) = 0;
  virtual void enQue(int32_t queue, int64_t address, Place place) = 0;
  virtual BufferPlace deQue(int32_t queue, Place place) = 0;
  virtual void freeTensor(int32_t queue, int64_t address, Place place) = 0;
  virtual int64_t tensorsInQueue(int32_t queue) const = 0;
  virtual bool hasIdleBuffer(int32_t queue) const = 0;
  virtual void freeAllEvents(int32_t queue, Place place) = 0;
  virtual void endPipe(Place place) = 0;

  /// Ends the kernel: a call says what no other machine could do either.
  [[noreturn]] virtual void refuse(const char *rule, const char *what, Place place) = 0;

protected:
  ~KernelMachine() = default;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_KERNELMACHINE_H
