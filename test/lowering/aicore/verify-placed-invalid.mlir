// RUN: opc-opt %s --aicore-verify-placed --split-input-file --verify-diagnostics

// Each rule of phase `placed` reports what it forbids.

// placed_c1: a copy that a pass left behind would be lost by every emitter.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c1] expects a kernel to consist of tiles, DMA, intrinsics, loops and scalar arithmetic; found 'memref.copy'}}
  memref.copy %a, %b : memref<64xf32, #aicore.space<ub>> to memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c1: an allocation has no place that the planner knows.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{found 'memref.alloc'}}
  %a = memref.alloc() : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c1: a loop whose trip count is unknown.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %true = arith.constant true
  // expected-error @below {{found 'scf.while'}}
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}

// -----

// placed_c1: passes move ops; a flag that stands already would then order something else.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c1] expects 'aicore.pipe_barrier' from phase 'synced' on, found it in phase 'placed'}}
  aicore.pipe_barrier v
  return
}

// -----

// placed_c2: tensors have no bytes.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c2] expects scalars of index or a number type, and memrefs of numbers in a memory of the dialect; found 'vector<4xf32>'}}
  %v = arith.constant dense<0.0> : vector<4xf32>
  return
}

// -----

// placed_c2: i7 is no number the chip has.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
// expected-error-re @below {{[placed_c2]{{.*}}found 'i7'}}
func.func @k(%a: i7) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  return
}

// -----

// placed_c3: a kernel without a phase would be passed over by every pass.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
// expected-error @below {{[placed_c3] expects a kernel to have reached phase 'placed'; '@k' says no phase (aicore.phase)}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.tiling_function = @t} {
  return
}

// -----

// placed_c4: what a branch chose is not known to the planner.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %true = arith.constant true
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  %c = arith.select %true, %a, %b : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c4] expects operands in ub to be views of a buffer; found one of 'memref<64xf32, #aicore.space<ub>>'}}
  aicore.vexp ins(%c : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// placed_c4: every second element is no part of a tile.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %x_part = memref.subview %x[0] [32] [1] : memref<?xf32, #aicore.space<gm>> to memref<32xf32, strided<[1]>, #aicore.space<gm>>
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  // expected-note @below {{this view has another stride}}
  %b = memref.subview %a[0] [32] [2] : memref<64xf32, #aicore.space<ub>> to memref<32xf32, strided<[2]>, #aicore.space<ub>>
  %c0 = arith.constant 0 : index
  // expected-error @below {{[placed_c4] expects operands to be subviews of stride 1}}
  %s = aicore.scalar_read %b[%c0] : memref<32xf32, strided<[2]>, #aicore.space<ub>>
  return
}

// -----

// placed_c5: a counter of tiles is what slots and event ids are computed from.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %len = aicore.tiling_data "len" : index
  // expected-error @below {{[placed_c5] expects loops to count from 0 by 1: a loop counts tiles, and offsets follow from the count}}
  scf.for %i = %c0 to %len step %c2 {
  }
  return
}

// -----

// placed_c5: a value carried around a loop is not followed by planner, flags and proof.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  // expected-error @below {{[placed_c5] expects loops to carry no values, found 1}}
  %r = scf.for %i = %c0 to %len step %c1 iter_args(%sum = %c0) -> index {
    scf.yield %i : index
  }
  return
}

// -----

// placed_c5: the same of a branch.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  // expected-error @below {{[placed_c5] expects branches to yield no values, found 1}}
  %r = scf.if %true -> index {
    scf.yield %c0 : index
  } else {
    scf.yield %c0 : index
  }
  return
}

// -----

