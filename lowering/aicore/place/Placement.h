// One fused instance on its way to a placed kernel: what the passes aicore-measure and aicore-place share.
//
//   measure   reads the body into a tile program and says what it needs of UB
//   place     reads it again, now with a schedule, and writes the kernel
//
// Loops and tiles are written directly from the tile program: a fused body is a chain of generics over at most
// three loops of known kinds, and what is hard about placing it (rows on 32 bytes, pads, row scalars, invariants
// before the loops, results in the place of inputs) is not what tiling and bufferisation do.
// docs/rationale/tiling-keys.md compares them.

#ifndef OPC_LOWERING_AICORE_PLACE_PLACEMENT_H
#define OPC_LOWERING_AICORE_PLACE_PLACEMENT_H

#include "lowering/aicore/place/FusedBody.h"
#include "lowering/aicore/place/KernelForms.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc::aicore {

/// Instances of te bodies at phase `fused`, in the order of the module.
llvm::SmallVector<mlir::func::FuncOp> fusedInstancesOf(mlir::ModuleOp module);

/// One instance on its way to a kernel.
class Placement {
public:
  Placement(mlir::func::FuncOp fused, const Target &target) : fused(fused), target(target) {}
  ~Placement() {
    if (kernel && !kernel->getBlock())
      kernel.erase();
  }

  /// Makes the kernel's frame, the tile program and the homes.
  mlir::LogicalResult read(bool alias, ElementType expansion);
  /// Assigns homes anew.
  void assign(bool alias) { homes = assignHomes(program, shape, inPasses, alias, target); }
  TileNeeds needs() const { return needsOf(program, homes, inPasses, target); }
  /// Whether another expansion type would be another program.
  bool hasExpansions();
  /// Writes the loops and puts the kernel in the place of the instance.
  mlir::LogicalResult write(ScheduleAttr schedule);

private:
  void shareCasts();

  mlir::func::FuncOp fused, kernel;
  const Target &target;
  KernelShape shape;
  TileProgram program;
  Homes homes;
  bool inPasses = false;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PLACEMENT_H
