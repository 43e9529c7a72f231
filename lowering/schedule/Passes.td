//===- Passes.td - from resource usage to schedules and tiling functions --------===//
//
// Both lowerings of a te body choose how a launch is divided: the AI Core into tiles, by a schedule, and the CPU into
// blocks of items. lowering/pipelines defines the order of the passes.

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
    Lowers `fused` to `tiled`. The pass reads the `#aicore.needs` that `aicore-measure` computed. It chooses the tile,
    the rows and the slots of each instance by the target's cost model, or as the contract's schedule file specifies. It
    appends one tiling function for each type row; the instances of the row share this function.

    The pass needs the contract, which has the shapes of the operator and its schedule file: `opc compile` passes the
    contract that it has read, and `opc-opt` names the file in an option. If the operator is static, the pass keeps for
    each type row the instance that its shapes select and erases the others.

    * (tiled_c1) each instance belongs to a shape key of the contract, and each shape key has one instance
    * (tiled_c2) a tile of 256 elements fits UB
    * (tiled_c3) the tile, rows and slots that the schedule file specifies fit UB

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
    Option<"contract", "contract", "std::string", "\"\"", "path of the operator's contract">,
    Option<"target", "target", "std::string", "\"Ascend310B1\"", "the chip, by its soc version">,
  ];
}

def CpuSchedulePass : Schedule_Pass<"cpu-schedule"> {
  let summary = "gives each fused instance the tiling function that divides a launch on the CPU";
  let description = [{
    For instances of phase `fused`. The pass appends one tiling function for each type row. The function computes the
    number of blocks of a launch and the number of items of each block; items are elements, rows, or the elements that a
    reduction keeps. A row is never divided, so its elements are always summed in the same order. If the operator is
    static, the pass keeps for each type row the instance that its shapes select and erases the others.

    * (cpu_tiling_c1) the module has an instance for each shape key of the contract
  }];
  let options = [
    Option<"contract", "contract", "std::string", "\"\"", "path of the operator's contract">,
  ];
}

#endif // OPC_LOWERING_SCHEDULE_PASSES_TD