// placed_c5: the proof of the flags runs all trip counts of a nest.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = aicore.tiling_data "len" : index
  scf.for %i0 = %c0 to %len step %c1 {
    scf.for %i1 = %c0 to %len step %c1 {
      scf.for %i2 = %c0 to %len step %c1 {
        scf.for %i3 = %c0 to %len step %c1 {
          scf.for %i4 = %c0 to %len step %c1 {
            scf.for %i5 = %c0 to %len step %c1 {
              scf.for %i6 = %c0 to %len step %c1 {
                scf.for %i7 = %c0 to %len step %c1 {
                  // expected-error @below {{[placed_c5] expects at most 8 nested loops and branches}}
                  scf.for %i8 = %c0 to %len step %c1 {
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}

// -----

// placed_c6: the chip adds no bf16; what would be emitted does not exist.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xbf16, #aicore.space<ub>>
  // expected-error @below {{[placed_c6] expects an intrinsic that Ascend310B1 has; 'vadd' of bf16 is none, it has i16, f16, i32, f32}}
  aicore.vadd ins(%a, %a : memref<64xbf16, #aicore.space<ub>>, memref<64xbf16, #aicore.space<ub>>) outs(%a : memref<64xbf16, #aicore.space<ub>>)
  return
}

// -----

// placed_c6: nor is there a cast from f32 to i8 in one step.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xi8, #aicore.space<ub>>
  // expected-error-re @below {{[placed_c6]{{.*}}'vcast' of f32 to i8 is none, it has i8 to f16}}
  aicore.vcast ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xi8, #aicore.space<ub>>) round rint
  return
}

// -----

// placed_c7: f32 to i32 has no "none": the headers take it and emit nothing.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xi32, #aicore.space<ub>>
  // expected-error @below {{[placed_c7] expects a rounding mode that Ascend310B1 has for a cast of f32 to i32 (rint, floor, ceil, round, trunc), found 'none'}}
  aicore.vcast ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xi32, #aicore.space<ub>>) round none
  return
}

// -----

// placed_c8: an intrinsic has one count; with two lengths one of them would be wrong.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 64 : index
  %c32 = arith.constant 32 : index
  %half = arith.minsi %len, %c32 : index
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  %a_part = memref.subview %a[0] [%len] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %b_part = memref.subview %b[0] [%half] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c8] expects tiles of the same length to have one value as their length, found}}
  aicore.vexp ins(%a_part : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%b_part : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c8: the same of a load.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 64 : index
  %c32 = arith.constant 32 : index
  %half = arith.minsi %len, %c32 : index
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %a_part = memref.subview %a[0] [%len] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  %x_part = memref.subview %x[0] [%half] [1] : memref<?xf32, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<gm>>
  // expected-error @below {{[placed_c8]}}
  aicore.load %x_part -> %a_part : memref<?xf32, strided<[1]>, #aicore.space<gm>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  return
}

// -----

// placed_c9: without a bound a tile may be longer than its buffer.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" : index
  // expected-note @below {{'a' has 64 elements}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = memref.subview %a[0] [%len] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{has no constant bound: take arith.minsi with a constant or with tiling data that has a 'max'}}
  aicore.vexp ins(%b : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%b : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c9: a bound above the capacity writes into the neighbour.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 65 : index
  // expected-note @below {{'a' has 64 elements}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = memref.subview %a[0] [%len] [1] : memref<64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1]>, #aicore.space<ub>>
  // expected-error @below {{[placed_c9] expects a view to lie within its buffer, by bounds that are known; it may reach element 65}}
  aicore.vexp ins(%b : memref<?xf32, strided<[1]>, #aicore.space<ub>>) outs(%b : memref<?xf32, strided<[1]>, #aicore.space<ub>>)
  return
}

// -----

// placed_c9: an offset counts as well, and so do offsets of views of views.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{'a' has 64 elements}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c8 : index
    %b = memref.subview %a[%row] [8] [1] : memref<64xf32, #aicore.space<ub>> to memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vexp ins(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %row = arith.muli %i, %c8 : index
    %b = memref.subview %a[%row] [8] [1] : memref<64xf32, #aicore.space<ub>> to memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    // expected-error @below {{it may reach element 72}}
    aicore.vexp ins(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
  }
  return
}

// -----

// placed_c9: an offset that may be negative.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %len = aicore.tiling_data "len" max 8 : index
  %c8 = arith.constant 8 : index
  %off = arith.subi %len, %c8 : index
  // expected-note @below {{'a' has 64 elements}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = memref.subview %a[%off] [8] [1] : memref<64xf32, #aicore.space<ub>> to memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>
  // expected-error @below {{its offset is in [-8, 0]}}
  aicore.vexp ins(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b : memref<8xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
  return
}

// -----

// placed_c10: slots are given by rotation, which would rotate them again.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c10] expects no slots in phase 'placed', found 'memref<2x64xf32, #aicore.space<ub>>'}}
  %a = aicore.buffer "a" : memref<2x64xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c10: addresses are given by the planner.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c10] expects no address in phase 'placed', found 64}}
  %a = aicore.buffer "a" at 64 : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c11: the name is the identity: two of one name cannot be told apart in a trace.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{the other one is here}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c11] expects buffers of different names, found "a" twice}}
  %b = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c12: a reduction with too little scratch overwrites its neighbour.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<4096xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" : memref<8xf32, #aicore.space<ub>>
  %w = aicore.buffer "w" : memref<8xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c12] expects a scratch tile as long as the source in whole blocks, or of a constant length of at least 256 bytes for up to 4096 elements on Ascend310B1, found 32 bytes}}
  aicore.vreduce_sum ins(%a : memref<4096xf32, #aicore.space<ub>>) outs(%b : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<8xf32, #aicore.space<ub>>)
  return
}

