//===- Passes.td - from placed to synced, and the fences between ------------===//
//
// Each pass takes the kernels of the phase before its own and leaves the others alone; each verifier refuses what
// breaks the invariant of its phase. The order stands in lowering/pipelines.

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

def MeasurePass : AICore_TargetPass<"aicore-measure"> {
  let summary = "says what each fused instance needs of UB";
  let description = [{
    Reads the body of each instance of a te body at phase `fused` into a tile program (values and the intrinsics that make
    them, with what the chip lacks expanded) and writes what it needs onto it as `#aicore.needs`. A schedule is chosen
    from that.

    * (place_c1) the target has the intrinsics that the body takes
    * (place_c2) an instance has one to three loops, tensors with names
    * (place_c3) the body consists of what kernels can be made of
    * (place_c5) the vector unit works on the elements of each tensor
  }];
}

def PlacePass : AICore_TargetPass<"aicore-place"> {
  let summary = "makes a placed kernel of each fused instance that has a schedule";
  let description = [{
    From `fused` to `placed`. Writes loops over tiles, buffers in UB, DMA and intrinsics over reused temporaries, as
    `#aicore.schedule` says.

    * (place_c4) an instance has a schedule
  }];
  let statistics = [
    Statistic<"numPlaced", "placed", "kernels made">,
  ];
}

