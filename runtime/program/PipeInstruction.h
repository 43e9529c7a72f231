// An instruction of a pipe in a simulator program. It has a separate header because kernels in Ascend C include it: it
// declares no name outside its namespace.

#ifndef OPC_RUNTIME_PROGRAM_PIPEINSTRUCTION_H
#define OPC_RUNTIME_PROGRAM_PIPEINSTRUCTION_H

#include "runtime/target/ElementType.h"
#include "runtime/target/Enumerations.h"
#include "runtime/target/IntrinsicForm.h"
#include "runtime/target/Memories.h"

namespace opc {

inline constexpr uint16_t kNoRegister = 0xffff;
inline constexpr uint16_t kNoBuffer = 0xffff;

/// One memory operand. UB: register `address` holds the byte address; instructions of the cube and of its copies use
/// the same kind of operand for L1, L0A, L0B and L0C, in the window of the memory (Memories.h). GM: register `address`
/// holds the byte offset from the start of tensor `tensor`.
struct ProgramOperand {
  enum Space : uint8_t { None = 0, UB = 1, GM = 2 };
  Space space = None;
  ElementType type = ElementType::UInt8;
  uint16_t buffer = kNoBuffer;    ///< UB: index into buffers, the logical buffer
  uint16_t tensor = 0;            ///< GM: position among inputs, then outputs
  uint16_t address = kNoRegister; ///< register
  uint16_t stride = kNoRegister;  ///< copies: register with the bytes from the start of a row to the next; none for
                                  ///< one row
  /// Register with the number of elements of the operand where the instruction's count does not determine it: each
  /// list of a merge, the tile that a scatter writes into or a gather reads from. Without it the tile of a gather
  /// extends to the end of its slot. In the destination of a load: the elements of padding before each row; in its
  /// source: those after each row, if they extend into another block or have no value. At most 32 bytes each. In the
  /// first source of a compare: the lanes of a vector that it compares, as many as its count; the bits of the others
  /// are undefined. Without it a compare processes whole vectors. In source and destination of a reduction of rows: the
  /// elements of all rows; each row is this number divided by the number of rows.
  uint16_t length = kNoRegister;
};

/// The results of a reduction to the largest or smallest element: the element, its index in the tile, or both. The
/// index counts from 0, is stored in bits of the element's width, and is that of the first among equal elements.
enum class ReduceIndex : uint8_t { None = 0, ValueIndex = 1, IndexValue = 2, OnlyIndex = 3 };

/// The numbers of an image-to-column load: the part of the matrix of windows, and the image in L1. In elements of the
/// matrix, channels, and places of the image.
enum class ImageNumber : uint8_t {
  FirstRow,
  FirstColumn,
  Channels,
  Height,
  Width,
  Top, ///< pads
  Bottom,
  Left,
  Right,
  FilterHeight,
  FilterWidth,
  StrideHeight,
  StrideWidth,
  DilationHeight,
  DilationWidth
};
inline constexpr unsigned kNumImageNumbers = 15;

struct PipeInstruction {
  enum Kind : uint8_t {
    Load = 0,
    Store = 1,
    Vector = 2,
    SetFlag = 3,
    WaitFlag = 4,
    Barrier = 5,
    ScalarRead = 6,
    ScalarWrite = 7, ///< `scalar` is the value; the destination is in UB or GM, as is the source of a read
    ScalarWork = 8,  ///< the place of scalar code of which only the number of instructions is known (ScalarOp::Work)
    /// GM to L1, from rows to fractals in Nz: `rows` rows of `count` elements. The source's stride leads from row to
    /// row, the destination's from one column of fractals to the next. The last 32 bytes of a row are filled with 0.
    /// On pipe MTE3 the same from UB, with whole blocks of 32 bytes.
    LoadNz = 9,
    Fill = 10, ///< L1: `rows` times `count` blocks of 32 bytes, a stride apart, are set to `scalar`
    /// L1 to L0A or L0B: `rows` fractals, a stride apart in the source and in the destination; each is transposed if
    /// `transposed` is set. Bytes are transposed in squares of 32 x 32 and elements of 32 bits in squares of 16 x 16,
    /// which are two fractals one after the other in the source and in the destination (repeatBytes). On the way to
    /// L0B the second fractals of squares of 32 bits follow the first ones of all squares (splitsSquares).
    LoadFractals = 11,
    /// L0C = L0A * L0B, added to the contents of L0C unless `scalar` is 1: m is `rows`, n `count`, k `depth`. Operands
    /// are whole fractals. If there is a third source, in the bias table, new sums start at the bias of their column.
    Mmad = 12,
    /// L0C to UB or GM: `rows` rows of `count` elements, converted; the source's stride leads from one column of
    /// fractals to the next, the destination's from row to row. If there is a second source, in L1, i32 becomes f16,
    /// multiplied by the scale of its column. If `packed` is set, columns of fractals are copied to GM; the
    /// destination's stride leads from one to the next.
    Fixpipe = 13,
    /// Windows of an image in L1 to L0A: `rows` rows of `count` elements of the matrix of windows, both whole fractals.
    /// `image` says which, and `pad` what an element of padding is.
    LoadIm2col = 14,
    LoadBias = 15 ///< L1 to the bias table: `count` units of 64 bytes
  };
  Kind kind = Barrier;
  Pipe pipe = Pipe::S;           ///< the pipe that performs it; for SetFlag the setting, for WaitFlag the waiting pipe
  Pipe other = Pipe::S;          ///< flags: the pipe at the other end
  uint16_t flagId = kNoRegister; ///< flags: register with the event id
  Intrinsic intrinsic{};         ///< Vector
  RoundingMode rounding = RoundingMode::None;
  CompareMode compare = CompareMode::Lt;
  ProgramOperand destination;
  GatherPattern pattern = GatherPattern::All;
  /// In the order of the intrinsic's form; select: mask, src0, src1; gather: src, offsets.
  ProgramOperand sources[kMaxSources];
  ProgramOperand scratch;
  uint16_t scalar = kNoRegister; ///< register with the scalar operand, or the value that a scalar write stores: f32
                                 ///< bits for float types, else an integer
  uint16_t count = kNoRegister;  ///< register: elements of the destination, or of the source for forms with
                                 ///< countsSource(); none for a merge; copies: of a row
  uint16_t rows = kNoRegister;   ///< copies: register with the number of rows; none for one; vreduce_sum, vreduce_max
                                 ///< and vreduce_min: the number of rows, each of which is reduced, `count` elements
                                 ///< of it; without it the whole source is reduced
  uint16_t depth = kNoRegister;  ///< Mmad: register with k
  bool atomicAdd = false;        ///< Store: adds into GM
  bool transposed = false;       ///< LoadFractals: each fractal on its way
  bool packed = false;           ///< LoadNz, Fixpipe: copies columns of fractals as they are
  bool relu = false;             ///< Fixpipe: negative results become 0
  /// Vector: lanes of a wider call, selected by a mask or a stride. Operands may start at any element; otherwise they
  /// start at a block of 32 bytes.
  bool partial = false;
  /// Vector: vreduce_max, vreduce_min, vreduce_repeat_max, vreduce_repeat_min.
  ReduceIndex index = ReduceIndex::None;
  /// LoadFractals: the bytes of one repeat.
  int64_t repeatBytes() const {
    return transposed && elementSize(sources[0].type) != 2 ? 2 * kFractalBytes : kFractalBytes;
  }
  /// LoadFractals: whether the two fractals of a square are `rows` fractals apart in the destination.
  bool splitsSquares(Memory to) const { return transposed && elementSize(sources[0].type) == 4 && to == Memory::L0B; }
  uint16_t pad = kNoRegister; ///< Load: register with the value that fills a row up to 32 B; none leaves
                              ///< these bytes undefined. LoadIm2col: the value of padding
  /// LoadIm2col: registers, by ImageNumber; kNoRegister for all other instructions.
  uint16_t image[kNumImageNumbers] = {kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister,
                                      kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister,
                                      kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  uint16_t &imageRegister(ImageNumber number) { return image[static_cast<unsigned>(number)]; }
  uint16_t location = 0;
};

/// Whether an instruction is of the cube or of its copies: its operands on the chip may be outside of UB.
inline bool isOfCube(PipeInstruction::Kind kind) {
  return kind >= PipeInstruction::LoadNz && kind <= PipeInstruction::LoadBias;
}

/// Whether results are pairs of a value and its index.
inline bool hasPairs(ReduceIndex index) {
  return index == ReduceIndex::ValueIndex || index == ReduceIndex::IndexValue;
}

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_PIPEINSTRUCTION_H
