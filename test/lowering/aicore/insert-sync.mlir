// The vector pipe of the chip completes in order and gets no barrier; with `portable` it gets those that other chips need, and
// barriers of the other pipes and all flags are the same. What is checked below is the second; IN-ORDER is the first.
// RUN: opc-opt %s --aicore-insert-sync=portable=true --aicore-verify-synced=portable=true --split-input-file | FileCheck %s
// RUN: opc-opt %s --aicore-insert-sync --aicore-verify-synced --split-input-file > %t.mlir
// RUN: FileCheck %s --check-prefix=IN-ORDER --implicit-check-not="pipe_barrier v" --input-file=%t.mlir
// IN-ORDER-COUNT-4: aicore.pipe_barrier mte3
// RUN: opc-opt %s --aicore-insert-sync=portable=true --split-input-file | grep -v "pipe_barrier v" | diff - %t.mlir

// Two loads, one intrinsic, one store: eight dependences between pipes, four flags, of which each is the last set and the
// first wait. Slots give distance 2, hence two ids, two presets, two drains. A flag too many costs time, one too few is a
// race.
// CHECK-LABEL: func.func @k(
// CHECK-SAME: aicore.phase = #aicore.phase<synced>
// CHECK-NOT: aicore.wait_flag
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NEXT: aicore.set_flag mte3 -> v [%c0]
// CHECK-NEXT: aicore.set_flag mte3 -> v [%c1]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0
// CHECK-NEXT: %[[SLOT:.*]] = arith.remsi %[[I]], %c2
// CHECK-NOT: aicore.set_flag
// CHECK: aicore.wait_flag v -> mte2 [%[[SLOT]]]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag mte2 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%[[SLOT]]]
// CHECK-NEXT: aicore.vadd
// CHECK-NEXT: aicore.set_flag v -> mte2 [%[[SLOT]]]
// CHECK-NEXT: aicore.set_flag v -> mte3 [%[[SLOT]]]
// CHECK-NEXT: aicore.wait_flag v -> mte3 [%[[SLOT]]]
// CHECK-NEXT: aicore.store
// CHECK-NEXT: aicore.set_flag mte3 -> v [%[[SLOT]]]
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%c0]
// CHECK-NEXT: aicore.wait_flag mte3 -> v [%c1]
// CHECK-NEXT: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.wait_flag v -> mte2 [%c1]
// CHECK-NEXT: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %a_home = aicore.buffer "a" at 0 : !slots
  %b_home = aicore.buffer "b" at 512 : !slots
  %y_home = aicore.buffer "y" at 1024 : !slots
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %offset = arith.muli %i, %c64 : index
    %x_part = memref.subview %x[%offset] [64] [1] : !tensor to !part
    %y_part = memref.subview %y[%offset] [64] [1] : !tensor to !part
    %a = memref.subview %a_home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %b = memref.subview %b_home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    %r = memref.subview %y_home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
    aicore.load %x_part -> %a : !part to !slot
    aicore.load %x_part -> %b : !part to !slot
    aicore.vadd ins(%a, %b : !slot, !slot) outs(%r : !slot)
    aicore.store %r -> %y_part : !slot to !part
  }
  return
}

// -----

// Without slots the distance is 1 and one id is enough; the pipes take turns.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: scf.for
// CHECK: aicore.wait_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> mte3 [%c0]
// CHECK-NEXT: aicore.wait_flag mte2 -> mte3 [%c0]
// CHECK-NEXT: aicore.store
// CHECK-NEXT: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c0]
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !tile
  scf.for %i = %c0 to %n step %c1 {
    %offset = arith.muli %i, %c64 : index
    %x_part = memref.subview %x[%offset] [64] [1] : !tensor to !part
    %y_part = memref.subview %y[%offset] [64] [1] : !tensor to !part
    aicore.load %x_part -> %a : !part to !tile
    aicore.store %a -> %y_part : !tile to !part
  }
  return
}

// -----

