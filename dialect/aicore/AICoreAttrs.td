//===- AICoreAttrs.td - memory spaces, pipes, phases, modes ----------------===//

#ifndef OPC_DIALECT_AICORE_AICOREATTRS_TD
#define OPC_DIALECT_AICORE_AICOREATTRS_TD

include "dialect/aicore/AICoreDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Properties.td"

class AICore_Enum<string name, string summary, list<EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::opc::aicore";
}

class AICore_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<AICore_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Memory spaces
//===----------------------------------------------------------------------===//

def AICore_SpaceEnum : AICore_Enum<"Space", "memory of an AI Core", [
  I32EnumCase<"GM", 0, "gm">,   // global memory, off chip
  I32EnumCase<"UB", 1, "ub">,   // unified buffer, where the vector unit works
  I32EnumCase<"L1", 2, "l1">,   // staging for the cube
  I32EnumCase<"L0A", 3, "l0a">, // left operand of the cube
  I32EnumCase<"L0B", 4, "l0b">, // right operand of the cube
  I32EnumCase<"L0C", 5, "l0c">, // result of the cube
  I32EnumCase<"BT", 6, "bt">,   // bias table of the cube
]>;

def AICore_LayoutEnum : AICore_Enum<"Layout", "how the elements of a matrix lie in a tile", [
  I32EnumCase<"ND", 0, "nd">, // row by row
  I32EnumCase<"NZ", 1, "nz">, // fractals column by column, row by row inside
  I32EnumCase<"ZZ", 2, "zz">, // fractals row by row, row by row inside
  I32EnumCase<"ZN", 3, "zn">, // fractals row by row, column by column inside
]>;

def AICore_LayoutParameter : EnumParameter<AICore_LayoutEnum> {
  let defaultValue = "::opc::aicore::Layout::ND";
}

