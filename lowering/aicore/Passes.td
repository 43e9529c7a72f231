//===- Passes.td - from placed to synced, and the verifiers of the phases -----===//
//
// Each pass lowers the kernels of the preceding phase and leaves the others unchanged; each verifier rejects kernels
// that break the invariant of its phase. lowering/pipelines defines the order.

#ifndef OPC_LOWERING_AICORE_PASSES_TD
#define OPC_LOWERING_AICORE_PASSES_TD

include "mlir/Pass/PassBase.td"

class AICore_Pass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::opc::aicore::AICoreDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

/// A pass that depends on the chip.
class AICore_TargetPass<string argument> : AICore_Pass<argument> {
  let options = [
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
  ];
}

//===----------------------------------------------------------------------===//
// Passes that lower
//===----------------------------------------------------------------------===//

def MeasurePass : AICore_TargetPass<"aicore-measure"> {
  let summary = "computes the resource usage of each fused instance";
  let description = [{
    For each instance of a te body at phase `fused`, the pass builds the tile program: the values of the body and the
    intrinsics that compute them, with functions that the chip lacks expanded. It attaches the resource usage of the
    tile program to the instance as `#aicore.needs`. The schedule of the instance is chosen from it.

    * (place_c1) the target has the intrinsics that the body requires
    * (place_c2) an instance has one to three loops, and its tensors have names
    * (place_c3) the body consists of ops that can be lowered to kernels
    * (place_c5) the vector unit supports the element type of each tensor
  }];
}

def PlacePass : AICore_TargetPass<"aicore-place"> {
  let summary = "lowers each fused instance that has a schedule to a kernel with buffers, DMA and intrinsics";
  let description = [{
    Lowers `fused` to `placed`. The pass creates loops over tiles, buffers in UB, DMA and intrinsics as
    `#aicore.schedule` specifies. Intrinsics share temporary buffers.

    * (place_c4) an instance has a schedule; that of a matrix product has whole fractals, at most 512 rows and columns
  }];
  let statistics = [
    Statistic<"numPlaced", "placed", "kernels created">,
  ];
}

def SpecializePass : AICore_Pass<"aicore-specialize"> {
  let summary = "propagates the constants of a static operator's tiling function into its kernels";
  let description = [{
    For kernels of phase `placed`. If the tiling function returns a constant for a field of the tiling data, reads of
    this field become the constant. Reads of fields that depend on the launch do not change.

    ```mlir
    %length = aicore.tiling_data "tile_length" min 1 max 1024 : index     // the function returns 1024
    // becomes
    %c1024 = arith.constant 1024 : index
    ```
  }];
  let statistics = [
    Statistic<"numFields", "fields", "reads of tiling data that became constants">,
  ];
}