// Barriers within pipe v where a step takes what the one before wrote, and none where it does not: `b` and `c` do not depend
// on each other. The barrier in front of the last step also keeps the next iteration's first write behind the reads of `a`.
// CHECK-LABEL: func.func @k(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
// CHECK-NEXT: aicore.vsqrt
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadd
// CHECK-NEXT: }
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
func.func @k(%x: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !tile
  %b = aicore.buffer "b" at 256 : !tile
  %c = aicore.buffer "c" at 512 : !tile
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !tile)
    aicore.vexp ins(%a : !tile) outs(%b : !tile)
    aicore.vsqrt ins(%a : !tile) outs(%c : !tile)
    aicore.vadd ins(%b, %c : !tile, !tile) outs(%a : !tile)
  }
  return
}

// -----

// A nest in which only the innermost body works is one sequence of iterations: presets and drains stand outside of all of
// it, and ids follow the running counter. Presets within the outer loop would race with the drains of its last run.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.set_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag mte3 -> mte2 [%c1]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %[[N:.*]] step
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %[[N]] step
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[N]]
// CHECK-NEXT: %[[COUNTER:.*]] = arith.addi %[[BASE]], %[[J]]
// CHECK: %[[SLOT:.*]] = arith.remsi %[[COUNTER]], %c2
// CHECK: aicore.wait_flag mte3 -> mte2 [
// CHECK-NOT: pipe_barrier
// CHECK: }
// CHECK-NEXT: }
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c0]
// CHECK-NEXT: aicore.wait_flag mte3 -> mte2 [%c1]
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %home = aicore.buffer "a" at 0 : !slots
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %base = arith.muli %i, %n : index
      %counter = arith.addi %base, %j : index
      %slot = arith.remsi %counter, %c2 : index
      %offset = arith.muli %counter, %c64 : index
      %x_part = memref.subview %x[%offset] [64] [1] : !tensor to !part
      %y_part = memref.subview %y[%offset] [64] [1] : !tensor to !part
      %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %x_part -> %a : !part to !slot
      aicore.store %a -> %y_part : !slot to !part
    }
  }
  return
}

// -----

// Rows in parts: where a row begins is the same for all of its parts, wherever it is computed, and a part is never longer than
// what lies between two. Stores of parts need no order; those of two rows have one, since tiles are drained in between.
// CHECK-LABEL: func.func @k(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "length"}, index {aicore.name = "row_length"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %c1 : index, index, index, index
}
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
!slot = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tile = memref<?xf32, strided<[1]>, #aicore.space<ub>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = aicore.tiling_data "length" : index
  %row_length = aicore.tiling_data "row_length" min 1 max 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %other = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : memref<64xf32, #aicore.space<ub>>)
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %start = arith.muli %j, %row_length : index
      %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %row_length : index
      %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [%size] [1] : !tensor to !part
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to !slot
      %b = memref.subview %other[0] [%size] [1] : memref<64xf32, #aicore.space<ub>> to !tile
      aicore.vexp ins(%b : !tile) outs(%a : !slot)
      aicore.store %a -> %y_part : !slot to !part
    }
  }
  return
}

// -----

// The same with slots that take turns through all rows, so that the loop over parts is carried: stores of two rows are apart
// since no part reaches beyond its row.
// CHECK-LABEL: func.func @k(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "length"}, index {aicore.name = "row_length"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %c1 : index, index, index, index
}
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
!slot = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tile = memref<?xf32, strided<[1]>, #aicore.space<ub>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = aicore.tiling_data "length" : index
  %row_length = aicore.tiling_data "row_length" min 1 max 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %other = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : memref<64xf32, #aicore.space<ub>>)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index
      %start = arith.muli %j, %row_length : index
      %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %row_length : index
      %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [%size] [1] : !tensor to !part
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to !slot
      %b = memref.subview %other[0] [%size] [1] : memref<64xf32, #aicore.space<ub>> to !tile
      aicore.vexp ins(%b : !tile) outs(%a : !slot)
      aicore.store %a -> %y_part : !slot to !part
    }
  }
  return
}

// -----

// And with parts that are not cut off at the end of their row.
// CHECK-LABEL: func.func @k(
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<?xf32, strided<[1], offset: ?>, #aicore.space<gm>>
!slot = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tile = memref<?xf32, strided<[1]>, #aicore.space<ub>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = arith.constant 100 : index
  %row_length = arith.constant 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %other = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : memref<64xf32, #aicore.space<ub>>)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index
      %start = arith.muli %j, %row_length : index
      %size = arith.minsi %row_length, %row_length : index
      %from = arith.muli %row, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [%size] [1] : !tensor to !part
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to !slot
      %b = memref.subview %other[0] [%size] [1] : memref<64xf32, #aicore.space<ub>> to !tile
      aicore.vexp ins(%b : !tile) outs(%a : !slot)
      aicore.store %a -> %y_part : !slot to !part
    }
  }
  return
}

