// A kernel compiled for being walked many times: the computations of loop bounds, branches, event ids and addresses,
// as steps over numbered slots, and nothing else.
//
//   %rest = arith.subi %size, %base            numbers[7] = numbers[2] - numbers[4]
//   scf.for %i = %c0 to %rows step %c1         a body, its counter in numbers[9]
//     aicore.vadd ins(%a, %b) outs(%y)         an instruction with three accesses
//
// The slots of constants, tiling data and the block index are set before the first step: tiling data with `cases` to
// the case of the walk, others to their `max`, or to a large number if they have none. A slot that is never set is
// unknown.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_KERNELPROGRAM_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_KERNELPROGRAM_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <vector>

namespace opc::aicore::proof {

/// An index; nullopt if it is unknown.
using Number = std::optional<int64_t>;

/// As a 64-bit number; nullopt if it does not fit.
inline Number fitted(__int128 value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(value);
}

/// The index of a number in a program.
using Slot = unsigned;
inline constexpr Slot kNoSlot = ~0u;

/// A buffer or a tensor.
struct Home {
  mlir::Value memref;
  bool inUB = false;
  int64_t begin = 0, end = INT64_MAX; ///< bytes of UB, or of the tensor
  int64_t slots = 1, slotBytes = 0, capacity = 0;
  unsigned firstSlot = 0; ///< among the slots of all buffers
  /// Another buffer has some of its bytes, and accesses of one of the two move (AccessPlan::moves).
  bool isCrowded = false;
};

/// The part of a home that an op accesses.
struct AccessPlan {
  unsigned number = 0; ///< among the accesses of all instructions
  unsigned home = 0;
  bool reads = false, writes = false;
  int64_t elementBytes = 1;
  /// The offset in elements is the sum of these, if `hasOffset` is set; otherwise it is unknown.
  llvm::SmallVector<Slot, 2> offsets;
  bool hasOffset = true;
  Slot length = kNoSlot; ///< in elements
  Slot slot = kNoSlot;   ///< of the buffer
  /// The buffer is divided into rows; `row` is the counter of the loop over rows, to which `behindFirst` adds 1.
  bool ofRows = false;
  Slot row = kNoSlot;
  unsigned rowLoop = 0;
  bool behindFirst = false;
  /// The offset or the length depends on counters or bounds of loops: for trip counts that no walk has, the access
  /// may be anywhere in its slot.
  bool moves = false;
};

/// An op that is issued to a pipe.
struct Instruction {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  mlir::Operation *op = nullptr;
  Pipe pipe = Pipe::S;
  Pipe other = Pipe::S; ///< of a flag: the waiting pipe of a set, the setting pipe of a wait
  Slot id = kNoSlot;    ///< of a flag
  std::vector<AccessPlan> accesses;
};

/// A field of the tiling data with `cases`. All its reads have the same value in a walk.
struct Field {
  std::string name;
  llvm::SmallVector<int64_t> cases;
  llvm::SmallVector<Slot, 2> slots;
};

struct Step {
  enum Kind {
    // result = a op b, as of arith
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Compare,
    Copy,
    Select, ///< a ? b : c
    // Control
    Bound,  ///< result is a bound: set to the trip count that the caller chooses
    Loop,   ///< a: bound, result: counter, index: of the loop
    Branch, ///< a: condition, index: of the branch
    Issue,  ///< index: of the instruction
  } kind;
  mlir::arith::CmpIPredicate predicate = mlir::arith::CmpIPredicate::eq;
  Slot result = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  unsigned index = 0;

  /// Whether a step has one outcome and no body.
  bool isInline() const { return kind != Loop && kind != Branch && kind != Bound; }
};

struct Body {
  std::vector<Step> steps;
  size_t ops = 0; ///< ops of the block, including those that no step needs
};

class KernelProgram {
public:
  explicit KernelProgram(mlir::func::FuncOp kernel);

  struct Loop {
    mlir::scf::ForOp op;
    Body body;
    bool constant; ///< its bound is a constant
  };
  struct Branch {
    mlir::scf::IfOp op;
    Body taken, other;
  };

  Body body;
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<Instruction> instructions;
  std::vector<Home> homes;
  unsigned accesses = 0, slots = 0; ///< numbers of accesses and of slots
  std::vector<Number> numbers;      ///< of all slots, before the first step
  std::vector<mlir::Value> bounds;  ///< of Bound steps, by their index
  std::vector<Field> fields;        ///< with `cases`
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_KERNELPROGRAM_H
