// The interface between a kernel in Ascend C, compiled by a stock compiler, and the recorder.
//
// kernel_operator.h turns each call of a kernel into a `Call` and passes it to the machine of the shared object, the
// variable opc_kernel_machine. The process that loads the object sets this variable and then calls the kernel block
// by block. Both sides may be built by different compilers, so they share only plain data and one class of virtual
// functions; the version shows whether they match.

#ifndef OPC_RUNTIME_ASCENDC_KERNELMACHINE_H
#define OPC_RUNTIME_ASCENDC_KERNELMACHINE_H

#include "runtime/program/PipeInstruction.h"

#include <cstdint>

namespace opc::ascendc {

/// Version of Call and KernelMachine.
inline constexpr uint32_t kMachineVersion = 6;

/// The location of a call in the kernel's source: as a default argument of a call it is the caller's line. Operators
/// have no default arguments; they use their return address.
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

/// The values of a memory operand; the instruction has its form.
struct OperandValue {
  int64_t address = 0;      ///< UB: byte. GM: address in this process
  int64_t end = kAbsent;    ///< UB: one past the last byte of its tensor
  int64_t stride = kAbsent; ///< copies: bytes between the starts of rows
  int64_t length = kAbsent; ///< elements, where the count does not determine it
  int64_t blockStride = 1;  ///< repeats: blocks of 32 bytes between the starts of blocks
  int64_t repeatStride = 0; ///< repeats: between the starts of repeats, in units of repeatUnit
  int64_t repeatUnit = 32;  ///< bytes; for masks the bytes of a repeat's bits
};

/// The lanes of its repeats that a strided form works on.
struct LaneMask {
  enum Kind : uint8_t {
    First, ///< the first words[0] of each repeat
    Bits,  ///< the lanes whose bits are set, lowest first
    Total  ///< the first words[0] lanes of all repeats together, which determines the number of repeats
  };
  Kind kind = First;
  uint64_t words[2] = {0, 0};
};

/// One instruction as the kernel calls it. Registers of `form` are unused.
struct Call {
  const char *name = ""; ///< the name in the kernel: "Adds"
  PipeInstruction form;
  OperandValue destination, sources[kMaxSources], scratch;
  int64_t count = kAbsent, rows = kAbsent, depth = kAbsent, flagId = kAbsent;
  bool hasScalar = false, hasPad = false;
  int64_t scalar = 0, pad = 0;          ///< f32 bits for float types, else the integer
  int64_t image[kNumImageNumbers] = {}; ///< LoadIm2col: by ImageNumber

  // Strided forms: `repeats` times the lanes of the mask.
  int64_t repeats = kAbsent;
  LaneMask mask;
};

/// A buffer on the chip, or one of a queue's buffers. Addresses are in the windows of the memories (Memories.h).
struct BufferPlace {
  int32_t buffer = -1; ///< number, for operands; -1 for none
  int64_t address = 0, bytes = 0;
};

/// The arguments of InitBuffer for a queue or buffer.
struct BufferRequest {
  const char *position = ""; ///< "VECIN"
  Memory memory = Memory::UB;
  bool isQueue = false;
  Pipe producer = Pipe::V, consumer = Pipe::V; ///< queues
  int64_t depth = 1, number = 1, bytes = 0;
};

/// The pipes of a step of a tensor that passes several positions.
struct QueueStep {
  Pipe from, to;
};

/// The addresses of all tensors, for code that traces its accesses through pointers.
struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t bytes = 0;
};

/// Functions of the scalar unit. A kernel with the name of such a function (exp) would replace the C library's in its
/// own object, so the machine computes them.
enum class ScalarFunction : uint8_t { Sqrt, Exp, Log, Ceil, Floor, Round, Trunc, Rint };

class KernelMachine {
public:
  virtual uint32_t version() const = 0;

  // The launch.
  virtual int64_t blockIndex() const = 0;
  virtual int64_t blockNum() const = 0;
  virtual uint64_t tilingKey() const = 0;
  /// The tiling data from `address` on; ends the kernel with an error when there are fewer than `bytes` bytes.
  virtual const void *tilingData(const void *address, int64_t bytes, Place place) = 0;

  // Instructions.
  virtual void record(const Call &call, Place place) = 0;
  /// Performs a scalar read; returns the bits of an f32 for float types, else the integer.
  virtual uint64_t read(const Call &call, Place place) = 0;
  /// The address at which a kernel with traced accesses finds an element, the operand of a scalar read. Nothing is
  /// recorded until the kernel reads the element there or assigns to it.
  virtual void *element(const Call &call) = 0;
  /// Comes before the kernel accesses `bytes` bytes through a pointer: a scalar read, whose value is stored there, or a
  /// scalar write, whose value is read before the next call. Other addresses are ignored.
  virtual void accessPointer(void *address, int64_t bytes, bool isWrite, Place place) = 0;
  /// Prints the first `count` elements of a tensor, the operand of a scalar read.
  virtual void dump(const Call &call, uint32_t number, Place place) = 0;
  virtual double compute(ScalarFunction function, double value) const = 0;
  /// Prints text as printf does.
  virtual void print(const char *format, __builtin_va_list values) = 0;
  /// The number of set bits among the first `count` bits of a mask.
  virtual int64_t countBits(const Call &mask, int64_t count, Place place) = 0;
  /// Whether later stores add to the elements in memory.
  virtual void setAtomicAdd(bool on) = 0;
  /// The mask register, for calls with isSetMask = false: all lanes at the start of a block.
  virtual LaneMask &maskRegister() = 0;
  /// All pipes wait for all others.
  virtual void barrierOfAll(Place place) = 0;
  /// Allocates bytes of UB that belong to no buffer, for calls that use implicit scratch.
  virtual BufferPlace scratch(int64_t bytes, Place place) = 0;
  /// The largest number of bytes that scratch() gives.
  virtual int64_t freeBytes() const = 0;
  virtual int64_t scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const = 0;

  // Buffers and queues. endPipe releases all of them.
  virtual int32_t initBuffer(const BufferRequest &request, Place place) = 0;
  virtual BufferPlace bufferOf(int32_t id, Place place) = 0;
  /// The buffer, or one of a queue's, that holds an address of UB; none for other addresses.
  virtual BufferPlace bufferHolding(int64_t address) const = 0;
  virtual BufferPlace allocTensor(int32_t queue, Place place) = 0;
  /// `between`: the pipes that the step orders; null for the queue's own.
  virtual void enQue(int32_t queue, int64_t address, const QueueStep *between, Place place) = 0;
  virtual BufferPlace deQue(int32_t queue, const QueueStep *between, Place place) = 0;
  virtual void freeTensor(int32_t queue, int64_t address, Place place) = 0;
  virtual int64_t tensorsInQueue(int32_t queue) const = 0;
  virtual bool hasIdleBuffer(int32_t queue) const = 0;
  virtual void freeAllEvents(int32_t queue, Place place) = 0;
  virtual void endPipe(Place place) = 0;

  /// Writes the scalar unit's cache of global memory back: the line of an address, or all lines for null.
  virtual void cleanCache(const void *address) = 0;

  /// Ends the kernel with an error in a call that no machine could perform.
  [[noreturn]] virtual void refuse(const char *rule, const char *what, Place place) = 0;
  /// Reports, once for a line, an operation that the chip's documentation forbids and this machine
  /// performs nevertheless.
  virtual void doubt(const char *rule, const char *what, Place place) = 0;

protected:
  ~KernelMachine() = default;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_KERNELMACHINE_H
