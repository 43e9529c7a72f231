//===- Passes.td - the pass that emits Ascend C --------------------------------===//

#ifndef OPC_LOWERING_EMIT_ASCENDC_PASSES_TD
#define OPC_LOWERING_EMIT_ASCENDC_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitAscendCPass : Pass<"aicore-emit-ascendc", "::mlir::ModuleOp"> {
  let summary = "converts kernels of phase synced to the EmitC module of an Ascend C operator";
  let description = [{
    The module becomes two EmitC files, `<operator>.cpp` and `<operator>_tiling.h`. They contain a class for each
    kernel, an entry function that selects a kernel by its tiling key (0, 1, ... in the order of the kernels), the
    struct of the tiling data, and the tiling functions. Lines that start with `//@` are markers for names and
    locations; the printer of the module resolves them.

    * (emit_c1) kernels have reached phase `synced`
    * (emit_c2) arguments have names, which are distinct identifiers
    * (emit_c3) launch attributes are f32, integers of up to 64 bits, or i1
    * (emit_c4) kernels name a tiling function and read only its results
    * (ascendc_c1) kernels contain only ops that Ascend C has calls for on this chip
    * (ascendc_c2) every buffer is in ub and has an address
    * (ascendc_c3) a tile is a view of one buffer or tensor, which is known before the kernel runs
    * (ascendc_c4) all kernels have the same number of tensors with the same names

    Before:

    ```mlir
    aicore.vaddrelu ins(%x1_ub, %x2_ub : ...) outs(%y_ub : ...)
    aicore.set_flag v -> mte3 [%slot]
    ```

    After:

    ```mlir
    emitc.call_opaque "AscendC::AddRelu"(%y, %x1, %x2, %count) ...
    emitc.call_opaque "AscendC::SetFlag"(%slot) {template_args = [#emitc.opaque<"AscendC::HardEvent::V_MTE3">]} ...
    ```
  }];
  let options = [
    Option<"operatorName", "operator", "std::string", "\"op\"", "name of the operator, in snake case">,
  ];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

#endif // OPC_LOWERING_EMIT_ASCENDC_PASSES_TD
