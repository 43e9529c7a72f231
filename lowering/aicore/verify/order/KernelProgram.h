// A kernel made ready to be walked many times: what its loop bounds, branches, event ids and addresses follow from,
// as steps over numbered slots, and nothing else of it.
//
//   %rest = arith.subi %size, %base            numbers[7] = numbers[2] - numbers[4]
//   scf.for %i = %c0 to %rows step %c1         a body, its counter in numbers[9]
//     aicore.vadd ins(%a, %b) outs(%y)         an instruction with three accesses
//
// Constants, tiling data and the block's number have their slot from the beginning: tiling data with `cases` at the
// one that the walk is for, others at their `max`, or at a large value where they have none. A slot that nothing
// writes is not known.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_KERNELPROGRAM_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_KERNELPROGRAM_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <vector>

namespace opc::aicore::proof {

/// An index, or not known.
using Number = std::optional<int64_t>;

/// As 64-bit number; nullopt past them.
inline Number fitted(__int128 value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(value);
}

/// Where a number of a program stands.
using Slot = unsigned;
inline constexpr Slot kNoSlot = ~0u;

/// A buffer or a tensor.
struct Home {
  mlir::Value memref;
  bool inUB = false;
  int64_t begin = 0, end = INT64_MAX; ///< bytes of UB, or of the tensor
  int64_t slots = 1, slotBytes = 0, capacity = 0;
  unsigned firstSlot = 0; ///< among the slots of all buffers
};

/// What of a home an op touches.
struct AccessPlan {
  unsigned number = 0; ///< among those of all instructions
  unsigned home = 0;
  bool reads = false, writes = false;
  int64_t elementBytes = 1;
  /// Offset in elements: the sum of these, when it is one that can be known.
  llvm::SmallVector<Slot, 2> offsets;
  bool hasOffset = true;
  Slot length = kNoSlot; ///< in elements
  Slot slot = kNoSlot;   ///< of the buffer
  /// The buffer is cut into rows. One of them: the counter of the loop over rows, or one more.
  bool ofRows = false;
  Slot row = kNoSlot;
  unsigned rowLoop = 0;
  bool behindFirst = false;
};

/// An op for a pipe.
struct Instruction {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  mlir::Operation *op = nullptr;
  Pipe pipe = Pipe::S;
  Pipe other = Pipe::S; ///< of a flag: the waiting pipe of a set, the setting pipe of a wait
  Slot id = kNoSlot;    ///< of a flag
  std::vector<AccessPlan> accesses;
};

/// A field of the tiling data with `cases`: a walk has one of them everywhere it is read.
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
    Bound,  ///< result is a bound: whatever the caller wants
    Loop,   ///< a: bound, result: counter, index: of the loop
    Branch, ///< a: condition, index: of the branch
    Issue,  ///< index: of the instruction
  } kind;
  mlir::arith::CmpIPredicate predicate = mlir::arith::CmpIPredicate::eq;
  Slot result = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  unsigned index = 0;
};

struct Body {
  std::vector<Step> steps;
  size_t ops = 0; ///< of the block, also those that no step needs
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
  unsigned accesses = 0, slots = 0; ///< how many there are
  std::vector<Number> numbers;      ///< of all slots, as they are before the first step
  std::vector<mlir::Value> bounds;  ///< of Bound steps, by their index
  std::vector<Field> fields;        ///< with `cases`
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_KERNELPROGRAM_H
