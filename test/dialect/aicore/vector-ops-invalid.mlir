// RUN: opc-opt %s -split-input-file -verify-diagnostics

// The vector unit sees UB alone.
func.func @vector_c1_space(%x: memref<16xf16, #aicore.space<gm>>) {
  // expected-error @+1 {{[vector_c1] expects rank 1 tiles in ub whose elements lie together}}
  aicore.vexp ins(%x : memref<16xf16, #aicore.space<gm>>) outs(%x : memref<16xf16, #aicore.space<gm>>)
  return
}

// -----

func.func @vector_c1_rank(%x: memref<2x16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c1] expects rank 1 tiles}}
  aicore.vexp ins(%x : memref<2x16xf16, #aicore.space<ub>>) outs(%x : memref<2x16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c1_stride(%x: memref<16xf16, strided<[2]>, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c1] expects rank 1 tiles in ub whose elements lie together}}
  aicore.vexp ins(%x : memref<16xf16, strided<[2]>, #aicore.space<ub>>) outs(%x : memref<16xf16, strided<[2]>, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c2(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<32xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c2] expects tiles of one length}}
  aicore.vadd ins(%x, %y : memref<16xf16, #aicore.space<ub>>, memref<32xf16, #aicore.space<ub>>) outs(%y : memref<32xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c3_sources(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects sources of one element type, found 'f16' and 'f32'}}
  aicore.vadd ins(%x, %y : memref<16xf16, #aicore.space<ub>>, memref<16xf32, #aicore.space<ub>>) outs(%y : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

// Only casts and the compounds with a cast in their name convert.
func.func @vector_c3_destination(%x: memref<16xf16, #aicore.space<ub>>, %y: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects the destination to have the element type of the sources 'f16', found 'f32'}}
  aicore.vadd ins(%x, %x : memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>) outs(%y : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c3_offsets(%x: memref<16xf16, #aicore.space<ub>>, %o: memref<16xi32, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c3] expects offsets of ui32, found 'i32'}}
  aicore.vgather ins(%x, %o : memref<16xf16, #aicore.space<ub>>, memref<16xi32, #aicore.space<ub>>) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

// A kernel cannot convert a scalar to half: attributes are converted on the host.
func.func @vector_c4(%x: memref<16xf16, #aicore.space<ub>>, %s: f32) {
  // expected-error @+1 {{[vector_c4] expects a scalar of the element type 'f16', found 'f32'}}
  aicore.vmuls ins(%x, %s : memref<16xf16, #aicore.space<ub>>, f32) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c4_fill(%x: memref<16xf16, #aicore.space<ub>>, %s: f32) {
  // expected-error @+1 {{[vector_c4] expects a scalar of the element type 'f16', found 'f32'}}
  aicore.vbrc ins(%s : f32) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

// One bit too few would leave the mask's neighbour overwritten.
func.func @vector_c5_short(%x: memref<136xf16, #aicore.space<ub>>, %m: memref<16xui8, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a mask tile of ui8 with a bit for each element}}
  aicore.vcmp lt ins(%x, %x : memref<136xf16, #aicore.space<ub>>, memref<136xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  return
}

// -----

func.func @vector_c5_type(%x: memref<16xf16, #aicore.space<ub>>, %m: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[vector_c5] expects a mask tile of ui8}}
  aicore.vsel ins(%m, %x, %x : memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>, memref<16xf16, #aicore.space<ub>>) outs(%x : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

func.func @reduce_c1(%x: memref<16xf32, #aicore.space<ub>>, %y: memref<0xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{[reduce_c1] expects a destination of at least one element}}
  aicore.vreduce_sum ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%y : memref<0xf32, #aicore.space<ub>>) scratch(%x : memref<16xf32, #aicore.space<ub>>)
  return
}

// -----

func.func @reduce_c2(%x: memref<16xf32, #aicore.space<ub>>, %w: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[reduce_c2] expects a scratch tile of the element type 'f32', found 'f16'}}
  aicore.vreduce_sum ins(%x : memref<16xf32, #aicore.space<ub>>) outs(%x : memref<16xf32, #aicore.space<ub>>) scratch(%w : memref<16xf16, #aicore.space<ub>>)
  return
}

// -----

// A mnemonic that is none of the chip's is no op.
func.func @unknown(%x: memref<16xf32, #aicore.space<ub>>) {
  // expected-error @+1 {{unregistered operation 'aicore.vtanh'}}
  "aicore.vtanh"(%x) : (memref<16xf32, #aicore.space<ub>>) -> ()
  return
}
