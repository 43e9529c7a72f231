//===- GraphDialect.td - the dialect of models -------------------------------===//

#ifndef OPC_DIALECT_GRAPH_GRAPHDIALECT_TD
#define OPC_DIALECT_GRAPH_GRAPHDIALECT_TD

include "mlir/IR/DialectBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::opc::graph";
  let summary = "Models: nodes that call operators, constants, subgraphs";
  let description = [{
    A **model** is a graph of nodes. A node calls an operator by name; this dialect does not define the computation.
    `opc model import` prints an ONNX model in this dialect:

    ```mlir
    graph.model @tiny(%x: tensor<?x8xf32, #graph.dims<["N", ""]>> {graph.name = "x"}) attributes {
        opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
      %w = graph.constant "w" dense<1.000000e+00> : tensor<8xf32>
      %y = graph.node "Add"(%x, %w) ["y"] : (tensor<?x8xf32, #graph.dims<["N", ""]>>, tensor<8xf32>)
          -> tensor<?x8xf32, #graph.dims<["N", ""]>>
      graph.output %y : tensor<?x8xf32, #graph.dims<["N", ""]>>
    }
    ```

    **Values** have one type and one shape: `tensor<2x?xf32>`. Integers `iN` are signed, `uiN` unsigned, `i1` is a truth
    value. A named size is `?` with its name in the encoding `#graph.dims`; it is the same wherever the name occurs in
    the model. A tensor without a known rank is `tensor<*xf32>`; without a known element type it is one of
    `!graph.unknown`. Sequences, optionals, maps and sparse tensors have types of their own.

    **Constants** are attributes. Large ones are resources over the bytes of the model's file: they are not copied, are
    printed elided, and are named by their hash, so that equal weights are one resource.

    **Subgraphs** are regions of their node. They read values of the graph around them and end with `graph.output`.

    **Phases.** The attribute `phase` of a model says which properties hold:

    | phase | what holds from here on |
    |---|---|
    | `imported` | the nodes are those of the file, with the same attributes |
    | `legal` | each node is an instance of a contract, a view, a choice or a function of the host; all sizes are numbers; functions and shape arithmetic are gone |
    | `placed` | each value has its memory: an offset in the arena or in the weights, or memory of the caller |

    **Rules.** The label of a rule precedes the text of its error:

    * (graph_c1) a node names its operator, and has a name for each result
    * (graph_c2) a node has a name for each of its regions
    * (graph_c3) `#graph.dims` has a text for each dimension; a text that is not empty names a size of `?`
    * (graph_c4) a model, function or subgraph ends with `graph.output`; that of a model or function has an operand for each of
      `outputs`
    * (graph_c5) a view has the elements of its operand: their type, and their number where sizes are known
    * (graph_c6) a constant has the type of its value
    * (graph_c7) an instance, choice, branch or function of the host has a name for each result, and a place for each where it
      has places
    * (graph_c8) a part lies within its operand
    * (graph_c9) a join has the elements of its operands, of one type
    * (graph_c10) a choice and a branch have one truth value as their condition, and for each result two values of its type
    * (graph_c11) of the results of a host function the second is the number of rows of the first: one 64-bit integer
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kNameAttr = "graph.name";
  }];
}

#endif // OPC_DIALECT_GRAPH_GRAPHDIALECT_TD
