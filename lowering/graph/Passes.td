//===- Passes.td - models from phase to phase, and the verifier of each ---------===//

#ifndef OPC_LOWERING_GRAPH_PASSES_TD
#define OPC_LOWERING_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyImportedPass : Pass<"graph-verify-imported", "::mlir::ModuleOp"> {
  let summary = "checks models of phase imported";
  let description = [{
    The importer guarantees these rules, and later passes rely on them:

    * (imported_c1) in a model, function or subgraph each value has one name, and a name stands for one value
    * (imported_c2) a node is of a domain whose version `opsets` has
    * (imported_c3) `#graph.reference` is in a function, and names one of its `parameters`
    * (imported_c4) there is no `graph.view`, `graph.part` and `graph.join`: shapes are not settled yet
    * (imported_c5) `graph.absent` is an operand of nodes alone

    Models of other phases are left alone.
  }];
}

def LegalizePass : Pass<"graph-legalize", "::mlir::ModuleOp"> {
  let summary = "turns nodes into instances of contracts, views and constants";
  let description = [{
    From `imported` to `legal`. The nodes are visited in their order, so that the types and shapes of their operands
    are known:

    * a node that computes integers from shapes and constants (Shape, Gather, Concat, Slice, ...) becomes its value
    * a node that a form of a contract matches becomes a `graph.instance`; its results have the shapes that follow from the
      contract. If several forms match, the user's contract comes first, then the most specific one
    * Reshape, Flatten, Squeeze, Unsqueeze, Identity and Dropout become views, or constants if the operand is a constant
    * Slice, Split and Gather with one index become parts if they take one contiguous range of elements, and Concat
      along the first dimension that is not 1 becomes a join, for any type; a user's contract for the operator
      takes precedence
    * a call of a function becomes the nodes of the function, and an If whose condition is known the nodes of the branch
    * an If whose condition depends on data becomes the nodes of both branches and a `graph.choose` of their values;
      only the steps of one branch will run
    * a Loop becomes the nodes of its steps, as long as number and condition are constants or follow from sizes and steps;
      a Scan is a Loop with as many steps as its lists have elements
    * NonMaxSuppression becomes a `graph.host`: its result has memory for the maximum number of boxes
    * a node that several contracts compute together is decomposed, and each new node is matched like nodes of the file:
      a Concat of five, a Slice of two axes or with a step, a Split into three, Pad, Expand, ConvTranspose,
      windows with `auto_pad`, MaxPool with positions, Resize by cubic curves, norms over several axes, products
      of vectors and of bytes with zero points, LSTM, GRU and RNN whose sequences have one length, and others
      (`lowering/graph/legalize/parts/Decompose.h` lists all)
    * an instance of constants with at most 4096 elements becomes constants, by its own kernel, since sizes may depend on them;
      `opc-opt` has no kernels

    Unused values and functions are erased. Each missing operator is reported once for each reason. The results of a
    missing operator have no known types and shapes; after it, only operators that are certainly missing are reported.

    * (legalize_c1) inputs and outputs are tensors of an element type that opc has, and their sizes are numbers
    * (legalize_c2) a result has the type and sizes that the file states for it. A wrong rank beside named sizes, and
      wrong sizes of an output of the model, are only a warning, and the type that follows from the node is used
    * (legalize_c3) a node has a contract that fits its operands and attributes
    * (legalize_c4) the shape of a view is known before the model runs, and holds its elements
    * (legalize_c5) an If has two branches whose results have one type and the same sizes; whether a Loop goes on is known before
      each of its steps, which become at most 2^16 nodes; a Scan is of opset 9 or later
    * (legalize_c6) functions become at most 2^16 nodes
    * (legalize_c7) the values of a model take less than 2^56 bytes together
    * (legalize_c8) a node that reads a value whose number of rows depends on data computes each row of its results from
      the same row: it does not add rows up, choose among them, or read their number. Such rows are the first dimension
      of an output of the model

    Before:

    ```mlir
    %y = graph.node "LeakyRelu"(%x) ["y"] {parameters = {alpha = 1.000000e-01 : f32}} : (tensor<4xf32>) -> !graph.unknown
    ```

    After:

    ```mlir
    %y = graph.instance "LeakyRelu"(%x) ["y"] {parameters = {alpha = 0.10000000149011612 : f64}, row = 1 : i64,
        source = "leaky_relu/op_contract.yaml"} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [
    ListOption<"contracts", "contracts", "std::string", "folders with contracts; `opc` gives its library">,
  ];
  let dependentDialects = ["::opc::graph::GraphDialect"];
}

def VerifyLegalPass : Pass<"graph-verify-legal", "::mlir::ModuleOp"> {
  let summary = "checks models of phase legal";
  let description = [{
    * (legal_c1) a model has instances, views, parts, joins, copies, choices, functions of the host and constants alone
    * (legal_c2) each value is a tensor whose sizes are numbers, with an element type that kernels support
    * (legal_c3) `graph.absent` is an operand only of instances and of functions of the host
    * (legal_c4) a function of the host is one that the runtime has, with its operands, attributes and results, and
      only outputs of the model read its results
  }];
}

def FoldPass : Pass<"graph-fold", "::mlir::ModuleOp"> {
  let summary = "computes constants, and finds operators in pieces";
  let description = [{
    From `legal` to `folded`. In this order:

    * equal instances become one
    * instances of constants become constants, by their own kernels; `opc-opt` has none and leaves them
    * arithmetic with 1 and 0, and identity transposes, are removed
    * LayerNorm, RmsNorm, Softmax, Gelu, GeluTanh, Swish, HardSwish and Mish are found in pieces
    * factors and shifts of channels (BatchNorm, Mul, Add with constants) become part of the weights before them
    * an activation, a bias or a residual joins the product, convolution or sum before it, if the library has
      the contract
    * unused values are removed

    A pattern only matches operators of the library, and its result has to match its contract. With `explain`, remarks
    list the matches and the near misses.

    Before:

    ```mlir
    %s = graph.instance "Sigmoid"(%x) ["s"] {row = 1 : i64, source = "sigmoid/op_contract.yaml"} : (tensor<4xf32>) -> tensor<4xf32>
    %y = graph.instance "Mul"(%x, %s) ["y"] {row = 1 : i64, source = "mul/op_contract.yaml"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```

    After:

    ```mlir
    %y = graph.instance "Swish"(%x) ["y"] {parameters = {beta = 1.000000e+00 : f64}, row = 1 : i64, source = "swish/op_contract.yaml"} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [
    ListOption<"contracts", "contracts", "std::string", "folders with contracts; `opc` gives its library">,
    Option<"explain", "explain", "bool", "false", "emit a remark for what is found, and for what nearly is">,
  ];
  let dependentDialects = ["::opc::graph::GraphDialect"];
}

def VerifyFoldedPass : Pass<"graph-verify-folded", "::mlir::ModuleOp"> {
  let summary = "checks models of phase folded";
  let description = [{
    * (folded_c1) the rules of `legal` hold
    * (folded_c2) each instance, view and constant has a reader
    * (folded_c3) no two instances have one contract, row, parameters, operands and types
  }];
}

def PlacePass : Pass<"graph-place", "::mlir::ModuleOp"> {
  let summary = "gives each value its memory";
  let description = [{
    From `folded` to `placed`. Each `graph.choose` becomes a `graph.branch`; steps that only one of its lists of values
    needs move into the region of that list and run only if it is chosen. Otherwise steps keep the order of the model. A
    result that is an output, also through views, is written to the caller's memory; if that is impossible (an input, a
    constant, one value twice), a `graph.copy` writes it. Operands of a join are written into the memory of the join,
    and results of a branch's list into that of the branch's result, if necessary by a copy. Constants get offsets in
    the weights; equal constants share one. All other results share the arena: the live range of each is from the first
    step that writes to it to the last that reads it, a view or a part of it; large ones are placed first, at the lowest
    offset that is free for their live range.

    An instance of an elementwise contract writes its result over an operand that nothing reads later, if both have as many
    elements of one size: both then have one offset and one live range. Without `contracts` no result overwrites an operand.

    Before:

    ```mlir
    %h = graph.instance "Relu"(%x) ["h"] {...} : (tensor<4xf32>) -> tensor<4xf32>
    ```

    After:

    ```mlir
    %h = graph.instance "Relu"(%x) ["h"] {places = [#graph.place<arena 0>], ...} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [
    ListOption<"contracts", "contracts", "std::string", "folders with contracts; `opc` gives its library">,
  ];
  let dependentDialects = ["::opc::graph::GraphDialect"];
}

def VerifyPlacedPass : Pass<"graph-verify-placed", "::mlir::ModuleOp"> {
  let summary = "checks models of phase placed";
  let description = [{
    Executes a model symbolically and records the owner of each byte of the arena and of the outputs.

    * (memory_c1) each value has a place: results in the arena or in an output, an output in the caller's memory for it
    * (memory_c2) a place is within the arena or the output, and aligned to its elements
    * (memory_c3) an operand is where it was written, and nothing was written over it since; only an instance of an
      elementwise contract overwrites operands, each of them as a whole
    * (memory_c4) the operands of a join lie one after another in its memory
    * (memory_c5) the lists of a branch both write its results in their places
  }];
  let options = [
    ListOption<"contracts", "contracts", "std::string", "folders with contracts; `opc` gives its library">,
  ];
}

#endif // OPC_LOWERING_GRAPH_PASSES_TD
