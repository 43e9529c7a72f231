//===- CubeOps.td - the cube and its copies ---------------------------------===//
//
// Data of the cube passes L1 and L0A, L0B or L0C in fractals (AICoreDialect.td). Tiles are flat; the layout is a
// parameter of their memory space. Sizes are operands without padding; the ops round them up to whole fractals.

/// A flat tile in one memory, with one layout. The rule is part of the constraint, so that errors carry its label.
class AICore_CubeTile<string space, string layout, string rule>
    : Type<And<[
        CPred<"::llvm::isa<::mlir::MemRefType>($_self)">,
        CPred<"::opc::aicore::isCubeTile(::llvm::cast<::mlir::MemRefType>($_self), ::opc::aicore::Space::" # space #
              ", ::opc::aicore::Layout::" # layout # ")">]>,
        rule, "::mlir::MemRefType">;

def AICore_L1NzTile : AICore_CubeTile<"L1", "NZ", "[cube_c1] a rank 1 tile in l1 with layout nz">;
def AICore_L0ATile : AICore_CubeTile<"L0A", "ZZ", "[cube_c1] a rank 1 tile in l0a with layout zz">;
def AICore_L0BTile : AICore_CubeTile<"L0B", "ZN", "[cube_c1] a rank 1 tile in l0b with layout zn">;
def AICore_L0CTile : AICore_CubeTile<"L0C", "NZ", "[cube_c1] a rank 1 tile in l0c with layout nz">;
def AICore_BiasTile : AICore_CubeTile<"BT", "ND", "[cube_c1] a rank 1 tile in bt">;
def AICore_OperandTile : AnyTypeOf<[AICore_L0ATile, AICore_L0BTile],
                                   "[cube_c1] a rank 1 tile in l0a with layout zz or in l0b with layout zn",
                                   "::mlir::MemRefType">;

class AICore_CubeOp<string opMnemonic, string pipe, list<Trait> traits = []> : AICore_PipeOp<opMnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::opc::aicore::Pipe $cppClass::getPipe() { return ::opc::aicore::Pipe::}] # pipe # [{; }
  }];
}

