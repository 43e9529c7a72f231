// RUN: opc-opt %s -split-input-file -verify-diagnostics

// A load the wrong way round is what mte3 does.
func.func @load_c1(%x: memref<?xf16, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c1] expects 'source' in gm and 'destination' in ub}}
  aicore.load %t -> %x : memref<?xf16, #aicore.space<ub>> to memref<?xf16, #aicore.space<gm>>
  return
}

// -----

// UB to UB is not offered on this chip.
func.func @load_c1_ub(%t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c1] expects 'source' in gm and 'destination' in ub}}
  aicore.load %t -> %t : memref<?xf16, #aicore.space<ub>> to memref<?xf16, #aicore.space<ub>>
  return
}

// -----

func.func @load_c2_size(%x: memref<32xf16, #aicore.space<gm>>, %t: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c2] expects 'source' and 'destination' of one shape of rank 1 or 2}}
  aicore.load %x -> %t : memref<32xf16, #aicore.space<gm>> to memref<16xf16, #aicore.space<ub>>
  return
}

// -----

func.func @load_c2_rank(%x: memref<1x1x16xf16, #aicore.space<gm>>, %t: memref<1x1x16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c2] expects 'source' and 'destination' of one shape of rank 1 or 2}}
  aicore.load %x -> %t : memref<1x1x16xf16, #aicore.space<gm>> to memref<1x1x16xf16, #aicore.space<ub>>
  return
}

// -----

// DMA converts nothing.
func.func @load_c3(%x: memref<?xf32, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c3] expects one element type of a number, found 'f32' and 'f16'}}
  aicore.load %x -> %t : memref<?xf32, #aicore.space<gm>> to memref<?xf16, #aicore.space<ub>>
  return
}

// -----

func.func @load_c3_pad(%x: memref<?xf16, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>, %p: f32) {
  // expected-error @+1 {{[load_c3] expects 'pad' to have the element type 'f16', found 'f32'}}
  aicore.load %x -> %t pad(%p : f32) : memref<?xf16, #aicore.space<gm>> to memref<?xf16, #aicore.space<ub>>
  return
}

// -----

// A stride between elements would be a gather, which DMA cannot do.
func.func @load_c4(%x: memref<?xf16, strided<[2]>, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[load_c4] expects elements of a row to lie together}}
  aicore.load %x -> %t : memref<?xf16, strided<[2]>, #aicore.space<gm>> to memref<?xf16, #aicore.space<ub>>
  return
}

// -----

func.func @store_c1(%x: memref<?xf16, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[store_c1] expects 'source' in ub and 'destination' in gm}}
  aicore.store %x -> %t : memref<?xf16, #aicore.space<gm>> to memref<?xf16, #aicore.space<ub>>
  return
}

// -----

func.func @store_c2(%x: memref<32xf16, #aicore.space<gm>>, %t: memref<16xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[store_c2] expects 'source' and 'destination' of one shape}}
  aicore.store %t -> %x : memref<16xf16, #aicore.space<ub>> to memref<32xf16, #aicore.space<gm>>
  return
}

// -----

func.func @store_c3(%x: memref<?xf32, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[store_c3] expects one element type of a number}}
  aicore.store %t -> %x : memref<?xf16, #aicore.space<ub>> to memref<?xf32, #aicore.space<gm>>
  return
}

// -----

func.func @store_c4(%x: memref<?xf16, strided<[2]>, #aicore.space<gm>>, %t: memref<?xf16, #aicore.space<ub>>) {
  // expected-error @+1 {{[store_c4] expects elements of a row to lie together}}
  aicore.store %t -> %x : memref<?xf16, #aicore.space<ub>> to memref<?xf16, strided<[2]>, #aicore.space<gm>>
  return
}

// -----

// The chip adds into GM in four types only.
func.func @store_c5(%x: memref<?xi8, #aicore.space<gm>>, %t: memref<?xi8, #aicore.space<ub>>) {
  // expected-error @+1 {{[store_c5] expects elements of i16, f16, i32 or f32 for 'atomic_add', found 'i8'}}
  aicore.store %t -> %x atomic_add : memref<?xi8, #aicore.space<ub>> to memref<?xi8, #aicore.space<gm>>
  return
}
