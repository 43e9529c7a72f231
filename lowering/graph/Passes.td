//===- Passes.td - verifiers of the phases of models ----------------------------===//

#ifndef OPC_LOWERING_GRAPH_PASSES_TD
#define OPC_LOWERING_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyImportedPass : Pass<"graph-verify-imported", "::mlir::ModuleOp"> {
  let summary = "checks models of phase imported";
  let description = [{
    What the importer promises, and what later passes rely on:

    * (imported_c1) in a model, function or subgraph each value has one name, and a name stands for one value
    * (imported_c2) a node is of a domain whose version `opsets` has
    * (imported_c3) `#graph.reference` is in a function, and names one of its `parameters`
    * (imported_c4) there is no `graph.view`: shapes are not settled yet
    * (imported_c5) `graph.absent` is an operand of nodes alone

    Models of other phases are left alone.
  }];
}

#endif // OPC_LOWERING_GRAPH_PASSES_TD