def AICore_LoadNzOp : AICore_CubeOp<"load_nz", "MTE2"> {
  let summary = "copies rows from global memory to fractals in L1 (pipe mte2)";
  let description = [{
    The rows of the source become columns of fractals: column j has 32 bytes of each row, from byte 32 * j on, and
    begins `height` rows after column j - 1. The last 32 bytes of a row are filled with zeros. Rows from the number of
    the source's rows up to `height` are not written.

    The op is the vendor's `DataCopy` with `Nd2NzParams`. The headers and boards of this chip have it, but one page
    denies it: `nz_on_load` of the target.

    With `packed` the source is already in columns of fractals (FRACTAL_NZ): each row of the source is a column, or some
    of its 32-byte rows in order, and is copied unchanged. This is the vendor's plain `DataCopy` of blocks.

    * (cube_c1) 'destination' is a rank 1 tile in l1 with layout nz
    * (cube_c2) 'source' is a rank 2 view of gm with contiguous rows
    * (cube_c3) both have one element type: f16, bf16, f32 or i8; also i32, for biases

    ```mlir
    aicore.load_nz %x_gm -> %x_l1 height %c64 : memref<?x?xf16, strided<[?, 1], offset: ?>, #aicore.space<gm>> to memref<4096xf16, #aicore.space<l1, nz>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AICore_L1NzTile:$destination, Index:$height, UnitProp:$packed);
  let assemblyFormat = [{
    $source `->` $destination `height` $height (`packed` $packed^)? attr-dict `:` type($source) `to` type($destination)
  }];
}

def AICore_StoreNzOp : AICore_CubeOp<"store_nz", "MTE3"> {
  let summary = "copies rows from UB to fractals in L1 (pipe mte3)";
  let description = [{
    Row i begins at element i * `stride` of the source and has `columns` elements. The rows become columns of fractals,
    as those of `load_nz` do: column j has 32 bytes of each row and begins `height` rows after column j - 1. Whole
    blocks of 32 bytes are copied. Rows from `rows` up to `height` are not written.

    The op is a call of the vendor's `DataCopy` for each column of fractals. The headers and the platform's file have
    the path from UB to L1 on this chip, but one page denies it: `ub_to_l1` of the target.

    * (cube_c1) 'destination' is a rank 1 tile in l1 with layout nz
    * (cube_c3) both have one element type: f16, bf16, f32 or i8
    * (cube_c9) 'source' is a rank 1 tile in ub

    ```mlir
    aicore.store_nz %x -> %x_l1 rows %k columns %n stride %c128 height %c64 : memref<8192xf16, #aicore.space<ub>> to memref<8192xf16, #aicore.space<l1, nz>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AICore_L1NzTile:$destination, Index:$rows, Index:$columns, Index:$rowStride,
                       Index:$height);
  let assemblyFormat = [{
    $source `->` $destination `rows` $rows `columns` $columns `stride` $rowStride `height` $height attr-dict
    `:` type($source) `to` type($destination)
  }];
}

def AICore_FillOp : AICore_CubeOp<"fill", "MTE2"> {
  let summary = "sets blocks of a tile in L1 to a value (pipe mte2)";
  let description = [{
    Sets `rows` rows of `blocks` blocks of 32 bytes. The first row begins at block `at`; rows are `stride` blocks apart.
    Kernels use the op for the zeros beyond k that a copy of rows does not write.

    * (cube_c1) 'destination' is a rank 1 tile in l1 with layout nz
    * (cube_c3) 'value' has the element type of 'destination': f16, bf16, f32 or i8

    ```mlir
    aicore.fill %zero -> %x_l1 at %c48 rows %c4 of %c16 stride %c64 : f16 to memref<4096xf16, #aicore.space<l1, nz>>
    ```
  }];
  let arguments = (ins AnyType:$value, AICore_L1NzTile:$destination, Index:$at, Index:$rows, Index:$blocks,
                       Index:$stride);
  let assemblyFormat = [{
    $value `->` $destination `at` $at `rows` $rows `of` $blocks `stride` $stride attr-dict
    `:` type($value) `to` type($destination)
  }];
}

def AICore_LoadFractalsOp : AICore_CubeOp<"load_fractals", "MTE1"> {
  let summary = "copies a matrix from L1 to an operand of the cube (pipe mte1)";
  let description = [{
    The matrix in the destination has `rows` rows and `columns` columns, rounded up to whole fractals; its fractals are
    stored row by row. The source holds the matrix, or its transpose, in columns of `height` rows. The destination and
    `transpose` decide which:

    | destination | keyword | source holds | a fractal is |
    |---|---|---|---|
    | l0a | | the left operand, m x k | copied |
    | l0a | `transpose` | its transpose, k x m | transposed |
    | l0b | `transpose` | the right operand, k x n | transposed |
    | l0b | | its transpose, n x k | copied |

    A fractal of l0b is stored column by column, so there the plain copy reads the transpose. The op is a call of the
    vendor's `LoadData` for each row of fractals, or for each column if these are fewer.

    Bytes are transposed in squares of 32 x 32, two fractals that follow each other, by the vendor's
    `LoadDataWithTranspose`. So rows and columns are rounded up to 32, and `height` is a multiple of 32.

    The same call transposes f32 in squares of 16 x 16: two fractals of 8 columns, side by side in the matrix, that
    follow each other in L1. Columns of fractals of 16 rows have this order. So the source has a band for each 16 of k:
    columns of 16 rows, whose number is `height`, elements of m or n, a multiple of 16. A band begins 16 * `height`
    elements after the one before. Rows and columns are rounded up to 16.

    * (cube_c1) 'source' is a rank 1 tile in l1 with layout nz, 'destination' one in l0a or l0b
    * (cube_c3) both have one element type: f16, bf16, f32 or i8
    * (cube_c4) `transpose` requires elements of 16 bits, f32, or i8 in l0b

    ```mlir
    aicore.load_fractals %b_l1 -> %b_l0 rows %k columns %n height %c64 transpose : memref<8192xf16, #aicore.space<l1, nz>> to memref<8192xf16, #aicore.space<l0b, zn>>
    ```
  }];
  let arguments = (ins AICore_L1NzTile:$source, AICore_OperandTile:$destination, Index:$rows, Index:$columns,
                       Index:$height, UnitProp:$transpose);
  let assemblyFormat = [{
    $source `->` $destination `rows` $rows `columns` $columns `height` $height (`transpose` $transpose^)? attr-dict
    `:` type($source) `to` type($destination)
  }];
  let extraClassDeclaration = pipeMethods # [{
    /// Whether fractals, or squares, that are neighbours in a row of the destination are neighbours in the source, too,
    /// so that a row of them is contiguous in L1.
    bool isContiguous() {
      return (spaceOf(getDestination()) == Space::L0A) == (getTranspose() && !hasBands());
    }
    /// Whether fractals are transposed two by two, since their elements are bytes or f32.
    bool hasSquares() { return getTranspose() && getSource().getType().getElementTypeBitWidth() != 16; }
    /// Whether the source is in bands of 16 of k, since f32 is transposed.
    bool hasBands() { return getTranspose() && getSource().getType().getElementType().isF32(); }
    /// The units of rows and of columns, which the op rounds up to, in elements.
    int64_t rowUnit() { return unitOf(/*isAlongK=*/spaceOf(getDestination()) == Space::L0B); }
    int64_t columnUnit() { return unitOf(/*isAlongK=*/spaceOf(getDestination()) == Space::L0A); }
    int64_t unitOf(bool isAlongK);
  }];
}