// -----

// placed_c13: a comparison of 40 elements touches 64, also where the buffer has no more than 40.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-note @below {{'a' has 160 bytes there}}
  %a = aicore.buffer "a" : memref<40xf32, #aicore.space<ub>>
  %m = aicore.buffer "m" : memref<32xui8, #aicore.space<ub>>
  // expected-error @below {{[placed_c13] expects buffers with room for whole repeats of 256 bytes, which a comparison touches; it needs 256 bytes}}
  aicore.vcmp lt ins(%a, %a : memref<40xf32, #aicore.space<ub>>, memref<40xf32, #aicore.space<ub>>) outs(%m : memref<32xui8, #aicore.space<ub>>)
  return
}

// -----

// placed_c14: one row of a copy has 21 bits for its length.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %x_part = memref.subview %x[0] [1048576] [1] : memref<?xf32, #aicore.space<gm>> to memref<1048576xf32, strided<[1]>, #aicore.space<gm>>
  %a = aicore.buffer "a" : memref<1048576xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c14] expects a row of a copy to have at most 2097151 bytes on Ascend310B1; its length 1048576 is in [1048576, 1048576]}}
  aicore.load %x_part -> %a : memref<1048576xf32, strided<[1]>, #aicore.space<gm>> to memref<1048576xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c15: the vector unit addresses blocks of 32 bytes.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  %b = memref.subview %a[4] [8] [1] : memref<64xf32, #aicore.space<ub>> to memref<8xf32, strided<[1], offset: 4>, #aicore.space<ub>>
  // expected-error @below {{[placed_c15] expects views in UB to start on 32 bytes; its offset is known to be a multiple of 16 bytes only}}
  aicore.vexp ins(%b : memref<8xf32, strided<[1], offset: 4>, #aicore.space<ub>>) outs(%b : memref<8xf32, strided<[1], offset: 4>, #aicore.space<ub>>)
  return
}

// -----

// placed_c16: the second slot of such a buffer would start within a block.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c16] expects a buffer to be a multiple of 32 bytes, found 40}}
  %a = aicore.buffer "a" : memref<10xf32, #aicore.space<ub>>
  return
}

// -----

// placed_c17: tiling data would have no source.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
// expected-error @below {{[placed_c17] expects a kernel to name a tiling function (aicore.tiling_function); '@k' names '@u', which is not there}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @u} {
  return
}

// -----

// placed_c17: the same without a name, and with that of another function.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
// expected-error @below {{'@j' names none}}
func.func @j(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>} {
  return
}
// expected-error @below {{'@k' names '@j', which is no tiling function}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @j} {
  return
}

// -----

// placed_c17: a field that the tiling function does not return.
// expected-note @below {{'@t' is here}}
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  // expected-error @below {{[placed_c17] expects tiling data that the tiling function returns, found "lne"}}
  %len = aicore.tiling_data "lne" : index
  return
}

// -----

// placed_c18: three rows of 64 elements do not lie in a tile of two.
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "len"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c64 = arith.constant 64 : index
  %a = aicore.buffer "a" : memref<128xf32, #aicore.space<ub>>
  %rows = memref.reinterpret_cast %x to offset: [0], sizes: [3, 64], strides: [64, 1] : memref<?xf32, #aicore.space<gm>> to memref<3x64xf32, strided<[64, 1]>, #aicore.space<gm>>
  // expected-error @below {{[placed_c18] expects the tile of a copy with a stride to have rows * stride elements, and rows of at most the stride}}
  aicore.load %rows -> %a stride %c64 : memref<3x64xf32, strided<[64, 1]>, #aicore.space<gm>> to memref<128xf32, #aicore.space<ub>>
  return
}