def AICore_SpaceAttr : AICore_Attr<"Space", "space"> {
  let summary = "the memory space of a memref";
  let description = [{
    For example `memref<8192xf16, #aicore.space<ub>>`. A tile of the cube also has a layout of its fractals:
    `memref<8192xf16, #aicore.space<l1, nz>>`. A fractal has 16 rows of 32 bytes, in `l0c` 16 rows of 16 elements.

    | layout | order of the fractals | inside of a fractal | where |
    |---|---|---|---|
    | `nd` | no fractals | | `gm`, `ub`, `l1`, `bt` |
    | `nz` | column by column | row by row | `l1`, `l0c` |
    | `zz` | row by row | row by row | `l0a` |
    | `zn` | row by row | column by column | `l0b` |

    * (space_c1) a memory has one of its layouts
  }];
  let parameters = (ins EnumParameter<AICore_SpaceEnum>:$value,
                        AICore_LayoutParameter:$layout);
  let builders = [AttrBuilder<(ins "::opc::aicore::Space":$value), [{
    return $_get($_ctxt, value, ::opc::aicore::Layout::ND);
  }]>];
  let assemblyFormat = "`<` $value (`,` $layout^)? `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

def AICore_PhaseEnum : AICore_Enum<"Phase", "how far a kernel is lowered", [
  I32EnumCase<"Placed", 0, "placed">,
  I32EnumCase<"Rotated", 1, "rotated">,
  I32EnumCase<"Planned", 2, "planned">,
  I32EnumCase<"Synced", 3, "synced">,
]>;

def AICore_PhaseAttr : AICore_Attr<"Phase", "phase"> {
  let summary = "how far a kernel is lowered";
  let description = [{
    `attributes {aicore.phase = #aicore.phase<placed>}`. A pass lowers the kernels of the preceding phase and leaves
    kernels of later phases unchanged, so a kernel written by hand enters the pipeline at the phase whose rules it
    satisfies. A kernel of an earlier phase is an error.
  }];
  let parameters = (ins EnumParameter<AICore_PhaseEnum>:$value);
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Sizes of a launch
//===----------------------------------------------------------------------===//

def AICore_SizeKindEnum : AICore_Enum<"SizeKind", "a size of a launch", [
  I32EnumCase<"NumElements", 0, "num_elements">,
  I32EnumCase<"Dim", 1, "dim">,
  I32EnumCase<"Rank", 2, "rank">,
  I32EnumCase<"MaxBlocks", 3, "max_blocks">,
  I32EnumCase<"Reduced", 4, "reduced">,
]>;

def AICore_SizeAttr : AICore_Attr<"Size", "size"> {
  let summary = "which size of the launch an argument of a tiling function receives";
  let description = [{
    | size | value |
    |---|---|
    | `#aicore.size<num_elements of "x1">` | the number of elements of the tensor |
    | `#aicore.size<rank of "x1">` | the rank of the tensor |
    | `#aicore.size<dim -1 of "x1">` | a dimension; negative numbers count from the last, a missing dimension is 1 |
    | `#aicore.size<max_blocks>` | the number of blocks that the device can run at once |
    | `#aicore.size<reduced -1 of "x">` | 1 if the launch reduces that axis of the tensor, else 0 |
  }];
  let parameters = (ins
    EnumParameter<AICore_SizeKindEnum>:$kind,
    OptionalParameter<"int64_t">:$dim,
    OptionalParameter<"::mlir::StringAttr">:$tensor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Resource usage and schedules
//===----------------------------------------------------------------------===//

def AICore_NeedsAttr : AICore_Attr<"Needs", "needs"> {
  let summary = "the resource usage of an instance, independent of its tile size";
  let description = [{
    The use of UB, DMA and the vector unit by the tile program of an instance of a te body. The schedule of the instance
    is chosen from it. For example:

    ```text
    #aicore.needs<tile_bits = 96, row_bytes = 0, second_bits = 48, second_bytes = 0, fixed_bytes = 0, buffers = 3,
                  loads = 2, load_bytes = 4, store_bytes = 2, smallest = 2, reads_scalars = false>
    ```

    | parameter | meaning |
    |---|---|
    | `tile_bits` | bits of UB for each element of a tile, with two slots |
    | `row_bytes` | bytes of UB for each row of a tile, with two slots |
    | `second_bits`, `second_bytes` | the parts of `tile_bits` and `row_bytes` that the second slots take |
    | `fixed_bytes` | bytes of UB that depend neither on the elements nor on the rows of a tile |
    | `buffers` | the number of buffers |
    | `loads` | copies into UB for each tile |
    | `load_bytes`, `store_bytes` | bytes that are loaded and stored for each element of a tile |
    | `smallest` | bytes of the smallest element type |
    | `reads_scalars` | whether the scalar unit reads UB in the loop over tiles |
    | `alias`, `expansion` | the parameters of the schedule to which this resource usage applies |
    | `passes` | the number of passes over a row |
    | `tile_ops`, `row_ops` | vector intrinsics for each tile, and for each row of a tile |
    | `cycles` | cycles of the vector unit for 16384 elements, without the start-up cost of the intrinsics |
    | `load_reach`, `store_reach` | the parts of the computation that use loaded and stored tiles, see below |
    | `operand_bytes` | bytes of an element of the operands of the cube, at least 2 |
    | `folds_lanes` | whether rows are reduced by a loop over them that combines halves, for integers and products |

    `load_reach` and `store_reach` are given in thousandths of the cycles of the computation. `load_reach` is the part
    up to the last intrinsic that touches a loaded tile. `store_reach` is the part from the first intrinsic that touches
    a stored tile to the end. With one slot, the load of the next tile starts after the first of these parts, and the
    second one starts after the store of the previous tile:

    ```text
    v          | cast x | ........................... | cast y |
    x's bytes  |--------|                                          load_reach: a small part
    y's bytes                                         |--------|   store_reach: a small part
    ```
  }];
  let parameters = (ins "int64_t":$tile_bits, "int64_t":$row_bytes, "int64_t":$second_bits, "int64_t":$second_bytes,
                    "int64_t":$fixed_bytes, "int64_t":$buffers, "int64_t":$loads, "int64_t":$load_bytes,
                    "int64_t":$store_bytes, "int64_t":$smallest, "bool":$reads_scalars,
                    DefaultValuedParameter<"bool", "false">:$alias, DefaultValuedParameter<"int64_t", "32">:$expansion,
                    DefaultValuedParameter<"int64_t", "1">:$passes, DefaultValuedParameter<"int64_t", "0">:$tile_ops,
                    DefaultValuedParameter<"int64_t", "0">:$row_ops, DefaultValuedParameter<"int64_t", "0">:$cycles,
                    DefaultValuedParameter<"int64_t", "1000">:$load_reach,
                    DefaultValuedParameter<"int64_t", "1000">:$store_reach,
                    DefaultValuedParameter<"int64_t", "2">:$operand_bytes,
                    DefaultValuedParameter<"bool", "false">:$folds_lanes);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Elements for which `cycles` are counted: so many that starts do not matter.
    static constexpr int64_t kCountedElements = 16384;
    /// The whole of which `load_reach` and `store_reach` are parts.
    static constexpr int64_t kWholeReach = 1000;
  }];
}

def AICore_ScheduleAttr : AICore_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel is tiled";
  let description = [{
    The decisions of the heuristic or of the author's schedule file. The passes read them and make no such decision
    themselves. For example `#aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>`.

    | parameter | meaning |
    |---|---|
    | `tile` | the maximum number of elements of a tile, which is its capacity in UB |
    | `rows` | the maximum number of rows of a tile |
    | `slots` | the number of tiles that DMA and the vector unit process at the same time: 1 or 2 |
    | `prefetch` | the next tile is loaded before the current tile is computed, which waits for scalars |
    | `alignment` | the alignment of buffers in UB, in bytes; the default is 32, which the chip requires |
    | `alias` | results may take the bytes of loaded tiles that are no longer read; the next load then waits for them |
    | `expansion` | width of the float type, 16 or 32, for expanded functions whose operand was converted from float16 |

    An expanded function is one for which the chip has no intrinsic.

    * (schedule_c1) `tile` is a multiple of 256, from 256 to 1048576
    * (schedule_c2) `rows` is from 1 to 4095
    * (schedule_c3) `slots` is 1 or 2, and 2 with `prefetch`
    * (schedule_c4) `alignment` is a power of two from 32 to 4096
    * (schedule_c5) `expansion` is 16 or 32
  }];
  let parameters = (ins "int64_t":$tile, "int64_t":$rows, "int64_t":$slots, "bool":$prefetch,
                    DefaultValuedParameter<"int64_t", "32">:$alignment, DefaultValuedParameter<"bool", "false">:$alias,
                    DefaultValuedParameter<"int64_t", "32">:$expansion);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Properties of ops
//===----------------------------------------------------------------------===//

def AICore_PipeEnum : AICore_Enum<"Pipe", "an instruction queue of the AI Core", [
  I32EnumCase<"S", 0, "s">,       // scalar unit
  I32EnumCase<"V", 1, "v">,       // vector unit
  I32EnumCase<"M", 2, "m">,       // cube
  I32EnumCase<"MTE1", 3, "mte1">, // L1 to L0A, L0B
  I32EnumCase<"MTE2", 4, "mte2">, // GM to UB, L1
  I32EnumCase<"MTE3", 5, "mte3">, // UB to GM
  I32EnumCase<"FIX", 6, "fix">,   // L0C out
]>;

def AICore_RoundingEnum : AICore_Enum<"Rounding", "how a cast rounds", [
  I32EnumCase<"None", 0, "none">,   // exact
  I32EnumCase<"Rint", 1, "rint">,   // to nearest, ties to even
  I32EnumCase<"Floor", 2, "floor">, // toward minus infinity
  I32EnumCase<"Ceil", 3, "ceil">,   // toward plus infinity
  I32EnumCase<"Round", 4, "round">, // to nearest, ties away from zero
  I32EnumCase<"Trunc", 5, "trunc">, // toward zero
  I32EnumCase<"Odd", 6, "odd">,     // toward zero, lowest bit set when inexact (f32 to f16)
]>;

def AICore_CompareEnum : AICore_Enum<"Comparison", "a comparison of two elements", [
  I32EnumCase<"Lt", 0, "lt">,
  I32EnumCase<"Gt", 1, "gt">,
  I32EnumCase<"Eq", 2, "eq">,
  I32EnumCase<"Le", 3, "le">,
  I32EnumCase<"Ge", 4, "ge">,
  I32EnumCase<"Ne", 5, "ne">,
]>;

def AICore_KeepEnum : AICore_Enum<"Keep", "which elements of a tile are kept, by their index", [
  I32EnumCase<"Even", 1, "even">,     // 0, 2, 4, ...
  I32EnumCase<"Odd", 2, "odd">,       // 1, 3, 5, ...
  I32EnumCase<"First", 3, "first">,   // of every four: 0, 4, 8, ...
  I32EnumCase<"Second", 4, "second">, // 1, 5, 9, ...
  I32EnumCase<"Third", 5, "third">,   // 2, 6, 10, ...
  I32EnumCase<"Fourth", 6, "fourth">, // 3, 7, 11, ...
  I32EnumCase<"All", 7, "all">,
]>;

def AICore_KeepProp : EnumProp<AICore_KeepEnum>;
def AICore_PipeProp : EnumProp<AICore_PipeEnum>;
def AICore_RoundingProp : EnumProp<AICore_RoundingEnum>;
def AICore_CompareProp : EnumProp<AICore_CompareEnum>;

#endif // OPC_DIALECT_AICORE_AICOREATTRS_TD