def AICore_LoadIm2colOp : AICore_CubeOp<"load_im2col", "MTE1"> {
  let summary = "copies windows of an image in L1 to the left operand of the cube (pipe mte1)";
  let description = [{
    Image to columns: each place of a window is a row of a matrix, each element of a window a column. The op copies the
    part of this matrix from `rows from` and `columns from` on, rounded up to whole fractals, so that no kernel stores
    the matrix.

    The source has an image of `height` x `width` places as the format NC1HWC0 has it: for each block of channels, C0 of
    them, the places row by row, and for each place the 32 bytes of its C0 channels. `channels` is rounded up to whole
    blocks. The columns of the matrix are in the order (block of channels, row of the filter, column of the filter,
    channel in the block); its rows are the places of the result, row by row: as many as

        (height + top + bottom - dilation * (filter - 1) - 1) / stride + 1

    rounded down, and likewise across. Elements in the padding, `pads [top, bottom, left, right]`, are `pad`. Rows of the
    last fractals beyond the places are undefined.

    `rows from` is a multiple of 16, `columns from` one of C0. A matrix product with a window of one element needs no
    image: it is `load_fractals`.

    The op is the vendor's `LoadData` with `LoadData3DParamsV2`. The headers of this chip have it, but one page lists no
    loads in three dimensions for it: `im2col_on_load` of the target. It has no form for `l0b` here, where the chip
    transposes it.

    * (cube_c1) 'source' is a rank 1 tile in l1 with layout nz, 'destination' one in l0a with layout zz
    * (cube_c3) both and 'pad' have one element type: f16, bf16, f32 or i8
    * (cube_c10) an image has 12 operands: two sizes, four pads, and for filter, strides and dilations two numbers

    ```mlir
    aicore.load_im2col %x_l1 -> %x_l0 rows %m from %c0 columns %k from %k0 channels %c16 pad %zero image [%h, %w] pads [%top, %bottom, %left, %right] filter [%c3, %c3] strides [%c1, %c1] dilations [%c1, %c1] : f16, memref<65536xf16, #aicore.space<l1, nz>> to memref<8192xf16, #aicore.space<l0a, zz>>
    ```
  }];
  let arguments = (ins AICore_L1NzTile:$source, AICore_L0ATile:$destination, Index:$rows, Index:$firstRow,
                       Index:$columns, Index:$firstColumn, Index:$channels, AnyType:$pad, Variadic<Index>:$image);
  let assemblyFormat = [{
    $source `->` $destination `rows` $rows `from` $firstRow `columns` $columns `from` $firstColumn
    `channels` $channels `pad` $pad custom<Image>($image) attr-dict
    `:` type($pad) `,` type($source) `to` type($destination)
  }];
  let extraClassDeclaration = pipeMethods # [{
    ImageOperands getImageOperands() { return ImageOperands(getImage()); }
    /// Channels in a block, in elements: C0.
    int64_t blockChannels();
  }];
}

