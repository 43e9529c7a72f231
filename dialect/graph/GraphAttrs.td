//===- GraphAttrs.td - names of sizes, phases, types ----------------------------===//

#ifndef OPC_DIALECT_GRAPH_GRAPHATTRS_TD
#define OPC_DIALECT_GRAPH_GRAPHATTRS_TD

include "dialect/graph/GraphDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

def Graph_PhaseEnum : I32Enum<"Phase", "the phase of a model", [
    I32EnumCase<"Imported", 0, "imported">, I32EnumCase<"Legal", 1, "legal">, I32EnumCase<"Folded", 2, "folded">,
    I32EnumCase<"Placed", 3, "placed">]> {
  let cppNamespace = "::opc::graph";
}

def Graph_PhaseAttr : AttrDef<Graph_Dialect, "Phase"> {
  let mnemonic = "phase";
  let summary = "the phase of a model";
  let description = [{
    `imported`: the nodes are those of the file; `legal`: they are instances of contracts; `folded`: constants are
    computed, and operators in pieces are one node; `placed`: each value has its memory.
  }];
  let parameters = (ins EnumParameter<Graph_PhaseEnum>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Graph_MemoryEnum : I32Enum<"Memory", "the memory of a value", [
    I32EnumCase<"Arena", 0, "arena">, I32EnumCase<"Weights", 1, "weights">, I32EnumCase<"Input", 2, "input">,
    I32EnumCase<"Output", 3, "output">]> {
  let cppNamespace = "::opc::graph";
}

def Graph_PlaceAttr : AttrDef<Graph_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "the memory of a value";
  let description = [{
    `arena`: memory of the running model, at an offset in bytes; `weights`: the file of constants, at an offset in
    bytes; `input` and `output`: memory of the caller, by the number of the input or output: `#graph.place<arena 4096>`.
    A part of an input or output has an offset in bytes: `#graph.place<output 0 from 512>`.
  }];
  let parameters = (ins EnumParameter<Graph_MemoryEnum>:$memory, "int64_t":$offset, DefaultValuedParameter<"int64_t", "0">:$start);
  let assemblyFormat = "`<` $memory $offset (`from` $start^)? `>`";
  let builders = [AttrBuilder<(ins "::opc::graph::Memory":$memory, "int64_t":$offset), [{
    return $_get($_ctxt, memory, offset, 0);
  }]>];
}

def Graph_PlaceArrayAttr : TypedArrayAttrBase<Graph_PlaceAttr, "places of values">;

def Graph_DimsAttr : AttrDef<Graph_Dialect, "Dims", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "dims";
  let summary = "names of sizes, as the encoding of a tensor type";
  let description = [{
    One text for each dimension; a name is the same size wherever it occurs in the model, and an empty text gives no
    name: `tensor<?x128xi64, #graph.dims<["batch", ""]>>`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` `[` $names `]` `>`";
}

def Graph_ReferenceAttr : AttrDef<Graph_Dialect, "Reference"> {
  let mnemonic = "reference";
  let summary = "an attribute of the function around a node, by name";
  let description = "Stands for the value that the call gives: `slope = #graph.reference<\"alpha\">`.";
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def Graph_SparseAttr : AttrDef<Graph_Dialect, "Sparse"> {
  let mnemonic = "sparse";
  let summary = "a constant in which only some elements are not zero";
  let description = [{
    The values, their positions (flat, or an index for each dimension), and the type of the whole tensor:
    `#graph.sparse<dense<[1.0, 2.0]> : tensor<2xf32> at dense<[0, 4]> : tensor<2xi64> in tensor<9xf32>>`.
  }];
  let parameters = (ins "::mlir::ElementsAttr":$values, "::mlir::ElementsAttr":$places, "::mlir::Type":$type);
  let assemblyFormat = "`<` $values `at` $places `in` $type `>`";
}

class Graph_Type<string name, string typeMnemonic, string what> : TypeDef<Graph_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = what;
}

def Graph_UnknownType : Graph_Type<"Unknown", "unknown", "elements, or a value, of which the file says no type">;
def Graph_StringType : Graph_Type<"String", "string", "texts, as elements of a tensor">;
def Graph_SequenceType : Graph_Type<"Sequence", "sequence", "any number of values of one type"> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Graph_OptionalType : Graph_Type<"Optional", "optional", "one value or none"> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Graph_MapType : Graph_Type<"Map", "map", "values by key"> {
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
}
def Graph_SparseTensorType : Graph_Type<"SparseTensor", "sparse_tensor", "a tensor that stores some of its elements"> {
  let parameters = (ins "::mlir::Type":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}
def Graph_OpaqueType : Graph_Type<"Opaque", "opaque", "a type that only its domain knows"> {
  let parameters = (ins "::mlir::StringAttr":$domain, "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $domain `,` $name `>`";
}

#endif // OPC_DIALECT_GRAPH_GRAPHATTRS_TD