def ExpandMultiplyPass : AICore_TargetPass<"aicore-expand-multiply"> {
  let summary = "replaces products of matrices in L1 by steps of k: loads to L0A and L0B, and mmad";
  let description = [{
    For kernels of phase `placed`. Each `aicore.multiply` becomes a loop over parts of k with buffers in L0A and L0B.
    The part is the largest power of two, up to 512, for which both operands fit L0A and L0B twice; if all of k is one
    part, there is no loop. Each step has the location of the op.

    * (expand_c1) the operands are views of a buffer, of a constant length
    * (expand_c2) m, k and n are known to be within the limits of `mmad`, and L0A and L0B have room for two parts of k
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "products expanded">,
  ];
}

def RotatePass : AICore_Pass<"aicore-rotate"> {
  let summary = "multi-buffering: gives every buffer that DMA touches two slots, selected by a running tile counter";
  let description = [{
    Lowers `placed` to `rotated`. All buffers move to the entry of the kernel and keep their names. A buffer in a loop
    that DMA reads or writes gets two slots (double buffering). Iteration i uses slot i mod 2, so that one tile is
    loaded while another is computed. Buffers that only the vector unit touches do not change, because pipe `v` works on
    one tile at a time.

    In a loop nest, the counter runs through the outer loops if the trip count of the inner loop is the same in every
    iteration. Otherwise, the buffers of the inner loop keep one slot. If the schedule has `prefetch`, a loop whose
    tiles the scalar unit reads loads the next tile before it computes the current one.

    * (rotate_c1) buffers are accessed through subviews of rank 1 and stride 1

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
    Statistic<"numHoisted", "hoisted", "buffers moved to the kernel's entry unchanged">,
    Statistic<"numPrefetched", "prefetched", "loops that load the next tile first">,
  ];
}

def PlanPass : AICore_TargetPass<"aicore-plan"> {
  let summary = "gives every buffer an address in UB";
  let description = [{
    Lowers `rotated` to `planned`. Buffers that are not live at the same time may share bytes; an elementwise intrinsic
    may overwrite a source that is not read afterwards. The planner tries first fit in the order of the buffers, then
    first fit with larger buffers first, and then an exact search, which finds a plan if one exists.

    A buffer that DMA touches is live throughout the outermost loop that uses it, because its pipe may run ahead. If no
    plan with these live ranges fits, such a buffer shares bytes with other buffers of its loop, and pipes wait for each
    other. The planner then separates the pairs of buffers that cost the most cycles by the target's cost model, as long
    as it finds a plan. Two buffers at the same address remain two buffers.

    * (ub_c1) buffers that are live at the same time fit UB
    * (plan_c4) buffers of another memory that are live at the same time fit that memory; it has a plan of its own
    * (unroll_c2) a kernel has at most 512 buffers

    Before: `aicore.buffer "x" : ...`; after: `aicore.buffer "x" at 32768 : ...`.
  }];
  let statistics = [
    Statistic<"numPlanned", "planned", "buffers that got an address">,
    Statistic<"bytesShared", "shared-bytes", "bytes saved by sharing">,
    Statistic<"numSearched", "searched", "kernels for which first fit found no plan">,
    Statistic<"numWaiting", "waiting", "kernels in which pipes wait for shared bytes">,
  ];
}

def InsertSyncPass : AICore_TargetPass<"aicore-insert-sync"> {
  let summary = "inserts the flags and barriers that the dependences between addresses require";
  let description = [{
    Lowers `planned` to `synced`. The pass finds every dependence by address, with its distance in iterations, and
    removes the dependences that others imply (transitive reduction). It orders the rest by a flag between two pipes, or
    by a barrier within a pipe that does not complete in order. For two pipes without a flag on this chip, FIX and V or
    MTE3 and FIX, two flags through MTE1 order them. With `fix-to-v=direct`, FIX and V have flags of their own, as if the
    chip had them, and the kernel says so (`aicore.fix_to_v`). A flag of distance d is set d times before the loop and
    waited for d times after it. No pass but `aicore-join-nests` runs after this one.

    The flags of a region have no redundant synchronisation: no flag orders accesses that the other flags already order.
    With `explain`, a remark for each flag and barrier names the two accesses that it orders and their distance in
    iterations. With `portable`, the vector pipe gets barriers as well, for chips on which it does not complete in
    order.

    * (event_c1) the flags of a pair of pipes fit the event ids of the target
    * (unroll_c2) a region has at most 512 DMA ops, intrinsics, loops and branches

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
  let options = [
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
    Option<"explain", "explain", "bool", "false", "emit a remark for each flag and barrier with what it orders">,
    Option<"portable", "portable", "bool", "false", "insert barriers for the vector pipe, which other chips need">,
    Option<"fixToV", "fix-to-v", "opc::FixToV", "opc::FixToV::Relay", "how FIX and V are ordered", [{
      ::llvm::cl::values(clEnumValN(opc::FixToV::Relay, "relay", "two flags through MTE1"),
                         clEnumValN(opc::FixToV::Direct, "direct", "a flag that no source shows the chip to have"))
    }]>,
  ];
  let statistics = [
    Statistic<"numDependences", "dependences", "dependences by address">,
    Statistic<"numFlags", "flags", "flags inserted">,
    Statistic<"numBarriers", "barriers", "barriers inserted">,
  ];
}

def JoinNestsPass : AICore_TargetPass<"aicore-join-nests"> {
  let summary = "joins the nests of a launch into one kernel";
  let description = [{
    A body with ranges of tensors, or with reductions of different dimensions, has several nests (`te.nest`). Each nest
    is a separate kernel up to the last verifier. This pass, which only emission needs, puts their bodies into one
    kernel in the order of the module: a nest may read results of nests before it. Between two nests there is a full
    wait: every pipe begins a nest after all pipes have ended the one before, so the plan and the proof of each nest
    remain valid. The flags of the wait use the last event id of a pair of pipes, which nests do not use. A nest whose
    field `runs_n` is 0 is skipped. Other kernels do not change.

    Before:

    ```mlir
    func.func @concat_n0(%a_gm, %y_gm) {te.nest = 0} { ... }
    func.func @concat_n1(%b_gm, %y_gm) {te.nest = 1} { ... }
    ```

    After:

    ```mlir
    func.func @concat(%a_gm, %b_gm, %y_gm) {
      scf.if %runs_n0 { ... }
      aicore.set_flag mte2 -> v ...
      aicore.wait_flag mte2 -> v ...
      ...
      scf.if %runs_n1 { ... }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

def VerifyTilingPass : AICore_Pass<"aicore-verify-tiling"> {
  let summary = "verifies that the host can run tiling functions and that their results are those that kernels rely on";
  let description = [{
    * (tiling_c5) a tiling function is a straight line of arith.constant, addi, subi, muli, floordivsi, ceildivsi,
      remsi, minsi, maxsi, select, and cmpi slt or eq, on index
    * (tiling_c6) divisors are known to be at least 1
    * (tiling_c7) a result is known to be between the `min` and `max` that kernels state in `aicore.tiling_data`
    * (tiling_c8) `block_num` is known to be at least 1
    * (tiling_c9) a result is known to be one of the `cases` that kernels state in `aicore.tiling_data`

    A property is known if it follows from the value ranges, given that sizes are not negative: `arith.maxsi %n, %c1` is
    known to be at least 1.
  }];
}

def VerifyTiledPass : AICore_TargetPass<"aicore-verify-tiled"> {
  let summary = "verifies that schedules fit UB and that instances have tiling functions";
  let description = [{
    * (tiled_c1) each instance belongs to a shape key of the contract (checked when schedules are chosen)
    * (tiled_c2) a tile of 256 elements fits UB (checked when schedules are chosen)
    * (tiled_c3) the tile, the rows and the slots of a schedule fit UB
    * (tiled_c4) an instance has `#aicore.needs`, a schedule, a tiling key and a tiling function
    * (tiled_c5) the tiling function is in the module and returns `block_num` and `tiling_key`
    * (tiled_c6) tiling keys are distinct

    The verifier ignores instances without `#aicore.needs` and schedule, which are still at `fused`.
  }];
}

def VerifyPlacedPass : AICore_TargetPass<"aicore-verify-placed"> {
  let summary = "verifies the invariant of phase placed";
  let description = [{
    * (placed_c1) the operations are scalar arithmetic, scf.for and scf.if, subviews, and ops of aicore; flags and
      barriers are allowed from phase `synced` on
    * (placed_c2) the types are scalars of index or a number type, and memrefs of numbers in a memory of the
      dialect
    * (placed_c3) a kernel states its phase, and has reached the phase to be verified
    * (placed_c4) operands in memory are subviews of stride 1 of a buffer or of an argument of the kernel
    * (placed_c5) loops count from 0 by 1 and carry no values; branches yield no values; at most 8 of them are nested
    * (placed_c6) the target has each intrinsic for its types
    * (placed_c7) the target has each cast with its rounding mode
    * (placed_c8) if tiles of an op have the same length, this length is one SSA value
    * (placed_c9) a view is within its buffer: constant bounds of its offset and length prove it, or that it has one or
      some of the rows of a tile, or a part of such a view
    * (placed_c10) buffers have neither slots nor addresses before the phases that assign them
    * (placed_c11) buffers of a kernel have distinct names
    * (placed_c12) a reduction has the scratch tile that the target requires
    * (placed_c13) a comparison touches whole repeats of 256 bytes, and its buffers have room for them
    * (placed_c14) the number and the length of the rows of a copy do not exceed the limits of the target
    * (placed_c15) an access of a pipe to UB starts at a multiple of 32 bytes, and one to another memory at its alignment
    * (placed_c16) the size of a buffer is a multiple of 32 bytes, or of the alignment of its memory
    * (placed_c17) a kernel names a tiling function and reads only its results as tiling data
    * (placed_c18) the one-dimensional tile of a copy with a stride has rows * stride elements
    * (placed_c19) lengths are known to be multiples of the number of elements that an intrinsic processes at once;
      lists of a merge have no more pairs than the target merges
    * (placed_c20) if a result has another length than its source, the destination has room for all results
    * (placed_c21) an intrinsic that moves elements to other positions does not overwrite its sources
    * (placed_c22) in the form for rows, the tile and the blocks are known to have the same number of rows
    * (placed_c23) what an op of the cube touches is known to lie within its tiles: sizes are known not to be negative and
      to have an upper bound, and rows are known to be at most the height, or the stride, of their tile
    * (placed_c24) sizes of an op of the cube do not exceed the limits of the target's calls
    * (placed_c25) in a reduction of rows, the tile and the results are known to be whole rows of whole blocks, at least
      one; a row is known to contain the elements that are reduced, at least one, and the scratch is as long as the tile
    * (placed_c26) the m of a product is known not to be 1, with which the chip reads the left operand as a row

    Later phases keep these rules.
  }];
}

def VerifyRotatedPass : AICore_TargetPass<"aicore-verify-rotated"> {
  let summary = "verifies the invariant of phase rotated";
  let description = [{
    * (rotated_c1) buffers are at the entry of the kernel
    * (rotated_c2) a view of a buffer with slots selects one slot: `[%slot, offset] [1, length] [1, 1]`
    * (rotated_c3) the slot is known to be a slot of the buffer
    * (rotated_c4) DMA touches each buffer with slots
  }];
}

def VerifyPlannedPass : AICore_TargetPass<"aicore-verify-planned"> {
  let summary = "verifies the addresses of buffers";
  let description = [{
    * (plan_c1) every buffer has an address
    * (plan_c2) an address is a multiple of 32, or of the alignment of the buffer's memory
    * (plan_c3) buffers that are live at the same time have no byte in common; an elementwise intrinsic may overwrite a
      source of the same width that is not read afterwards
    * (ub_c2) buffers end within UB, or within the memory that they are in

    The verifier computes live ranges independently of the planner, backwards from each read.
  }];
}

def VerifySyncedPass : AICore_Pass<"aicore-verify-synced"> {
  let summary = "verifies that flags and barriers order all dependent accesses";
  let description = [{
    The verifier covers all trip counts that can show new behaviour. It follows the pipes as a network of queues with
    vector clocks and tracks which op wrote each byte. It shares no code with the planner or the sync inserter.

    Two ops of a pipe that completes in order need no barrier between them; a barrier there has no effect, and a remark
    reports it. With `portable`, the vector pipe is treated as a pipe that does not complete in order.

    * (sync_c1) accesses to the same byte, one of them a write, are ordered by flags or barriers
    * (sync_c2) a byte that is read was last written through the same buffer, by the op that writes it last in program
      order
    * (sync_c3) a byte that is read was written before
    * (sync_c4) a flag is set only if the wait for its previous set is certain to be over
    * (sync_c5) every set is waited for
    * (sync_c6) every wait is satisfied: there is no deadlock
    * (sync_c7) event ids are those of the target, which has flags between the two pipes; between FIX and V only a kernel
      with `aicore.fix_to_v = "direct"` has them
    * (sync_c8) branches, event ids and slots depend only on constants, on tiling data with `cases`, and on loop
      counters by remainders and comparisons with these
    * (unroll_c1) a kernel is small enough to be unrolled
  }];
  let options = [
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
    Option<"portable", "portable", "bool", "false", "require barriers for the vector pipe, as on other chips">,
  ];
}

#endif // OPC_LOWERING_AICORE_PASSES_TD