// -----

// Parts that may be longer than what lies between them: their stores come one behind the other.
// CHECK-LABEL: func.func @k(
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tensor = memref<?xf32, #aicore.space<gm>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%x: !tensor, %y: !tensor)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = arith.constant 100 : index
  %row_length = arith.constant 32 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %home = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %other = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%other : memref<64xf32, #aicore.space<ub>>)
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %start = arith.muli %j, %row_length : index
      %from = arith.muli %i, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [64] [1] : !tensor to !part
      %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to !slot
        aicore.vexp ins(%other : memref<64xf32, #aicore.space<ub>>) outs(%a : !slot)
      aicore.store %a -> %y_part : !slot to !part
    }
  }
  return
}

// -----

// Stores of all tiles to one place of the tensor: only a barrier on mte3 says which one comes last.
// CHECK-LABEL: func.func @k(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1]>, #aicore.space<gm>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  %part = memref.subview %y[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
  scf.for %i = %c0 to %n step %c1 {
    aicore.store %a -> %part : !tile to !part
  }
  return
}

// -----

// The scalar unit reads what the vector unit wrote, and v may not write it again before it was read.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.set_flag s -> v [%c0]
// CHECK-NEXT: scf.for
// CHECK: aicore.wait_flag s -> v [%c0]
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.set_flag v -> s [%c0]
// CHECK-NEXT: aicore.wait_flag v -> s [%c0]
// CHECK-NEXT: aicore.scalar_read
// CHECK-NEXT: aicore.set_flag s -> v [%c0]
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
!tile = memref<64xf32, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !tile
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !tile)
    %s = aicore.scalar_read %a[%c0] : !tile
  }
  return
}

// -----

// The rows of a tile have no byte in common: what works on them one by one needs no barrier between them, only one behind
// what filled the tile. Without that a row kernel waits once a row.
// CHECK-LABEL: func.func @k(
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK-NOT: aicore.pipe_barrier
// CHECK: aicore.vexp
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%cols] [1] : !tile to !row
    aicore.vexp ins(%row : !row) outs(%row : !row)
  }
  return
}

// -----

// Views that reach beyond their row meet the next one.
// CHECK-LABEL: func.func @k(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!tile = memref<1024xf32, #aicore.space<ub>>
!row = memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @k(%y: memref<?xf32, #aicore.space<gm>>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !tile
  aicore.vbrc ins(%one : f32) outs(%a : !tile)
  %more = arith.addi %ld, %c8 : index
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%more] [1] : !tile to !row
    aicore.vexp ins(%row : !row) outs(%row : !row)
  }
  return
}

// -----

// Eight slots let mte2 run eight tiles ahead, which takes eight ids on each pair of pipes, and there are six: the flags take
// four in turn, and so many tiles are in work at once.
// CHECK-LABEL: func.func @eight_slots(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: 1 lets fewer tiles be in flight"
// CHECK-COUNT-4: aicore.set_flag v -> mte2
// CHECK-NOT: aicore.set_flag
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[I]], %c4
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK: aicore.set_flag mte2 -> v [%[[ID]]]
// CHECK: }
// CHECK-COUNT-4: aicore.wait_flag v -> mte2
// CHECK-NEXT: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @eight_slots(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %home = aicore.buffer "a" at 0 : memref<8x64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c8 : index
    %offset = arith.muli %i, %c64 : index
    %part = memref.subview %x[%offset] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : memref<8x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %part -> %a : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%a : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
  }
  return
}

// -----

