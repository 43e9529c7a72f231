//===- GraphOps.td - ops of the graph dialect -----------------------------------===//

#ifndef OPC_DIALECT_GRAPH_GRAPHOPS_TD
#define OPC_DIALECT_GRAPH_GRAPHOPS_TD

include "dialect/graph/GraphAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Graph_Op<string opMnemonic, string effect, list<Trait> traits = []>
    : Op<Graph_Dialect, opMnemonic, traits> {
  let summary = effect;
}

def Graph_ModelOp : Graph_Op<"model", "a model: its inputs are arguments, its last op gives the outputs", [
    Symbol, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let description = [{
    `opsets` has the version of each domain of operators; `ai.onnx` is ONNX's own domain. `outputs` names the operands
    of `graph.output`, and `graph.name` at an argument names the input. In a placed model, `arena` is the size in bytes
    of the memory that intermediate values share, and `arena_bound` is its lower bound: the maximum of simultaneously
    live bytes.

    ```mlir
    graph.model @same(%x: tensor<4xf32> {graph.name = "x"}) attributes {
        opsets = {ai.onnx = 21 : i64}, outputs = ["x"], phase = #graph.phase<imported>} {
      graph.output %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DictionaryAttr:$opsets, StrArrayAttr:$outputs, Graph_PhaseAttr:$phase,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictionaryAttr>:$metadata,
                       OptionalAttr<I64Attr>:$arena, OptionalAttr<I64Attr>:$arena_bound);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Graph_FunctionOp : Graph_Op<"function", "an operator that the model defines itself, by nodes", [
    Symbol, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let description = [{
    A node whose operator and domain are those of the function calls it. `parameters` names its attributes; those with a
    default have it, others are units. Nodes of the function refer to them by `#graph.reference`.

    ```mlir
    graph.function @own.Twice(%x: !graph.unknown {graph.name = "x"}) attributes {
        domain = "own", name = "Twice", opsets = {ai.onnx = 21 : i64}, outputs = ["y"], parameters = {}} {
      %y = graph.node "Add"(%x, %x) ["y"] : (!graph.unknown, !graph.unknown) -> !graph.unknown
      graph.output %y : !graph.unknown
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$name, StrAttr:$domain, DictionaryAttr:$opsets, StrArrayAttr:$outputs,
                       DictionaryAttr:$parameters, OptionalAttr<DictArrayAttr>:$arg_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Graph_NodeOp : Graph_Op<"node", "calls an operator", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    The operator is a name, in a domain unless it is one of ONNX's own. `results` names the results of the node; an
    unused result has an empty name. An omitted operand is a `graph.absent`. `parameters` are its attributes; attributes
    that are graphs are the regions, and `graphs` has their names.

    ```mlir
    graph.model @attributes(%x: tensor<4xf32> {graph.name = "x"}) attributes {
        opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<imported>} {
      %y = graph.node "LeakyRelu"(%x) ["y"] {parameters = {alpha = 1.000000e-01 : f32}} : (tensor<4xf32>) -> tensor<4xf32>
      graph.output %y : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$op, OptionalAttr<StrAttr>:$domain, Variadic<AnyType>:$operands_, StrArrayAttr:$result_names,
                       OptionalAttr<StrAttr>:$name, OptionalAttr<DictionaryAttr>:$parameters,
                       OptionalAttr<StrArrayAttr>:$graphs);
  let results = (outs Variadic<AnyType>:$results_);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let assemblyFormat = [{
    $op (`of` $domain^)? `(` $operands_ `)` $result_names attr-dict `:` functional-type($operands_, $results_)
    ($bodies^)?
  }];
  let hasVerifier = 1;
}

def Graph_ConstantOp : Graph_Op<"constant", "a value that the model has", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    The value is an `ElementsAttr`, or a `#graph.sparse`. `overridable` marks a constant with the name of an input: it
    is the input's default.

    ```mlir
    graph.model @constant() attributes {opsets = {}, outputs = ["w"], phase = #graph.phase<imported>} {
      %w = graph.constant "w" dense<[1, -1]> : tensor<2xi64>
      graph.output %w : tensor<2xi64>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, AnyAttr:$value, UnitAttr:$overridable, OptionalAttr<Graph_PlaceAttr>:$place);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Graph_InstanceOp : Graph_Op<"instance", "runs an operator of a contract", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    `contract` is the type of the operator, `source` the path of its contract, `row` the row of its table of types.
    Operands and results are those of the contract in its order; an omitted operand is a `graph.absent`. `parameters`
    are the attributes that the node gives. `name` is the name of the node. In a placed model, `places` has the memory
    of each result.

    ```mlir
    graph.model @attributes(%x: tensor<4xf32> {graph.name = "x"}) attributes {
        opsets = {ai.onnx = 21 : i64}, outputs = ["y"], phase = #graph.phase<legal>} {
      %y = graph.instance "LeakyRelu"(%x) ["y"] {parameters = {alpha = 1.000000e-01 : f64}, row = 1 : i64,
          source = "leaky_relu/op_contract.yaml"} : (tensor<4xf32>) -> tensor<4xf32>
      graph.output %y : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$contract, Variadic<AnyType>:$operands_, StrArrayAttr:$result_names, StrAttr:$source,
                       I64Attr:$row, OptionalAttr<DictionaryAttr>:$parameters, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<Graph_PlaceArrayAttr>:$places);
  let results = (outs Variadic<AnyTensor>:$results_);
  let assemblyFormat = [{
    $contract `(` $operands_ `)` $result_names attr-dict `:` functional-type($operands_, $results_)
  }];
  let hasVerifier = 1;
}

def Graph_CopyOp : Graph_Op<"copy", "the elements of the operand, in memory of their own", [
    AllTypesMatch<["operand", "result"]>]> {
  let description = [{
    Inserted if an output of the model would otherwise be a constant, an input or another output: each output has memory of
    its own, which the caller provides.
  }];
  let arguments = (ins AnyTensor:$operand, OptionalAttr<Graph_PlaceAttr>:$place);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Graph_AbsentOp : Graph_Op<"absent", "the place of an operand that is left out", [Pure]> {
  let results = (outs NoneType:$result);
  let assemblyFormat = "attr-dict";
}

def Graph_ViewOp : Graph_Op<"view", "the elements of the operand, in their order, with another shape", [Pure]> {
  let description = [{
    Replaces Reshape, Flatten, Squeeze, Unsqueeze and Identity once shapes are known. No byte changes, and the result shares
    the operand's memory. No model of phase `imported` has one.

    ```mlir
    graph.function @own.Flat(%x: tensor<2x3xf32> {graph.name = "x"}) attributes {
        domain = "own", name = "Flat", opsets = {}, outputs = ["y"], parameters = {}} {
      %y = graph.view %x : tensor<2x3xf32> to tensor<6xf32>
      graph.output %y : tensor<6xf32>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$operand);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Graph_PartOp : Graph_Op<"part", "contiguous elements of the operand, with a shape", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    Replaces Slice, Split and Gather with one index if the result is one contiguous range of bytes: the elements of the
    operand from number `start` on. The result shares the operand's memory. `name` is the name of the value in the
    model's file.

    ```mlir
    graph.model @second(%x: tensor<2x3xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
      %y = graph.part %x from 3 "y" : tensor<2x3xf32> to tensor<3xf32>
      graph.output %y : tensor<3xf32>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$operand, I64Attr:$start, StrAttr:$name);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operand `from` $start $name attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Graph_JoinOp : Graph_Op<"join", "concatenates the elements of the operands", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    Replaces Concat along the first dimension other than 1. No step computes it: in a placed model the operands are
    parts of the result's memory, and the steps that compute them, or a `graph.copy`, write them there. In a placed
    model, `place` is that memory; `name` is the name of the value in the model's file.

    ```mlir
    graph.model @joined(%a: tensor<1x2xf32>, %b: tensor<1x3xf32>) attributes {
        opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
      %y = graph.join %a, %b "y" : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
      graph.output %y : tensor<1x5xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyTensor>:$operands_, StrAttr:$name, OptionalAttr<Graph_PlaceAttr>:$place);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operands_ $name attr-dict `:` functional-type($operands_, $result)";
  let hasVerifier = 1;
}

def Graph_ChooseOp : Graph_Op<"choose", "selects one value of each pair by a condition", [
    Pure, SameVariadicOperandSize, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    Replaces an If whose condition is known only at run time: the results are the `then` values if the condition is true, and
    the `else` values otherwise. The subgraphs of the If become part of the graph around it. `graph-place` replaces this
    op by a `graph.branch`, which contains the steps whose results nothing else reads.

    ```mlir
    graph.model @chosen(%c: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) attributes {
        opsets = {}, outputs = ["y"], phase = #graph.phase<legal>} {
      %y = graph.choose %c then(%a) else(%b) ["y"] : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      graph.output %y : tensor<2xf32>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$condition, Variadic<AnyTensor>:$thens, Variadic<AnyTensor>:$elses,
                       StrArrayAttr:$result_names, OptionalAttr<StrAttr>:$name);
  let results = (outs Variadic<AnyTensor>:$results_);
  let assemblyFormat = [{
    $condition `then` `(` $thens `)` `else` `(` $elses `)` $result_names attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Graph_BranchOp : Graph_Op<"branch", "runs one of two lists of steps, by a condition", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    `graph-place` replaces `graph.choose` by this op. Each region ends with the values of the results, and its steps
    write them into the memory of the results: `places`.

    ```mlir
    graph.model @branched(%c: tensor<i1>, %a: tensor<2xf32>) attributes {
        opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
      %y = graph.branch %c ["y"] : (tensor<i1>) -> tensor<2xf32> then {
        graph.output %a : tensor<2xf32>
      } else {
        %none = graph.copy %a : tensor<2xf32>
        graph.output %none : tensor<2xf32>
      }
      graph.output %y : tensor<2xf32>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$condition, StrArrayAttr:$result_names, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<Graph_PlaceArrayAttr>:$places);
  let results = (outs Variadic<AnyTensor>:$results_);
  let regions = (region SizedRegion<1>:$then_steps, SizedRegion<1>:$else_steps);
  let assemblyFormat = [{
    $condition $result_names attr-dict `:` functional-type($condition, $results_) `then` $then_steps `else` $else_steps
  }];
  let hasVerifier = 1;
}

def Graph_HostOp : Graph_Op<"host", "runs a function of the runtime on the processor of the host", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let description = [{
    A function that no contract can express, because the size of its result depends on data. `function` is the name of
    the operator in ONNX; `runtime/program/model/HostFunction.h` has all such functions. The first result has its
    maximum size; the second result is the actual number of rows, along the first dimension. The other rows are 0.

    ```mlir
    graph.model @boxes(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {
        opsets = {}, outputs = ["kept"], phase = #graph.phase<legal>} {
      %most = graph.constant "most" dense<3> : tensor<i64>
      %kept, %count = graph.host "NonMaxSuppression"(%b, %s, %most) ["kept", ""]
          : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> (tensor<6x3xi64>, tensor<i64>)
      graph.output %kept : tensor<6x3xi64>
    }
    ```
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyType>:$operands_, StrArrayAttr:$result_names,
                       OptionalAttr<DictionaryAttr>:$parameters, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<Graph_PlaceArrayAttr>:$places);
  let results = (outs Variadic<AnyTensor>:$results_);
  let assemblyFormat = [{
    $function `(` $operands_ `)` $result_names attr-dict `:` functional-type($operands_, $results_)
  }];
  let hasVerifier = 1;
}

def Graph_RowsOp : Graph_Op<"rows", "an output with as many rows as a value says", [
    Pure, AllTypesMatch<["operand", "result"]>]> {
  let description = [{
    The operand has its maximum size, and each of its rows follows from the same row of a `graph.host`, whose number of
    rows is `count`. An output of the model gives that many of them, along the first dimension. The result shares the
    operand's memory.

    ```mlir
    graph.model @boxes(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) attributes {
        opsets = {}, outputs = ["signs"], phase = #graph.phase<legal>} {
      %most = graph.constant "most" dense<3> : tensor<i64>
      %kept, %count = graph.host "NonMaxSuppression"(%b, %s, %most) ["kept", ""]
          : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> (tensor<6x3xi64>, tensor<i64>)
      %flat = graph.view %kept : tensor<6x3xi64> to tensor<6x1x3xi64>
      %rows = graph.rows %flat, %count : tensor<6x1x3xi64>, tensor<i64>
      graph.output %rows : tensor<6x1x3xi64>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$operand, 0DTensorOf<[I64]>:$count);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operand `,` $count attr-dict `:` type($operand) `,` type($count)";
}

def Graph_OutputOp : Graph_Op<"output", "ends a model, a function, a subgraph or a branch with its outputs", [
    Pure, ReturnLike, Terminator, ParentOneOf<["ModelOp", "FunctionOp", "NodeOp", "BranchOp"]>]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // OPC_DIALECT_GRAPH_GRAPHOPS_TD
