// One fused instance on its way to a placed kernel, shared by the passes aicore-measure and aicore-place.
//
//   measure   reads the body into a tile program and computes its resource usage
//   place     reads it again, now with a schedule, and writes the kernel
//
// Loops and tiles are written by hand from the tile program, not by tiling and bufferisation patterns. A fused body
// is a chain of generics over at most three loops of known kinds. The difficult parts (rows aligned to 32 bytes,
// padding, scalars of rows, invariants before the loops, results in place of inputs) are not what tiling and
// bufferisation do, and several depend on the order in which the ops are written. docs/rationale/tiling-keys.md
// compares the two.

#ifndef OPC_LOWERING_AICORE_PLACE_PLACEMENT_H
#define OPC_LOWERING_AICORE_PLACE_PLACEMENT_H

#include "lowering/aicore/place/program/FusedBody.h"
#include "lowering/aicore/place/writer/KernelForms.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc::aicore {

/// Instances of te bodies at phase `fused`, in the order of the module.
llvm::SmallVector<mlir::func::FuncOp> fusedInstancesOf(mlir::ModuleOp module);

/// A fused instance that is being placed.
class Placement {
public:
  Placement(mlir::func::FuncOp fused, const Target &target) : fused(fused), target(target) {}
  ~Placement() {
    if (kernel && !kernel->getBlock())
      kernel.erase();
  }

  /// Makes the frame of the kernel, the tile program and the homes.
  mlir::LogicalResult read(bool alias, ElementType expansion);
  /// Repeats buffer assignment.
  void assign(bool alias) { homes = assignHomes(program, shape, inPasses, alias, target); }
  TileNeeds needs() const;
  /// Of what computes an operand of a product; nullopt if nothing does.
  std::optional<TileNeeds> operandNeeds(bool isRight) const;
  /// The names of the tensors whose lines are loaded whole, from the function's attribute.
  llvm::SmallVector<llvm::StringRef> lines();
  /// Whether the program depends on the expansion type.
  bool hasExpansions();
  /// Writes the loops and replaces the instance by the kernel.
  mlir::LogicalResult write(ScheduleAttr schedule);

private:
  void shareCasts();
  ScheduleAttr scheduleOfPiece(ScheduleAttr schedule, const TileNeeds &needs) const;

  mlir::func::FuncOp fused, kernel;
  const Target &target;
  KernelShape shape;
  TileProgram program;
  std::vector<Prologue> prologues;
  Homes homes;
  bool inPasses = false;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PLACEMENT_H