def SpecializePass : AICore_Pass<"aicore-specialize"> {
  let summary = "puts the constants of a static operator's tiling function into its kernels";
  let description = [{
    For kernels of phase `placed`. A read of tiling data whose field the tiling function returns as a constant becomes that
    constant; fields that depend on the launch stay.

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

def RotatePass : AICore_Pass<"aicore-rotate"> {
  let summary = "gives every buffer that DMA touches two slots, chosen by a running tile counter";
  let description = [{
    From `placed` to `rotated`. All buffers move to the entry of the kernel, where they keep their identity. A buffer that
    stood in a loop and that DMA reads or writes becomes two slots; iteration i uses slot i mod 2, so that one tile is
    loaded while another is computed. What the vector unit alone touches stays as it is: pipe `v` works on one tile at a
    time. In a nest the counter runs on through the outer loops, provided the inner trip counts are the same each time;
    a buffer of a loop whose trip count is not keeps one slot. Where the schedule says `prefetch`, a loop whose tiles the
    scalar unit reads loads the next tile before it computes this one.

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
    Statistic<"numPrefetched", "prefetched", "loops that load the next tile first">,
  ];
}

def PlanPass : AICore_TargetPass<"aicore-plan"> {
  let summary = "gives every buffer an address in UB";
  let description = [{
    From `rotated` to `planned`. Buffers share bytes when they do not live at one time; an intrinsic that works element by
    element may write over a source that nobody reads afterwards. First fit in the order of the buffers, then larger
    buffers first, then an exact search, which finds a plan where there is one.

    A buffer that DMA touches lives through the outermost loop that uses it, since its pipe may run ahead. Only where
    nothing fits that way it shares with others of its loop: pipes then wait for each other, and of all such pairs those
    that cost the most cycles by the target's cost model are kept apart as long as a plan is found. Identity stays: two
    buffers at one address are two buffers.

    * (ub_c1) what lives at one time fits UB
    * (unroll_c2) a kernel has at most 512 buffers

    Before: `aicore.buffer "x" : ...`; after: `aicore.buffer "x" at 32768 : ...`.
  }];
  let statistics = [
    Statistic<"numPlanned", "planned", "buffers that got an address">,
    Statistic<"bytesShared", "shared-bytes", "bytes saved by buffers that share">,
    Statistic<"numSearched", "searched", "kernels that first fit did not fit into UB">,
    Statistic<"numWaiting", "waiting", "kernels in which pipes wait for bytes that are shared">,
  ];
}

def InsertSyncPass : AICore_TargetPass<"aicore-insert-sync"> {
  let summary = "inserts the flags and barriers that the addresses call for";
  let description = [{
    From `planned` to `synced`. Finds every dependence by address with its distance in iterations, drops those that others
    imply, and orders the rest: a flag between two pipes, a barrier within a pipe that does not complete in order. A flag
    of distance d is set d times before the loop and waited for d times after it. No pass runs after this one.

    The flags of a region are minimal in the sense of transitive reduction: none orders what the others order without it.
    With `explain`, a remark for each flag and barrier says which two accesses it orders, at which distance in iterations.
    With `portable`, the vector pipe gets barriers as well, for chips on which it does not complete in order.

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
    Option<"explain", "explain", "bool", "false", "a remark for each flag and barrier: what it orders">,
    Option<"portable", "portable", "bool", "false", "barriers of the vector pipe, as other chips need them">,
  ];
  let statistics = [
    Statistic<"numDependences", "dependences", "dependences by address">,
    Statistic<"numFlags", "flags", "flags inserted">,
    Statistic<"numBarriers", "barriers", "barriers inserted">,
  ];
}

//===----------------------------------------------------------------------===//
// Verifiers: a pass that refuses
//===----------------------------------------------------------------------===//

def VerifyTilingPass : AICore_Pass<"aicore-verify-tiling"> {
  let summary = "refuses tiling functions that the host cannot run or that break what kernels are told";
  let description = [{
    * (tiling_c5) a straight line of arith.constant, addi, subi, muli, floordivsi, ceildivsi, remsi, minsi, maxsi, select,
      and cmpi slt or eq, on index
    * (tiling_c6) divisors are known to be at least 1
    * (tiling_c7) a result is known to lie between the `min` and `max` that kernels state in `aicore.tiling_data`
    * (tiling_c8) `block_num` is known to be at least 1
    * (tiling_c9) a result is known to be one of the `cases` that kernels state in `aicore.tiling_data`

    Known is what intervals tell, from sizes that are not negative: `arith.maxsi %n, %c1` is known to be at least 1.
  }];
}

def VerifyTiledPass : AICore_TargetPass<"aicore-verify-tiled"> {
  let summary = "refuses instances whose schedule does not fit or that have no tiling function";
  let description = [{
    * (tiled_c1) an instance is one of a shape key of the contract (where schedules are chosen)
    * (tiled_c2) a tile of 256 elements fits UB (where schedules are chosen)
    * (tiled_c3) the tile, the rows and the slots of a schedule fit UB
    * (tiled_c4) an instance has needs, a schedule, a tiling key and a tiling function
    * (tiled_c5) the tiling function is one of the module and returns `block_num` and `tiling_key`
    * (tiled_c6) tiling keys differ

    Instances without needs and schedule are still at `fused` and left alone.
  }];
}

def VerifyPlacedPass : AICore_TargetPass<"aicore-verify-placed"> {
  let summary = "refuses kernels that break the invariant of phase placed";
  let description = [{
    * (placed_c1) operations: scalar arithmetic, scf.for and scf.if, subviews, aicore; flags from `synced` on
    * (placed_c2) types: scalars of index or a number type, memrefs of numbers in gm or ub
    * (placed_c3) a kernel says its phase, and has reached the one that is asked for
    * (placed_c4) operands in memory come from a buffer or an argument of the kernel through subviews of stride 1
    * (placed_c5) loops count from 0 by 1 and carry no values; branches yield none; at most 8 of them nest
    * (placed_c6) the target has each intrinsic for its types
    * (placed_c7) the target has each cast with its rounding mode
    * (placed_c8) tiles of one op that have one length have it by one value
    * (placed_c9) a view lies within its buffer: offset and length have constant bounds that say so
    * (placed_c10) buffers have neither slots nor addresses before the phases that give them
    * (placed_c11) buffers of a kernel have different names
    * (placed_c12) a reduction has the scratch that the target needs
    * (placed_c13) a comparison touches whole repeats of 256 bytes, and its buffers have them
    * (placed_c14) a copy has no more rows, nor longer ones, than the target moves at once
    * (placed_c15) what a pipe touches in UB starts on 32 bytes
    * (placed_c16) a buffer is a multiple of 32 bytes
    * (placed_c17) a kernel names a tiling function, and reads no field but its results
    * (placed_c18) the flat tile of a copy with a stride has rows * stride elements
    * (placed_c19) lengths are known to be multiples of what an intrinsic works on at once; lists of a merge have no more
      pairs than the target merges
    * (placed_c20) a result of another length than its source has room for what is written
    * (placed_c21) an intrinsic that moves elements to other places does not overwrite what it reads
    * (placed_c22) rows with a block each: tile and blocks are known to have the same number of rows

    Later phases keep these rules.
  }];
}

def VerifyRotatedPass : AICore_TargetPass<"aicore-verify-rotated"> {
  let summary = "refuses kernels that break the invariant of phase rotated";
  let description = [{
    * (rotated_c1) buffers stand at the entry of the kernel
    * (rotated_c2) a view of a buffer with slots picks one: `[%slot, offset] [1, length] [1, 1]`
    * (rotated_c3) the slot is known to be one of the buffer's
    * (rotated_c4) a buffer with slots is touched by DMA
  }];
}

def VerifyPlannedPass : AICore_TargetPass<"aicore-verify-planned"> {
  let summary = "refuses kernels whose buffers do not lie where they may";
  let description = [{
    * (plan_c1) every buffer has an address
    * (plan_c2) an address is a multiple of 32
    * (plan_c3) buffers that live together have no byte in common; an intrinsic that works element by element may write its
      result over a source of the same width that nobody reads afterwards
    * (ub_c2) buffers end within UB

    Live ranges are found anew, backwards from each read, without the planner's code.
  }];
}

def VerifySyncedPass : AICore_Pass<"aicore-verify-synced"> {
  let summary = "refuses kernels whose flags and barriers do not order what depends on each other";
  let description = [{
    Unrolls the kernel for every number of trips that can show something new, runs the pipes as a network of queues with
    vector clocks, and follows who wrote each byte. No code is shared with the planner or the sync inserter.

    Two ops of a pipe that completes in order need nothing between them; a barrier there does nothing, and a remark says
    so. With `portable`, the vector pipe counts as one that does not.

    * (sync_c1) accesses to one byte, one of them a write, are ordered by flags or barriers
    * (sync_c2) what is read was last written through the same buffer, by the op that the order of the text says
    * (sync_c3) what is read was written
    * (sync_c4) a flag is set only when the wait for its set before is over for certain
    * (sync_c5) every set is waited for
    * (sync_c6) every wait is met: no pipe stands still for ever
    * (sync_c7) event ids are those of the target
    * (sync_c8) branches, event ids and slots follow from constants, tiling data with `cases`, and loop counters by
      remainders and comparisons with these
    * (unroll_c1) a kernel is small enough to be unrolled
  }];
  let options = [
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
    Option<"portable", "portable", "bool", "false", "hold the vector pipe to barriers, as other chips do">,
  ];
}

#endif // OPC_LOWERING_AICORE_PASSES_TD
