// RUN: opc-opt --convert-aicore-to-loops --split-input-file --verify-diagnostics %s

#gm = #aicore.space<gm>

// What breaks without it: a kernel whose fields have no positions reads tiling data at random.
// expected-error @below {{[cpu_c1] expects a tiling function in 'aicore.tiling_function', found none}}
func.func @no_tiling(%x: memref<?xf32, #gm>) attributes {aicore.kernel} {
  return
}

// -----

#gm = #aicore.space<gm>

func.func @other() {
  return
}
// expected-error @below {{[cpu_c1] expects a tiling function in 'aicore.tiling_function', found 'other'}}
func.func @wrong_tiling(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @other} {
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
func.func @field(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  // expected-error @below {{[cpu_c1] expects a result of the tiling function, found "length"}}
  %length = aicore.tiling_data "length" : index
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: an operation without a lowering ends in an error about LLVM's internals.
func.func @op(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  // expected-error @below {{[cpu_c2] has no CPU form}}
  %a = memref.alloc() : memref<4xf32>
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
func.func @carried(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{[cpu_c2] expects loops to carry scalars}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %x) -> (memref<?xf32, #gm>) {
    scf.yield %v : memref<?xf32, #gm>
  }
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
func.func @chosen(%x: memref<?xf32, #gm>, %b: i1) attributes {aicore.kernel, aicore.tiling_function = @t} {
  // expected-error @below {{[cpu_c2] expects branches to yield scalars}}
  %r = scf.if %b -> (memref<?xf32, #gm>) {
    scf.yield %x : memref<?xf32, #gm>
  } else {
    scf.yield %x : memref<?xf32, #gm>
  }
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: a kernel with large buffers ends its thread on a page that is not there.
// expected-error @below {{[cpu_c3] expects buffers of at most 1048576 bytes together, found 2000000}}
func.func @large(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<500000xf32, #ub>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
func.func @types(%x: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf64, #ub>
  // expected-error @below {{[cpu_c4] expects types that the intrinsic has; this row of types is none of 'vabs'}}
  aicore.vabs ins(%a : memref<64xf64, #ub>) outs(%a : memref<64xf64, #ub>)
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: an element type without a size in memory ends the process.
// expected-error @below {{[cpu_c2] expects tensors and scalars of element types that memory has; argument 1 is 'i24'}}
func.func @odd_scalar(%x: memref<?xf32, #gm>, %s: i24) attributes {aicore.kernel, aicore.tiling_function = @t} {
  return
}

// -----

#gm = #aicore.space<gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// expected-error @below {{[cpu_c2] expects tensors and scalars of element types that memory has; argument 0 is 'memref<?xindex, #aicore.space<gm>>'}}
func.func @odd_tensor(%x: memref<?xindex, #gm>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  return
}
