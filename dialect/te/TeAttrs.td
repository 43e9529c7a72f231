//===- TeAttrs.td - phases, comparisons, roundings --------------------------===//

#ifndef OPC_DIALECT_TE_TEATTRS_TD
#define OPC_DIALECT_TE_TEATTRS_TD

include "dialect/te/TeDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Properties.td"

class Te_Enum<string name, string summary, list<EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::opc::te";
}

def Te_PhaseEnum : Te_Enum<"Phase", "how far a body is lowered", [
  I32EnumCase<"Bound", 0, "bound">,
  I32EnumCase<"Fused", 1, "fused">,
]>;

def Te_PhaseAttr : AttrDef<Te_Dialect, "Phase"> {
  let mnemonic = "phase";
  let summary = "how far a body is lowered";
  let description = [{
    `bound`: the body consists of te ops on tensors and agrees with the contract. `fused`: the body consists of
    `linalg.generic` ops on tensors that are read from and written to memrefs, with explicit casts.
  }];
  let parameters = (ins EnumParameter<Te_PhaseEnum>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Te_EachAttr : AttrDef<Te_Dialect, "Each"> {
  let mnemonic = "each";
  let summary = "marks a value of a body that represents several tensors";
  let description = [{
    The encoding of the type of an input with a count: the value represents that many tensors. Elementwise ops accept
    it, and their results represent the same number of values; `te.fold`, `te.concat` and `te.stack` combine them into
    one value. The importer expands such values, so no phase has such types.
  }];
}

def Te_PredicateEnum : Te_Enum<"Predicate", "a comparison of two elements", [
  I32EnumCase<"Eq", 0, "eq">, // false with NaN
  I32EnumCase<"Ne", 1, "ne">, // true with NaN
  I32EnumCase<"Lt", 2, "lt">, // these are false with NaN
  I32EnumCase<"Le", 3, "le">,
  I32EnumCase<"Gt", 4, "gt">,
  I32EnumCase<"Ge", 5, "ge">,
]>;

def Te_RoundingEnum : Te_Enum<"Rounding", "how a cast rounds", [
  I32EnumCase<"NearestEven", 0, "nearest_even">,
  I32EnumCase<"NearestAway", 1, "nearest_away">,
  I32EnumCase<"Floor", 2, "floor">,
  I32EnumCase<"Ceil", 3, "ceil">,
  I32EnumCase<"Trunc", 4, "trunc">,
]>;

def Te_GeluEnum : Te_Enum<"GeluForm", "the formula of gelu", [
  I32EnumCase<"Erf", 0, "erf">,   // x / 2 * (1 + erf(x / sqrt(2)))
  I32EnumCase<"Tanh", 1, "tanh">, // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
]>;

def Te_ModEnum : Te_Enum<"ModForm", "how the quotient of mod is rounded", [
  I32EnumCase<"Floor", 0, "floor">, // the result has the sign of the right operand
  I32EnumCase<"Trunc", 1, "trunc">, // the result has the sign of the left operand
]>;

def Te_FoldEnum : Te_Enum<"FoldForm", "the operation by which a fold combines values", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Mul", 1, "mul">,
  I32EnumCase<"Maximum", 2, "maximum">,
  I32EnumCase<"Minimum", 3, "minimum">,
  I32EnumCase<"And", 4, "and">,
  I32EnumCase<"Or", 5, "or">,
]>;

def Te_ScanEnum : Te_Enum<"ScanForm", "what a scan combines elements to", [
  I32EnumCase<"Sum", 0, "sum">,
  I32EnumCase<"Product", 1, "product">,
  I32EnumCase<"Max", 2, "max">,
]>;

def Te_BeyondEnum : Te_Enum<"Beyond", "what an index that is no place means", [
  I32EnumCase<"Nearest", 0, "nearest">,  // the nearest index
  I32EnumCase<"FromEnd", 1, "from_end">, // -1 is the last index; else the nearest
  I32EnumCase<"Reflect", 2, "reflect">,  // mirrored at the first and the last index, which are not repeated
  I32EnumCase<"Wrap", 3, "wrap">,        // indices continue with the first one after the last
]>;

def Te_ScatterEnum : Te_Enum<"ScatterForm", "what becomes of an element and its update", [
  I32EnumCase<"Set", 0, "set">,
  I32EnumCase<"Add", 1, "add">,
  I32EnumCase<"Mul", 2, "mul">,
  I32EnumCase<"Max", 3, "max">,
  I32EnumCase<"Min", 4, "min">,
]>;

def Te_PredicateProp : EnumProp<Te_PredicateEnum>;
def Te_RoundingProp : DefaultValuedProp<EnumProp<Te_RoundingEnum>, "::opc::te::Rounding::NearestEven">;
def Te_GeluProp : EnumProp<Te_GeluEnum>;
def Te_ModProp : EnumProp<Te_ModEnum>;
def Te_FoldProp : EnumProp<Te_FoldEnum>;
def Te_ScanProp : EnumProp<Te_ScanEnum>;
def Te_BeyondProp : DefaultValuedProp<EnumProp<Te_BeyondEnum>, "::opc::te::Beyond::Nearest">;
def Te_ScatterProp : EnumProp<Te_ScatterEnum>;

#endif // OPC_DIALECT_TE_TEATTRS_TD
