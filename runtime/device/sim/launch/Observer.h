// The interface of checkers and tracers: they observe every instruction of a launch with its captured registers, its
// times and its accesses.
//
// The sanitizers and the trace use this interface. An observer may stop the launch: it reports an error to its
// Diagnostics and returns false.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H

#include "runtime/program/SimulatorProgram.h"

#include <cstdint>

namespace opc {

/// One memory operand with the values of its registers: `rows` rows of `rowBytes` bytes, `stride` bytes apart.
struct SimAccess {
  const ProgramOperand *operand = nullptr;
  bool write = false;
  int64_t address = 0; ///< on chip: byte address, in its memory's window; GM: byte offset in tensor operand->tensor
  int64_t rowBytes = 0;
  int64_t rows = 1;
  int64_t stride = 0;

  /// One past the last byte of the last row; `address` when the access is empty.
  int64_t end() const { return rows == 0 || rowBytes == 0 ? address : address + (rows - 1) * stride + rowBytes; }
};

/// The numbers of an image-to-column load, and what follows from them. Functions require numbers within the limits of
/// the vendor's call, which MemoryCheck checks first.
struct SimImage {
  int64_t numbers[kNumImageNumbers] = {};

  int64_t of(ImageNumber number) const { return numbers[static_cast<unsigned>(number)]; }
  /// Windows down and across; 0 if the padded image is smaller than a window.
  int64_t windowsDown() const {
    return windows(of(ImageNumber::Height) + of(ImageNumber::Top) + of(ImageNumber::Bottom),
                   of(ImageNumber::FilterHeight), of(ImageNumber::DilationHeight), of(ImageNumber::StrideHeight));
  }
  int64_t windowsAcross() const {
    return windows(of(ImageNumber::Width) + of(ImageNumber::Left) + of(ImageNumber::Right),
                   of(ImageNumber::FilterWidth), of(ImageNumber::DilationWidth), of(ImageNumber::StrideWidth));
  }
  /// Places of the image: rows of 32 bytes for a block of channels.
  int64_t places() const { return of(ImageNumber::Height) * of(ImageNumber::Width); }
  /// Blocks of columns for a block of channels: the elements of a window.
  int64_t elements() const { return of(ImageNumber::FilterHeight) * of(ImageNumber::FilterWidth); }
  /// The row of 32 bytes in L1, from the image's start on, of a row of the matrix of windows and a block of its
  /// columns; -1 for padding.
  int64_t source(int64_t row, int64_t block) const {
    const int64_t across = windowsAcross(), element = block % elements();
    const int64_t y = row / across * of(ImageNumber::StrideHeight) - of(ImageNumber::Top) +
                      element / of(ImageNumber::FilterWidth) * of(ImageNumber::DilationHeight);
    const int64_t x = row % across * of(ImageNumber::StrideWidth) - of(ImageNumber::Left) +
                      element % of(ImageNumber::FilterWidth) * of(ImageNumber::DilationWidth);
    if (y < 0 || y >= of(ImageNumber::Height) || x < 0 || x >= of(ImageNumber::Width))
      return -1;
    return block / elements() * places() + y * of(ImageNumber::Width) + x;
  }

  /// The blocks of channels before that of the first column, whose blocks have `width` channels.
  int64_t blocksBefore(int64_t width) const { return of(ImageNumber::FirstColumn) / width / elements(); }

private:
  static int64_t windows(int64_t padded, int64_t filter, int64_t dilation, int64_t stride) {
    const int64_t rest = padded - dilation * (filter - 1) - 1;
    return rest < 0 ? 0 : rest / stride + 1;
  }
};

/// An instruction that was issued or performed. Times are cycles since the launch.
struct SimInstruction {
  const PipeInstruction *instruction = nullptr;
  uint32_t index = 0; ///< in the program's instructions
  int64_t block = 0;
  int64_t sequence = 0; ///< order of issue among all pipes of a launch, from 0
  int64_t count = 0;
  int64_t rows = 1;
  int64_t depth = 0; ///< mmad: k
  int64_t flagId = 0;
  uint64_t scalar = 0; ///< register bits
  uint64_t pad = 0;
  int64_t padBefore = 0; ///< loads: elements of padding before each row
  int64_t padAfter = 0;  ///< loads: elements of padding after each row, if they matter
  int64_t cached = 0;    ///< loads: bytes that L2 has, if it is modelled
  SimImage image;        ///< load_im2col

  int64_t dispatched = 0; ///< when the scalar unit issued it
  int64_t start = 0;
  int64_t end = 0;      ///< when the pipe may start its next instruction
  int64_t complete = 0; ///< when its effects are visible; after `end` on pipes that do not complete in order

  static constexpr unsigned kMaxAccesses = 6; // a select: 4; a merge: 5
  unsigned numAccesses = 0;
  SimAccess accesses[kMaxAccesses]; ///< destination, sources, scratch, if present
};

class SimObserver {
public:
  virtual ~SimObserver() = default;
  /// A block starts, with a fresh unified buffer and cleared flags.
  virtual bool blockStarts(int64_t block, int64_t cycle) { return true; }
  /// The scalar unit issues an instruction; times after `dispatched` are not known yet.
  virtual bool issued(const SimInstruction &instruction) { return true; }
  /// A pipe starts an instruction; a wait starts when its flag has been set. Calls are in the order of each pipe, and
  /// a wait comes after its set.
  virtual bool starts(const SimInstruction &instruction) { return true; }
  /// A pipe performs an instruction; its effect on memory follows this call. Calls are in the order of time; a wait
  /// is performed when its flag has been set, though its pipe may have been waiting long before.
  virtual bool performs(const SimInstruction &instruction) { return true; }
  /// All pipes of the block are idle.
  virtual bool blockEnds(int64_t block, int64_t cycle) { return true; }
  /// All blocks have ended.
  virtual bool launchEnds() { return true; }
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_OBSERVER_H
