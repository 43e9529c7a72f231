//===- Passes.td - from placed to synced, and the fences between ------------===//
//
// Each pass takes the kernels of the phase before its own and leaves the others alone; each verifier refuses what breaks
// the invariant of its phase. The order stands in lowering/pipelines.

#ifndef OPC_LOWERING_AICORE_PASSES_TD
#define OPC_LOWERING_AICORE_PASSES_TD

include "mlir/Pass/PassBase.td"

class AICore_Pass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::opc::aicore::AICoreDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

/// A pass that asks the chip.
class AICore_TargetPass<string argument> : AICore_Pass<argument> {
  let options = [
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
  ];
}

//===----------------------------------------------------------------------===//
// Passes that lower
//===----------------------------------------------------------------------===//

def RotatePass : AICore_Pass<"aicore-rotate"> {
  let summary = "gives every buffer that DMA touches two slots, chosen by a running tile counter";
  let description = [{
    From `placed` to `rotated`. All buffers move to the entry of the kernel, where they keep their identity. A buffer that
    stood in a loop and that DMA reads or writes becomes two slots; iteration i uses slot i mod 2, so that one tile is
    loaded while another is computed. What the vector unit alone touches stays as it is: pipe `v` works on one tile at a
    time. In a nest the counter runs on through the outer loops, provided the inner trip counts are the same each time;
    a buffer of a loop whose trip count is not keeps one slot.

    * (rotate_c1) buffers are reached through subviews of rank 1 and stride 1

    Before:

    ```mlir
    scf.for %tile = %c0 to %tile_num step %c1 {
      %x = aicore.buffer "x" : memref<8192xf16, #aicore.space<ub>>
      %x_ub = memref.subview %x[0] [%count] [1] : memref<8192xf16, #aicore.space<ub>> to memref<?xf16, strided<[1]>, #aicore.space<ub>>
    ```

    After:

    ```mlir
    %x = aicore.buffer "x" : memref<2x8192xf16, #aicore.space<ub>>
    scf.for %tile = %c0 to %tile_num step %c1 {
      %slot = arith.remsi %tile, %c2 : index
      %x_ub = memref.subview %x[%slot, 0] [1, %count] [1, 1] : memref<2x8192xf16, #aicore.space<ub>> to memref<?xf16, strided<[1], offset: ?>, #aicore.space<ub>>
    ```
  }];
  let statistics = [
    Statistic<"numRotated", "rotated", "buffers that got slots">,
    Statistic<"numHoisted", "hoisted", "buffers moved to the kernel's entry as they are">,
  ];
}

def PlanPass : AICore_TargetPass<"aicore-plan"> {
  let summary = "gives every buffer an address in UB";
  let description = [{
    From `rotated` to `planned`. First fit in the order of the buffers; where that does not fit, larger buffers first.
    A buffer that DMA touches lives through the outermost loop that uses it, since its pipe may run ahead; a buffer of the
    vector unit alone lives from its first to its last use in an iteration, and shares bytes with others that do not live
    then. Identity stays: two buffers at one address are two buffers.

    * (ub_c1) what lives at one time fits UB

    Before: `aicore.buffer "x" : ...`; after: `aicore.buffer "x" at 32768 : ...`.
  }];
  let statistics = [
    Statistic<"numPlanned", "planned", "buffers that got an address">,
    Statistic<"bytesShared", "shared-bytes", "bytes saved by buffers that share">,
  ];
}

def InsertSyncPass : AICore_TargetPass<"aicore-insert-sync"> {
  let summary = "inserts the flags and barriers that the addresses call for";
  let description = [{
    From `planned` to `synced`. Finds every dependence by address with its distance in iterations, drops those that others
    imply, and orders the rest: a flag between two pipes, a barrier within a pipe that does not complete in order. A flag
    of distance d is set d times before the loop and waited for d times after it. No pass runs after this one.

    * (event_c1) the flags of a pair of pipes fit the event ids of the target

    Before:

    ```mlir
    aicore.load %x_gm -> %x_ub ...
    aicore.vrelu ins(%x_ub ...) outs(%y_ub ...)
    ```

    After:

    ```mlir
    aicore.wait_flag v -> mte2 [%slot]
    aicore.load %x_gm -> %x_ub ...
    aicore.set_flag mte2 -> v [%slot]
    aicore.wait_flag mte2 -> v [%slot]
    aicore.vrelu ins(%x_ub ...) outs(%y_ub ...)
    aicore.set_flag v -> mte2 [%slot]
    ```
  }];
  let statistics = [
    Statistic<"numDependences", "dependences", "dependences by address">,
    Statistic<"numFlags", "flags", "flags inserted">,
    Statistic<"numBarriers", "barriers", "barriers inserted">,
  ];
}

#endif // OPC_LOWERING_AICORE_PASSES_TD