def AICore_LoadBiasOp : AICore_CubeOp<"load_bias", "MTE1"> {
  let summary = "copies numbers from L1 to the bias table (pipe mte1)";
  let description = [{
    Copies `count` elements, rounded up to 64 bytes. The table has 1,024 bytes: 256 biases. A load with `load_nz` of one
    row, with a `height` of 1, leaves a bias in L1 as it is in memory.

    The op is the vendor's `DataCopy` from A1 to C2. The headers and the platform's file have this path, and a page has
    products that start at it; the page of the copy does not list it: `bias_table_on_load` of the target.

    * (cube_c1) 'source' is a rank 1 tile in l1 with layout nz, 'destination' one in bt
    * (cube_c11) both have one element type: f32 or i32

    ```mlir
    aicore.load_bias %b_l1 -> %b count %n : memref<128xf32, #aicore.space<l1, nz>> to memref<128xf32, #aicore.space<bt>>
    ```
  }];
  let arguments = (ins AICore_L1NzTile:$source, AICore_BiasTile:$destination, Index:$count);
  let assemblyFormat = "$source `->` $destination `count` $count attr-dict `:` type($source) `to` type($destination)";
}

def AICore_MmadOp : AICore_CubeOp<"mmad", "M"> {
  let summary = "result = lhs * rhs, or result += lhs * rhs (pipe m)";
  let description = [{
    Multiplies the m x k matrix `lhs` by the k x n matrix `rhs`. With `init` true the sum starts at zero, else at the
    contents of `result`. With `bias`, a new sum starts at the bias of its column instead of zero. Sizes are without
    padding; operands and result are whole fractals. Rows beyond m and columns beyond n of the result are undefined. Elements beyond k must be zeros: one page says that the chip ignores them, but
    no kernel should depend on it.

    With m = 1 the chip reads `lhs` as one row of k elements instead of as fractals. So an m that is computed has to be
    known not to be 1 (placed_c26): use m = 2.

    * (cube_c1) 'lhs' is a tile in l0a with layout zz, 'rhs' one in l0b with layout zn, 'result' one in l0c with layout nz
    * (cube_c5) 'lhs' and 'rhs' have one element type, f16, bf16 or f32 with f32 in 'result', or i8 with i32
    * (cube_c6) a constant m is not 1
    * (cube_c11) 'bias' has the element type of 'result'

    ```mlir
    aicore.mmad ins(%a, %b : memref<8192xf16, #aicore.space<l0a, zz>>, memref<8192xf16, #aicore.space<l0b, zn>>) outs(%c : memref<16384xf32, #aicore.space<l0c, nz>>) m %m k %k n %n init %first
    ```
  }];
  let arguments = (ins AICore_L0ATile:$lhs, AICore_L0BTile:$rhs, AICore_L0CTile:$result, Index:$m, Index:$k, Index:$n,
                       I1:$init, Optional<AICore_BiasTile>:$bias);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` `outs` `(` $result `:` type($result) `)`
    `m` $m `k` $k `n` $n `init` $init (`bias` $bias^ `:` type($bias))? attr-dict
  }];
}

def AICore_MultiplyOp : AICore_Op<"multiply", [AttrSizedOperandSegments]> {
  let summary = "multiplies matrices in L1 in steps of k, before phase rotated (pipes mte1 and m)";
  let description = [{
    Result = lhs * rhs, or result += lhs * rhs, as `mmad` has it, of operands in L1. The op is legal at phase `placed`
    alone: `aicore-expand-multiply` replaces it by a loop over parts of k with buffers in L0A and L0B, the loads of the
    operands and an `mmad`. The part is the largest, up to 512, for which both operands fit L0A and L0B twice. So a body
    by hand says what is multiplied, and the later passes see every pipe.

    `lhs` is m x k and `rhs` is k x n; with `transpose` they lie in L1 as k x m and n x k. Each is in columns of
    fractals of a constant number of rows, in brackets. Elements beyond k must be zeros, as for `mmad`. A tile whose
    columns are not along k holds whole parts: its k is rounded up to a multiple of the part.

    With `im2col` the left operand is an image, whose windows are the rows: `rows from`, `channels`, `pad` and the image
    are those of `load_im2col`. It has no height.

    Bounds of m, k and n must be known: the sizes of the buffers follow from them.

    * (cube_c1) 'lhs' and 'rhs' are rank 1 tiles in l1 with layout nz, 'result' is one in l0c with layout nz
    * (cube_c5) 'lhs' and 'rhs' have one element type, f16, bf16 or f32 with f32 in 'result', or i8 with i32
    * (cube_c11) 'bias' has the element type of 'result'
    * (cube_c12) the heights are whole fractals, at most 1048576 rows; with `im2col` there is an image with 12 operands
      and no height of 'lhs'
    * (cube_c4) f32 lies along k: 'lhs' without `transpose`, 'rhs' with it

    ```mlir
    aicore.multiply ins(%x_l1[128], %w_l1[256] : memref<32768xf16, #aicore.space<l1, nz>>, memref<32768xf16, #aicore.space<l1, nz>>) outs(%c : memref<16384xf32, #aicore.space<l0c, nz>>) m %m k %k n %n init %first
    ```
  }];
  let arguments = (ins AICore_L1NzTile:$lhs, AICore_L1NzTile:$rhs, AICore_L0CTile:$result, Index:$m, Index:$k, Index:$n,
                       I1:$init, Optional<AICore_BiasTile>:$bias, Optional<Index>:$firstRow, Optional<Index>:$channels,
                       Optional<AnyType>:$pad, Variadic<Index>:$image, DefaultValuedProp<I64Prop, "0">:$lhsHeight,
                       I64Prop:$rhsHeight, UnitProp:$lhsTranspose, UnitProp:$rhsTranspose);
  let assemblyFormat = [{
    `ins` `(` $lhs (`[` $lhsHeight^ `]`)? (`transpose` $lhsTranspose^)? `,` $rhs `[` $rhsHeight `]`
    (`transpose` $rhsTranspose^)? `:` type($lhs) `,` type($rhs) `)` `outs` `(` $result `:` type($result) `)`
    `m` $m `k` $k `n` $n `init` $init (`bias` $bias^ `:` type($bias))?
    (`im2col` `rows` `from` $firstRow^ `channels` $channels `pad` $pad `:` type($pad) custom<Image>($image))? attr-dict
  }];
  let hasVerifier = 1;
}

def AICore_FixpipeOp : AICore_CubeOp<"fixpipe", "FIX", [AttrSizedOperandSegments]> {
  let summary = "copies a result of the cube to UB or global memory, row by row (pipe fix)";
  let description = [{
    Copies m rows of n elements from fractals. f16 and bf16 are rounded to nearest, ties to even. With `relu`, negative
    elements become 0. In UB, row i begins at element i * `stride`, and the copy counts as an access of the whole tile;
    in gm, the view `destination` has the rows.

    The source holds the result in columns of fractals, `height` rows apart, or without `height` as many rows as m
    rounded up to 16. So rows of a larger result are a view that begins at row 16 * i, with the height of the whole.

    With `nz` the view `destination` in gm has the fractals of the result as they are, one column of 16 elements of each
    of m rows after the other: n / 16 rows of m * 16 elements. n is a multiple of 16. This is the format NC1HWC0 for
    elements of 16 bits, whose blocks have 16 channels.

    `scale` makes i32 f16: column j is multiplied by its scale in f32, before `relu`. The tile has 8 bytes for each
    column, an f32 and zeros, in the order of columns. The chip has scales of 19 bits: the low 13 bits of the f32 must
    be zeros. The vendor's call copies them to the fixpipe buffer itself, 256 at a time.

    This chip has no flag between FIX and V, and none from MTE3 to FIX: such pipes are synchronised through MTE1.

    * (cube_c1) 'source' is a rank 1 tile in l0c with layout nz
    * (cube_c7) 'destination' is a rank 1 tile in ub with `stride`, or a rank 2 view of gm with contiguous rows without
    * (cube_c8) 'source' has f32 and 'destination' f32, f16 or bf16, or both have i32; with `scale` i32 and f16
    * (cube_c13) 'scale' is a rank 1 tile of f32 in l1 with layout nz
    * (cube_c14) `nz` has 'destination' in gm

    ```mlir
    aicore.fixpipe %c -> %y m %m n %n stride %c128 : memref<16384xf32, #aicore.space<l0c, nz>> to memref<16384xf32, #aicore.space<ub>>
    ```
  }];
  let arguments = (ins AICore_L0CTile:$source, AnyMemRef:$destination, Index:$m, Index:$n, Optional<Index>:$height,
                       Optional<Index>:$rowStride, Optional<AnyMemRef>:$scale, UnitProp:$relu, UnitProp:$nz);
  let assemblyFormat = [{
    $source `->` $destination `m` $m `n` $n (`height` $height^)? (`stride` $rowStride^)? (`scale` $scale^ `:` type($scale))?
    (`relu` $relu^)? (`nz` $nz^)? attr-dict `:` type($source) `to` type($destination)
  }];
}