// Seen alone, the loop is one op that needs a barrier in front of it; seen with what is in it, its own barrier, needed from one
// iteration to the next, comes before the first one too.
// CHECK-LABEL: func.func @around_a_loop(
// CHECK: aicore.vbrc
// CHECK-NOT: aicore.pipe_barrier
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NOT: aicore.pipe_barrier
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @around_a_loop(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vadds ins(%a, %one : memref<64xf32, #aicore.space<ub>>, f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// The same with a reader behind the loop of what was written before it: the loop may not run, and then its barrier is none.
// CHECK-LABEL: func.func @past_a_loop(
// CHECK: aicore.vbrc
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NEXT: }
// CHECK-NEXT: aicore.vabs
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @past_a_loop(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 256 : memref<64xf32, #aicore.space<ub>>
  %d = aicore.buffer "d" at 512 : memref<64xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%b : memref<64xf32, #aicore.space<ub>>)
  aicore.vbrc ins(%one : f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vadds ins(%a, %one : memref<64xf32, #aicore.space<ub>>, f32) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  aicore.vabs ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%d : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// Rows of a batch behind each other, and batches further apart than those reach: a region cannot tell such places apart,
// the list of instructions can. No store waits for the one before.
// CHECK-LABEL: func.func @rows_of_batches(
// CHECK-NOT: aicore.pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "per"}, index {aicore.name = "stride"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n, %n : index, index, index, index, index
}
func.func @rows_of_batches(%y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %per = aicore.tiling_data "per" min 1 : index
  %stride = aicore.tiling_data "stride" : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vbrc ins(%one : f32) outs(%tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    scf.for %j = %c0 to %m step %c1 {
      aicore.vadds ins(%tile, %one : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>, f32) outs(%tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    }
    %batch = arith.floordivsi %i, %per : index
    %row = arith.remsi %i, %per : index
    %behind = arith.muli %batch, %stride : index
    %within = arith.muli %row, %c64 : index
    %at = arith.addi %behind, %within : index
    %part = memref.subview %y[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    aicore.store %tile -> %part : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  return
}

// -----

// Where rows may lie in each other, a store waits for the one before.
// CHECK-LABEL: func.func @rows_in_one_place(
// CHECK: aicore.pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "per"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n : index, index, index, index
}
func.func @rows_in_one_place(%y: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %per = aicore.tiling_data "per" min 1 max 3 : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vbrc ins(%one : f32) outs(%tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    scf.for %j = %c0 to %m step %c1 {
      aicore.vadds ins(%tile, %one : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>, f32) outs(%tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    }
    %row = arith.remsi %i, %per : index
    %at = arith.muli %row, %c64 : index
    %part = memref.subview %y[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
    aicore.store %tile -> %part : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
  }
  return
}

// -----

// Tiles in turn through a nest, the first of them loaded in front of the inner loop: there the slot of a load is any slot,
// in the list it is another one than that of the load before. The flag of the inner loop is enough for all of them.
// CHECK-LABEL: func.func @first_tile_in_front(
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK-NOT: aicore.pipe_barrier
// CHECK-NOT: aicore.wait_flag mte2 -> v
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
func.func @first_tile_in_front(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  %g = aicore.buffer "g" at 1024 : memref<64xf32, #aicore.space<ub>>
  %d = aicore.buffer "d" at 1280 : memref<64xf32, #aicore.space<ub>>
  %from = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  scf.for %i = %c0 to %n step %c1 {
    aicore.load %from -> %g : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vabs ins(%g : memref<64xf32, #aicore.space<ub>>) outs(%d : memref<64xf32, #aicore.space<ub>>)
    %first = arith.muli %i, %m : index
    %runs = arith.cmpi slt, %c0, %m : index
    scf.if %runs {
      %slot = arith.remsi %first, %c2 : index
      %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
      aicore.load %from -> %tile : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    }
    scf.for %j = %c0 to %m step %c1 {
      %next = arith.addi %j, %c1 : index
      %more = arith.cmpi slt, %next, %m : index
      scf.if %more {
        %number = arith.addi %first, %next : index
        %slot = arith.remsi %number, %c2 : index
        %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
        aicore.load %from -> %tile : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
      }
      %number = arith.addi %first, %j : index
      %slot = arith.remsi %number, %c2 : index
      %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
      aicore.vabs ins(%tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
    }
  }
  return
}

// -----

// A slot that runs on from a loop around the nest: which one is first is open, and still the one after the next is the same
// again. So a load waits for what read its slot two iterations before, not one, and mte2 works beside v in the loop, which
// does not run equally often each time.
// CHECK-LABEL: func.func @turns_that_run_on(
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[J]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK: aicore.set_flag v -> mte2 [%[[ID]]]
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %odd = arith.remsi %n, %c2 : index
  %parts = arith.addi %odd, %c2 : index
  return %c1, %n, %parts : index, index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @turns_that_run_on(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" cases [2, 3] : index
  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : memref<64xf32, #aicore.space<ub>>)
    %left = arith.subi %parts, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
      %tile = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to !slot
      aicore.vabs ins(%tile : !slot) outs(%b : memref<64xf32, #aicore.space<ub>>)
    }
  }
  return
}

// -----

// Two passes over each row are carried through the loop over rows: their flags are set before it and waited for behind it,
// have ids of their own and count on from row to row. Nothing but the barriers of v stands in front of a pass or behind it,
// so mte2 loads what the next pass begins with while v ends this one.
// CHECK-LABEL: func.func @passes(
// CHECK: aicore.set_flag v -> mte2 [%c2]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c3]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NOT: _flag
// CHECK: scf.for %[[I:.*]] = %c0 to %[[ROWS:.*]] step
// CHECK-NOT: _flag
// CHECK: scf.for %[[J:.*]] = %c0 to %[[PARTS:.*]] step
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[I]], %[[PARTS]]
// CHECK-DAG: %[[RUNNING:.*]] = arith.addi %[[BEFORE]], %[[J]]
// CHECK: %[[ID:.*]] = arith.remsi %[[RUNNING]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%[[ID]]]
// CHECK: aicore.vmax
// CHECK-NEXT: aicore.set_flag v -> mte2 [%[[ID]]]
// CHECK: }
// CHECK-NOT: _flag
// CHECK: scf.for
// CHECK: %[[TURN:.*]] = arith.remsi %{{.*}}, %c2
// CHECK: arith.addi %[[TURN]], %c2
// CHECK-NOT: arith.addi %[[TURN]], %c0
// CHECK: aicore.wait_flag v -> mte2
// CHECK-NEXT: aicore.load
// CHECK: aicore.set_flag v -> mte2
// CHECK: }
// CHECK-NOT: _flag
// CHECK: }
// CHECK-COUNT-4: aicore.wait_flag v -> mte2
// CHECK-NOT: _flag
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @passes(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : !slots
  %d = aicore.buffer "d" at 1024 : !tile
  %e = aicore.buffer "e" at 1280 : !tile
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !tile)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vmax ins(%slot, %d : !slot, !tile) outs(%d : !tile)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %b[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vsub ins(%slot, %d : !slot, !tile) outs(%e : !tile)
    }
  }
  return
}

// -----

// Four passes would need eight ids: none of them is carried, ids are used again by each pass.
// CHECK-LABEL: func.func @passes_without_ids(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: loops start anew in each run"
// CHECK-NOT: aicore.set_flag v -> mte2
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NEXT: scf.for
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
!tile = memref<64xf32, #aicore.space<ub>>
!part = memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
func.func @passes_without_ids(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a0 = aicore.buffer "a0" at 0 : !slots
  %a1 = aicore.buffer "a1" at 512 : !slots
  %a2 = aicore.buffer "a2" at 1024 : !slots
  %a3 = aicore.buffer "a3" at 1536 : !slots
  %d = aicore.buffer "d" at 2048 : !tile
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !tile)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %a0[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vmax ins(%slot, %d : !slot, !tile) outs(%d : !tile)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %a1[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vmax ins(%slot, %d : !slot, !tile) outs(%d : !tile)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %a2[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vmax ins(%slot, %d : !slot, !tile) outs(%d : !tile)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to !part
      %slot = memref.subview %a3[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %slot : !part to !slot
      aicore.vmax ins(%slot, %d : !slot, !tile) outs(%d : !tile)
    }
  }
  return
}

// -----

// Two views whose slots run on from different places may be the same slot in any iteration.
// CHECK-LABEL: func.func @turns_that_differ(
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NOT: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.load
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
!slots = memref<2x64xf32, #aicore.space<ub>>
!slot = memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
func.func @turns_that_differ(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a = aicore.buffer "a" at 0 : !slots
  %b = aicore.buffer "b" at 512 : memref<64xf32, #aicore.space<ub>>
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : memref<64xf32, #aicore.space<ub>>)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %other = arith.addi %i, %j : index
      %other_turn = arith.remsi %other, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>>
      %tile = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !slots to !slot
      %other_tile = memref.subview %a[%other_turn, 0] [1, 64] [1, 1] : !slots to !slot
      aicore.load %from -> %tile : memref<64xf32, strided<[1], offset: ?>, #aicore.space<gm>> to !slot
      aicore.vabs ins(%other_tile : !slot) outs(%b : memref<64xf32, #aicore.space<ub>>)
    }
  }
  return
}

// -----

// What a loop covers in each iteration that runs it, it does not cover in those that do not: a barrier stays in front of the
// loop, though with any one number of trips for all iterations the loop's own would do.
// CHECK-LABEL: func.func @some_iterations(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK: aicore.vabs
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n : index, index, index, index
}
func.func @some_iterations(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" max 16 : index
  %m = aicore.tiling_data "m" : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" at 512 : memref<1024xf32, #aicore.space<ub>>
  aicore.vbrc ins(%one : f32) outs(%c : memref<1024xf32, #aicore.space<ub>>)
  %whole0 = memref.subview %a[0, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1]>, #aicore.space<ub>>
  %whole1 = memref.subview %a[1, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>
  %from = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  aicore.load %from -> %whole0 : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<ub>>
  aicore.load %from -> %whole1 : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: 64>, #aicore.space<ub>>
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.remsi %i, %c2 : index
    %i1 = arith.addi %i, %c1 : index
    %p = arith.remsi %i1, %c2 : index
    %rest = arith.subi %m, %i : index
    %here = memref.subview %a[%s, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    scf.for %j = %c0 to %rest step %c1 {
      aicore.vadds ins(%here, %one : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>, f32) outs(%here : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
    }
    %there = memref.subview %a[%p, 0] [1, %cols] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %at = arith.muli %i, %ld : index
    %row = memref.subview %c[%at] [%cols] [1] : memref<1024xf32, #aicore.space<ub>> to memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vabs ins(%there : memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%row : memref<?xf32, strided<[1], offset: ?>, #aicore.space<ub>>)
  }
  return
}

// -----

// Three loads take all six ids of a pair in turn, and what is loaded in front of the loop needs one: the loop leaves it one, and
// two of its flags become one, to and fro. Such are elementwise operators of four inputs in float16, one of which is a single element.
// CHECK-LABEL: func.func @three_loads_and_one(
// CHECK-SAME: aicore.event_ids = "event ids: flags from mte2 to v would need 7, Ascend310B1 has 6: {{[0-9]+ (is|are)}} merged with another"
// CHECK: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%c4]
// CHECK: aicore.wait_flag mte2 -> v [%c4]
// CHECK: scf.for
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @three_loads_and_one(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : memref<2x64xf32, #aicore.space<ub>>
  %b = aicore.buffer "b" at 512 : memref<2x64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" at 1024 : memref<2x64xf32, #aicore.space<ub>>
  %a_r = aicore.buffer "a_r" at 2048 : memref<64xf32, #aicore.space<ub>>
  %b_r = aicore.buffer "b_r" at 2304 : memref<64xf32, #aicore.space<ub>>
  %c_r = aicore.buffer "c_r" at 2560 : memref<64xf32, #aicore.space<ub>>
  %s = aicore.buffer "s" at 4096 : memref<64xf32, #aicore.space<ub>>
  %t = aicore.buffer "t" at 4352 : memref<64xf32, #aicore.space<ub>>
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  aicore.load %part -> %s : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
  aicore.vexp ins(%s : memref<64xf32, #aicore.space<ub>>) outs(%t : memref<64xf32, #aicore.space<ub>>)
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %part -> %at : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %part -> %bt : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    %ct = memref.subview %c[%slot, 0] [1, 64] [1, 1] : memref<2x64xf32, #aicore.space<ub>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.load %part -> %ct : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>
    aicore.vexp ins(%at : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%a_r : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%bt : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%b_r : memref<64xf32, #aicore.space<ub>>)
    aicore.vexp ins(%ct : memref<64xf32, strided<[1], offset: ?>, #aicore.space<ub>>) outs(%c_r : memref<64xf32, #aicore.space<ub>>)
  }
  return
}
