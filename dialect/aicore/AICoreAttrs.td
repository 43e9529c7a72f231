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
]>;

def AICore_SpaceAttr : AICore_Attr<"Space", "space"> {
  let summary = "the memory a memref lies in";
  let description = [{
    The memory space of a memref: `memref<8192xf16, #aicore.space<ub>>`.
  }];
  let parameters = (ins EnumParameter<AICore_SpaceEnum>:$value);
  let assemblyFormat = "`<` $value `>`";
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
    `attributes {aicore.phase = #aicore.phase<placed>}`. A pass takes the kernels of the phase before its own and leaves
    those that are past it alone, so a kernel written by hand enters at the phase its form satisfies. A kernel that is not
    there yet is an error.
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
    `#aicore.size<num_elements of "x1">`, `#aicore.size<rank of "x1">`, `#aicore.size<dim -1 of "x1">` (negative
    dimensions count from the last; a dimension that the tensor lacks is 1), `#aicore.size<max_blocks>` (blocks the
    device can use at once), `#aicore.size<reduced -1 of "x">` (1 when the launch reduces that axis of the tensor, else 0).
  }];
  let parameters = (ins
    EnumParameter<AICore_SizeKindEnum>:$kind,
    OptionalParameter<"int64_t">:$dim,
    OptionalParameter<"::mlir::StringAttr">:$tensor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// What is decided before loops are made
//===----------------------------------------------------------------------===//

def AICore_NeedsAttr : AICore_Attr<"Needs", "needs"> {
  let summary = "what a kernel takes of UB and of the data paths, apart from how large its tile is";
  let description = [{
    On an instance of a te body: what its tile program needs, from which a schedule is chosen.

    `#aicore.needs<tile_bits = 96, row_bytes = 0, second_bits = 48, second_bytes = 0, fixed_bytes = 0, buffers = 3,
    loads = 2, load_bytes = 4, store_bytes = 2, smallest = 2, reads_scalars = false>`: bits of UB for each element of a
    tile with both slots, bytes for each row of a tile, what of these two the second slots take, bytes beside; buffers;
    copies into UB for each tile, bytes they bring and bytes that leave for each element; bytes of the smallest element
    type; whether the scalar unit reads UB inside of the loop over tiles.

    With `alias` and `expansion` they are the needs under a schedule that says so. `passes` over a row; `tile_ops`,
    `row_ops` and `cycles` say what the vector unit does: intrinsics for each tile, for each row of a tile, and cycles for
    16384 elements beyond what starting them takes.

    `load_reach` and `store_reach` say how far into this computation, in thousandths of its cycles, the buffers of DMA are
    in use: up to the last intrinsic that touches what was loaded, and from the first one that touches what is stored. With
    one slot the next tile is loaded after the former, and a tile is computed on from the latter after the store of the one
    before:

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
                    DefaultValuedParameter<"int64_t", "1000">:$store_reach);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Elements for which `cycles` are counted: so many that starts do not matter.
    static constexpr int64_t kCountedElements = 16384;
    /// What `load_reach` and `store_reach` are parts of.
    static constexpr int64_t kWholeReach = 1000;
  }];
}

def AICore_ScheduleAttr : AICore_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel is tiled";
  let description = [{
    The decisions that passes consume and only the heuristic or the author's schedule file makes:
    `#aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>`.

    | field | says |
    |---|---|
    | `tile` | elements that a tile has at most, its capacity in UB |
    | `rows` | rows that a tile of rows has at most |
    | `slots` | tiles that DMA and the vector unit have in work: 1 or 2 |
    | `prefetch` | loads of the next tile are issued before the computation of this one, which waits for scalars |
    | `alignment` | bytes of UB that buffers start at a multiple of; 32, what the chip asks for, is left out |
    | `alias` | results may take the bytes of loaded tiles that nobody reads any more; the next load then waits for them |
    | `expansion` | bits of the float type in which functions that the chip lacks are computed where their operand has come from float16: 16 or 32 |

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

def AICore_KeepEnum : AICore_Enum<"Keep", "which elements of a tile are kept, by their number", [
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
