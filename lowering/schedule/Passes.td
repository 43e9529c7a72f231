//===- Passes.td - from needs to schedules and tiling functions ----------------===//
//
// Both ways of a te body choose how a launch is divided: the AI Core by schedules of tiles, the CPU by blocks of items.
// The order of the passes is in lowering/pipelines.

#ifndef OPC_LOWERING_SCHEDULE_PASSES_TD
#define OPC_LOWERING_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

class Schedule_Pass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::opc::aicore::AICoreDialect", "::opc::te::TeDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def SchedulePass : Schedule_Pass<"aicore-schedule"> {
  let summary = "gives each measured instance a schedule, a tiling key and a tiling function";
  let description = [{
    From `fused` to `tiled`. Takes the `#aicore.needs` that `aicore-measure` wrote, chooses the tile, the rows and the slots
    of each instance by the target's cost model or as the contract's schedule file says, and appends one tiling function for
    each type row, which the instances of that row share.

    The shapes of the operator and its schedule file come from the contract, so the pass is made with it: `opc compile` gives
    the contract that it read, `opc-opt` names the file. With the shapes of a static operator, the pass keeps of each type
    row the instance that these shapes take and erases the others.

    * (tiled_c1) an instance is one of a shape key of the contract, and each shape key has one instance
    * (tiled_c2) a tile of 256 elements fits UB
    * (tiled_c3) what the schedule file asks for fits UB

    Before:

    ```mlir
    func.func @relu_float16_flat(%x: memref<?xf16>, %y: memref<?xf16>)
        attributes {aicore.needs = #aicore.needs<tile_bits = 32, ...>, te.kernel, te.phase = #te.phase<fused>, ...}
    ```

    After:

    ```mlir
    func.func @relu_float16_flat(%x: memref<?xf16>, %y: memref<?xf16>)
        attributes {aicore.schedule = #aicore.schedule<tile = 16384, ...>, aicore.tiling_function = @relu_float16_tiling,
                    aicore.tiling_key = 0 : i64, ...}
    func.func private @relu_float16_tiling(%max_blocks: index, ...) -> (index, ...) attributes {aicore.tiling}
    ```
  }];
  let options = [
    Option<"contract", "contract", "std::string", "\"\"", "the operator's contract, a path">,
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
  ];
}

def CpuSchedulePass : Schedule_Pass<"cpu-schedule"> {
  let summary = "gives each fused instance the tiling function by which the CPU divides a launch";
  let description = [{
    For instances at `fused`. Appends one tiling function for each type row, which says how many blocks a launch has and how
    many items each block has; items are elements, rows, or the elements that a reduction keeps. A row is never divided, so
    its sum is added in one order. With the shapes of a static operator, the pass keeps of each type row the instance that
    these shapes take and erases the others.

    * (cpu_tiling_c1) the module has an instance for each shape key of the contract
  }];
  let options = [
    Option<"contract", "contract", "std::string", "\"\"", "the operator's contract, a path">,
  ];
}

#endif // OPC_LOWERING_SCHEDULE_PASSES_TD
