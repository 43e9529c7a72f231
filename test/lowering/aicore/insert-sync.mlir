// The vector pipe of the chip completes in order and gets no barrier; with `portable` it gets those that other chips need, and
// barriers of the other pipes and all flags are the same. What is checked below is the second; IN-ORDER is the first.
// RUN: opc-opt %s --aicore-insert-sync=portable=true --aicore-verify-synced=portable=true | FileCheck %s
// RUN: opc-opt %s --aicore-insert-sync --aicore-verify-synced > %t.mlir
// RUN: FileCheck %s --check-prefix=IN-ORDER --implicit-check-not="pipe_barrier v" --input-file=%t.mlir
// IN-ORDER-COUNT-4: aicore.pipe_barrier mte3
// RUN: opc-opt %s --aicore-insert-sync=portable=true | grep -v "pipe_barrier v" | diff - %t.mlir

#ub = #aicore.space<ub>
#gm = #aicore.space<gm>
!gm_nxf32 = memref<?xf32, #gm>
!ub_2x64xf32 = memref<2x64xf32, #ub>
!gm_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #gm>
!ub_64xf32_at = memref<64xf32, strided<[1], offset: ?>, #ub>
!ub_64xf32 = memref<64xf32, #ub>
!gm_nxf32_at = memref<?xf32, strided<[1], offset: ?>, #gm>
!ub_nxf32_at = memref<?xf32, strided<[1], offset: ?>, #ub>
!ub_nxf32_flat = memref<?xf32, strided<[1]>, #ub>
!gm_64xf32_flat = memref<64xf32, strided<[1]>, #gm>
!ub_1024xf32 = memref<1024xf32, #ub>
!ub_8x64xf32 = memref<8x64xf32, #ub>
!ub_64xf32_flat = memref<64xf32, strided<[1]>, #ub>
!ub_64xf32_off64 = memref<64xf32, strided<[1], offset: 64>, #ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @t2(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "length"}, index {aicore.name = "row_length"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %c1 : index, index, index, index
}
func.func @t3(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}
func.func @t4(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
func.func @t5(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "per"}, index {aicore.name = "stride"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n, %n : index, index, index, index, index
}
func.func @t6(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "per"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n : index, index, index, index
}
func.func @t7(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
func.func @t8(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %odd = arith.remsi %n, %c2 : index
  %parts = arith.addi %odd, %c2 : index
  return %c1, %n, %parts : index, index, index
}
func.func @t9(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "parts"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}
func.func @t10(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "m"}, index {aicore.name = "cols"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n, %n : index, index, index, index
}

// Two loads, one intrinsic, one store: eight dependences between pipes, four flags, of which each is the last set and the
// first wait. Slots give distance 2, hence two ids, two presets, two drains. A flag too many costs time, one too few is a
// race.
// CHECK-LABEL: func.func @k1(
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
func.func @k1(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %a_home = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b_home = aicore.buffer "b" at 512 : !ub_2x64xf32
  %y_home = aicore.buffer "y" at 1024 : !ub_2x64xf32
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %offset = arith.muli %i, %c64 : index
    %x_part = memref.subview %x[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    %y_part = memref.subview %y[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    %a = memref.subview %a_home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    %b = memref.subview %b_home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    %r = memref.subview %y_home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %x_part -> %a : !gm_64xf32_at to !ub_64xf32_at
    aicore.load %x_part -> %b : !gm_64xf32_at to !ub_64xf32_at
    aicore.vadd ins(%a, %b : !ub_64xf32_at, !ub_64xf32_at) outs(%r : !ub_64xf32_at)
    aicore.store %r -> %y_part : !ub_64xf32_at to !gm_64xf32_at
  }
  return
}

// Without slots the distance is 1 and one id is enough; the pipes take turns.
// CHECK-LABEL: func.func @k2(
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
func.func @k2(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  scf.for %i = %c0 to %n step %c1 {
    %offset = arith.muli %i, %c64 : index
    %x_part = memref.subview %x[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    %y_part = memref.subview %y[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    aicore.load %x_part -> %a : !gm_64xf32_at to !ub_64xf32
    aicore.store %a -> %y_part : !ub_64xf32 to !gm_64xf32_at
  }
  return
}

// Barriers within pipe v where a step takes what the one before wrote, and none where it does not: `b` and `c` do not depend
// on each other. The barrier in front of the last step also keeps the next iteration's first write behind the reads of `a`.
// CHECK-LABEL: func.func @k3(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
// CHECK-NEXT: aicore.vsqrt
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadd
// CHECK-NEXT: }
func.func @k3(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  %c = aicore.buffer "c" at 512 : !ub_64xf32
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
    aicore.vexp ins(%a : !ub_64xf32) outs(%b : !ub_64xf32)
    aicore.vsqrt ins(%a : !ub_64xf32) outs(%c : !ub_64xf32)
    aicore.vadd ins(%b, %c : !ub_64xf32, !ub_64xf32) outs(%a : !ub_64xf32)
  }
  return
}

// A nest in which only the innermost body works is one sequence of iterations: presets and drains stand outside of all of
// it, and ids follow the running counter. Presets within the outer loop would race with the drains of its last run.
// CHECK-LABEL: func.func @k4(
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
func.func @k4(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %home = aicore.buffer "a" at 0 : !ub_2x64xf32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %base = arith.muli %i, %n : index
      %counter = arith.addi %base, %j : index
      %slot = arith.remsi %counter, %c2 : index
      %offset = arith.muli %counter, %c64 : index
      %x_part = memref.subview %x[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %y_part = memref.subview %y[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %x_part -> %a : !gm_64xf32_at to !ub_64xf32_at
      aicore.store %a -> %y_part : !ub_64xf32_at to !gm_64xf32_at
    }
  }
  return
}

// Rows in parts: where a row begins is the same for all of its parts, wherever it is computed, and a part is never longer than
// what lies between two. Stores of parts need no order; those of two rows have one, since tiles are drained in between.
// CHECK-LABEL: func.func @k5(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k5(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = aicore.tiling_data "length" : index
  %row_length = aicore.tiling_data "row_length" min 1 max 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : !ub_2x64xf32
  %other = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %start = arith.muli %j, %row_length : index
      %rest = arith.subi %length, %start : index
      %least = arith.minsi %rest, %row_length : index
      %size = arith.maxsi %least, %c1 : index
      %from = arith.muli %row, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [%size] [1] : !gm_nxf32 to !gm_nxf32_at
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : !ub_2x64xf32 to !ub_nxf32_at
      %b = memref.subview %other[0] [%size] [1] : !ub_64xf32 to !ub_nxf32_flat
      aicore.vexp ins(%b : !ub_nxf32_flat) outs(%a : !ub_nxf32_at)
      aicore.store %a -> %y_part : !ub_nxf32_at to !gm_nxf32_at
    }
  }
  return
}

// The same with slots that take turns through all rows, so that the loop over parts is carried: stores of two rows are apart
// since no part reaches beyond its row.
// CHECK-LABEL: func.func @k6(
// CHECK-NOT: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k6(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = aicore.tiling_data "length" : index
  %row_length = aicore.tiling_data "row_length" min 1 max 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : !ub_2x64xf32
  %other = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : !ub_64xf32)
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
      %y_part = memref.subview %y[%offset] [%size] [1] : !gm_nxf32 to !gm_nxf32_at
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : !ub_2x64xf32 to !ub_nxf32_at
      %b = memref.subview %other[0] [%size] [1] : !ub_64xf32 to !ub_nxf32_flat
      aicore.vexp ins(%b : !ub_nxf32_flat) outs(%a : !ub_nxf32_at)
      aicore.store %a -> %y_part : !ub_nxf32_at to !gm_nxf32_at
    }
  }
  return
}

// And with parts that are not cut off at the end of their row.
// CHECK-LABEL: func.func @k7(
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k7(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = arith.constant 100 : index
  %row_length = arith.constant 64 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %first = aicore.block_idx : index
  %home = aicore.buffer "a" at 0 : !ub_2x64xf32
  %other = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %first, %i : index
    aicore.vbrc ins(%one : f32) outs(%other : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %number = arith.addi %before, %j : index
      %slot = arith.remsi %number, %c2 : index
      %start = arith.muli %j, %row_length : index
      %size = arith.minsi %row_length, %row_length : index
      %from = arith.muli %row, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [%size] [1] : !gm_nxf32 to !gm_nxf32_at
      %a = memref.subview %home[%slot, 0] [1, %size] [1, 1] : !ub_2x64xf32 to !ub_nxf32_at
      %b = memref.subview %other[0] [%size] [1] : !ub_64xf32 to !ub_nxf32_flat
      aicore.vexp ins(%b : !ub_nxf32_flat) outs(%a : !ub_nxf32_at)
      aicore.store %a -> %y_part : !ub_nxf32_at to !gm_nxf32_at
    }
  }
  return
}

// Parts that may be longer than what lies between them: their stores come one behind the other.
// CHECK-LABEL: func.func @k8(
// CHECK: pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k8(%x: !gm_nxf32, %y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %length = arith.constant 100 : index
  %row_length = arith.constant 32 : index
  %parts = arith.ceildivsi %length, %row_length : index
  %home = aicore.buffer "a" at 0 : !ub_2x64xf32
  %other = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%other : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %slot = arith.remsi %j, %c2 : index
      %start = arith.muli %j, %row_length : index
      %from = arith.muli %i, %length : index
      %offset = arith.addi %from, %start : index
      %y_part = memref.subview %y[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
        aicore.vexp ins(%other : !ub_64xf32) outs(%a : !ub_64xf32_at)
      aicore.store %a -> %y_part : !ub_64xf32_at to !gm_64xf32_at
    }
  }
  return
}

// Stores of all tiles to one place of the tensor: only a barrier on mte3 says which one comes last.
// CHECK-LABEL: func.func @k9(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @k9(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  %part = memref.subview %y[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  scf.for %i = %c0 to %n step %c1 {
    aicore.store %a -> %part : !ub_64xf32 to !gm_64xf32_flat
  }
  return
}

// The scalar unit reads what the vector unit wrote, and v may not write it again before it was read.
// CHECK-LABEL: func.func @k10(
// CHECK: aicore.set_flag s -> v [%c0]
// CHECK-NEXT: scf.for
// CHECK: aicore.wait_flag s -> v [%c0]
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.set_flag v -> s [%c0]
// CHECK-NEXT: aicore.wait_flag v -> s [%c0]
// CHECK-NEXT: aicore.scalar_read
// CHECK-NEXT: aicore.set_flag s -> v [%c0]
func.func @k10(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  scf.for %i = %c0 to %n step %c1 {
    aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
    %s = aicore.scalar_read %a[%c0] : !ub_64xf32
  }
  return
}

// The rows of a tile have no byte in common: what works on them one by one needs no barrier between them, only one behind
// what filled the tile. Without that a row kernel waits once a row.
// CHECK-LABEL: func.func @k11(
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK-NOT: aicore.pipe_barrier
// CHECK: aicore.vexp
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @k11(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !ub_1024xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_1024xf32)
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%cols] [1] : !ub_1024xf32 to !ub_nxf32_at
    aicore.vexp ins(%row : !ub_nxf32_at) outs(%row : !ub_nxf32_at)
  }
  return
}

// Views that reach beyond their row meet the next one.
// CHECK-LABEL: func.func @k12(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vexp
func.func @k12(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" min 2 max 8 : index
  %cols = aicore.tiling_data "cols" min 1 max 64 : index
  %blocks = arith.ceildivsi %cols, %c8 : index
  %ld = arith.muli %blocks, %c8 : index
  %a = aicore.buffer "a" at 0 : !ub_1024xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_1024xf32)
  %more = arith.addi %ld, %c8 : index
  scf.for %i = %c0 to %rows step %c1 {
    %at = arith.muli %i, %ld : index
    %row = memref.subview %a[%at] [%more] [1] : !ub_1024xf32 to !ub_nxf32_at
    aicore.vexp ins(%row : !ub_nxf32_at) outs(%row : !ub_nxf32_at)
  }
  return
}

// Eight slots let mte2 run eight tiles ahead, which takes eight ids on each pair of pipes, and there are six: the flags take
// four in turn, and so many tiles are in work at once.
// CHECK-LABEL: func.func @k13(
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
func.func @k13(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %home = aicore.buffer "a" at 0 : !ub_8x64xf32
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c8 : index
    %offset = arith.muli %i, %c64 : index
    %part = memref.subview %x[%offset] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    %a = memref.subview %home[%slot, 0] [1, 64] [1, 1] : !ub_8x64xf32 to !ub_64xf32_at
    aicore.load %part -> %a : !gm_64xf32_at to !ub_64xf32_at
    aicore.vexp ins(%a : !ub_64xf32_at) outs(%a : !ub_64xf32_at)
  }
  return
}

// Seen alone, the loop is one op that needs a barrier in front of it; seen with what is in it, its own barrier, needed from one
// iteration to the next, comes before the first one too.
// CHECK-LABEL: func.func @k14(
// CHECK: aicore.vbrc
// CHECK-NOT: aicore.pipe_barrier
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NOT: aicore.pipe_barrier
// CHECK: return
func.func @k14(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vadds ins(%a, %one : !ub_64xf32, f32) outs(%a : !ub_64xf32)
  }
  return
}

// The same with a reader behind the loop of what was written before it: the loop may not run, and then its barrier is none.
// CHECK-LABEL: func.func @k15(
// CHECK: aicore.vbrc
// CHECK: aicore.vbrc
// CHECK-NEXT: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK-NEXT: }
// CHECK-NEXT: aicore.vabs
func.func @k15(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_64xf32
  %b = aicore.buffer "b" at 256 : !ub_64xf32
  %d = aicore.buffer "d" at 512 : !ub_64xf32
  aicore.vbrc ins(%one : f32) outs(%b : !ub_64xf32)
  aicore.vbrc ins(%one : f32) outs(%a : !ub_64xf32)
  scf.for %i = %c0 to %n step %c1 {
    aicore.vadds ins(%a, %one : !ub_64xf32, f32) outs(%a : !ub_64xf32)
  }
  aicore.vabs ins(%b : !ub_64xf32) outs(%d : !ub_64xf32)
  return
}

// Rows of a batch behind each other, and batches further apart than those reach: a region cannot tell such places apart,
// the list of instructions can. No store waits for the one before.
// CHECK-LABEL: func.func @k16(
// CHECK-NOT: aicore.pipe_barrier mte3
// CHECK: aicore.store
// CHECK: return
func.func @k16(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %per = aicore.tiling_data "per" min 1 : index
  %stride = aicore.tiling_data "stride" : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.vbrc ins(%one : f32) outs(%tile : !ub_64xf32_at)
    scf.for %j = %c0 to %m step %c1 {
      aicore.vadds ins(%tile, %one : !ub_64xf32_at, f32) outs(%tile : !ub_64xf32_at)
    }
    %batch = arith.floordivsi %i, %per : index
    %row = arith.remsi %i, %per : index
    %behind = arith.muli %batch, %stride : index
    %within = arith.muli %row, %c64 : index
    %at = arith.addi %behind, %within : index
    %part = memref.subview %y[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    aicore.store %tile -> %part : !ub_64xf32_at to !gm_64xf32_at
  }
  return
}

// Where rows may lie in each other, a store waits for the one before.
// CHECK-LABEL: func.func @k17(
// CHECK: aicore.pipe_barrier mte3
// CHECK-NEXT: aicore.store
func.func @k17(%y: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %per = aicore.tiling_data "per" min 1 max 3 : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.vbrc ins(%one : f32) outs(%tile : !ub_64xf32_at)
    scf.for %j = %c0 to %m step %c1 {
      aicore.vadds ins(%tile, %one : !ub_64xf32_at, f32) outs(%tile : !ub_64xf32_at)
    }
    %row = arith.remsi %i, %per : index
    %at = arith.muli %row, %c64 : index
    %part = memref.subview %y[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
    aicore.store %tile -> %part : !ub_64xf32_at to !gm_64xf32_at
  }
  return
}

// Tiles in turn through a nest, the first of them loaded in front of the inner loop: there the slot of a load is any slot,
// in the list it is another one than that of the load before. The flag of the inner loop is enough for all of them.
// CHECK-LABEL: func.func @k18(
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK-NOT: aicore.pipe_barrier
// CHECK-NOT: aicore.wait_flag mte2 -> v
// CHECK: scf.for
// CHECK: aicore.wait_flag mte2 -> v
// CHECK: return
func.func @k18(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t7} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %m = aicore.tiling_data "m" : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b = aicore.buffer "b" at 512 : !ub_64xf32
  %g = aicore.buffer "g" at 1024 : !ub_64xf32
  %d = aicore.buffer "d" at 1280 : !ub_64xf32
  %from = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  scf.for %i = %c0 to %n step %c1 {
    aicore.load %from -> %g : !gm_64xf32_flat to !ub_64xf32
    aicore.vabs ins(%g : !ub_64xf32) outs(%d : !ub_64xf32)
    %first = arith.muli %i, %m : index
    %runs = arith.cmpi slt, %c0, %m : index
    scf.if %runs {
      %slot = arith.remsi %first, %c2 : index
      %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %tile : !gm_64xf32_flat to !ub_64xf32_at
    }
    scf.for %j = %c0 to %m step %c1 {
      %next = arith.addi %j, %c1 : index
      %more = arith.cmpi slt, %next, %m : index
      scf.if %more {
        %number = arith.addi %first, %next : index
        %slot = arith.remsi %number, %c2 : index
        %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
        aicore.load %from -> %tile : !gm_64xf32_flat to !ub_64xf32_at
      }
      %number = arith.addi %first, %j : index
      %slot = arith.remsi %number, %c2 : index
      %tile = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.vabs ins(%tile : !ub_64xf32_at) outs(%b : !ub_64xf32)
    }
  }
  return
}

// A slot that runs on from a loop around the nest: which one is first is open, and still the one after the next is the same
// again. So a load waits for what read its slot two iterations before, not one, and mte2 works beside v in the loop, which
// does not run equally often each time.
// CHECK-LABEL: func.func @k19(
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: %[[ID:.*]] = arith.remsi %[[J]], %c2
// CHECK: aicore.wait_flag v -> mte2 [%[[ID]]]
// CHECK-NEXT: aicore.load
// CHECK: aicore.set_flag v -> mte2 [%[[ID]]]
func.func @k19(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" cases [2, 3] : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub_64xf32)
    %left = arith.subi %parts, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %tile = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %tile : !gm_64xf32_at to !ub_64xf32_at
      aicore.vabs ins(%tile : !ub_64xf32_at) outs(%b : !ub_64xf32)
    }
  }
  return
}

// Two passes over each row are carried through the loop over rows: their flags are set before it and waited for behind it,
// have ids of their own and count on from row to row. Nothing but the barriers of v stands in front of a pass or behind it,
// so mte2 loads what the next pass begins with while v ends this one.
// CHECK-LABEL: func.func @k20(
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
func.func @k20(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b = aicore.buffer "b" at 512 : !ub_2x64xf32
  %d = aicore.buffer "d" at 1024 : !ub_64xf32
  %e = aicore.buffer "e" at 1280 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vmax ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%d : !ub_64xf32)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %b[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vsub ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%e : !ub_64xf32)
    }
  }
  return
}

// Four passes would need eight ids: none of them is carried, ids are used again by each pass.
// CHECK-LABEL: func.func @k21(
// CHECK-SAME: aicore.event_ids = "event ids: flags from v to mte2 would need 8, Ascend310B1 has 6: loops start anew in each run"
// CHECK-NOT: aicore.set_flag v -> mte2
// CHECK: scf.for
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.set_flag v -> mte2 [%c1]
// CHECK-NEXT: scf.for
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @k21(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a0 = aicore.buffer "a0" at 0 : !ub_2x64xf32
  %a1 = aicore.buffer "a1" at 512 : !ub_2x64xf32
  %a2 = aicore.buffer "a2" at 1024 : !ub_2x64xf32
  %a3 = aicore.buffer "a3" at 1536 : !ub_2x64xf32
  %d = aicore.buffer "d" at 2048 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%d : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %a0[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vmax ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%d : !ub_64xf32)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %a1[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vmax ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%d : !ub_64xf32)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %a2[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vmax ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%d : !ub_64xf32)
    }
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %slot = memref.subview %a3[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %slot : !gm_64xf32_at to !ub_64xf32_at
      aicore.vmax ins(%slot, %d : !ub_64xf32_at, !ub_64xf32) outs(%d : !ub_64xf32)
    }
  }
  return
}

// Two views whose slots run on from different places may be the same slot in any iteration.
// CHECK-LABEL: func.func @k22(
// CHECK: aicore.set_flag v -> mte2 [%c0]
// CHECK-NOT: aicore.set_flag v -> mte2 [%c1]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: aicore.wait_flag v -> mte2 [%c0]
// CHECK-NEXT: aicore.load
func.func @k22(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %rows = aicore.tiling_data "rows" : index
  %parts = aicore.tiling_data "parts" : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b = aicore.buffer "b" at 512 : !ub_64xf32
  scf.for %i = %c0 to %rows step %c1 {
    aicore.vbrc ins(%one : f32) outs(%b : !ub_64xf32)
    scf.for %j = %c0 to %parts step %c1 {
      %before = arith.muli %i, %parts : index
      %running = arith.addi %before, %j : index
      %turn = arith.remsi %running, %c2 : index
      %other = arith.addi %i, %j : index
      %other_turn = arith.remsi %other, %c2 : index
      %at = arith.muli %j, %c64 : index
      %from = memref.subview %x[%at] [64] [1] : !gm_nxf32 to !gm_64xf32_at
      %tile = memref.subview %a[%turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      %other_tile = memref.subview %a[%other_turn, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
      aicore.load %from -> %tile : !gm_64xf32_at to !ub_64xf32_at
      aicore.vabs ins(%other_tile : !ub_64xf32_at) outs(%b : !ub_64xf32)
    }
  }
  return
}

// What a loop covers in each iteration that runs it, it does not cover in those that do not: a barrier stays in front of the
// loop, though with any one number of trips for all iterations the loop's own would do.
// CHECK-LABEL: func.func @k23(
// CHECK: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: scf.for
// CHECK: aicore.pipe_barrier v
// CHECK-NEXT: aicore.vadds
// CHECK: aicore.vabs
func.func @k23(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t10} {
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
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %c = aicore.buffer "c" at 512 : !ub_1024xf32
  aicore.vbrc ins(%one : f32) outs(%c : !ub_1024xf32)
  %whole0 = memref.subview %a[0, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_flat
  %whole1 = memref.subview %a[1, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_off64
  %from = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  aicore.load %from -> %whole0 : !gm_64xf32_flat to !ub_64xf32_flat
  aicore.load %from -> %whole1 : !gm_64xf32_flat to !ub_64xf32_off64
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.remsi %i, %c2 : index
    %i1 = arith.addi %i, %c1 : index
    %p = arith.remsi %i1, %c2 : index
    %rest = arith.subi %m, %i : index
    %here = memref.subview %a[%s, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    scf.for %j = %c0 to %rest step %c1 {
      aicore.vadds ins(%here, %one : !ub_64xf32_at, f32) outs(%here : !ub_64xf32_at)
    }
    %there = memref.subview %a[%p, 0] [1, %cols] [1, 1] : !ub_2x64xf32 to !ub_nxf32_at
    %at = arith.muli %i, %ld : index
    %row = memref.subview %c[%at] [%cols] [1] : !ub_1024xf32 to !ub_nxf32_at
    aicore.vabs ins(%there : !ub_nxf32_at) outs(%row : !ub_nxf32_at)
  }
  return
}

// Three loads take all six ids of a pair in turn, and what is loaded in front of the loop needs one: the loop leaves it one, and
// two of its flags become one, to and fro. Such are elementwise operators of four inputs in float16, one of which is a single element.
// CHECK-LABEL: func.func @k24(
// CHECK-SAME: aicore.event_ids = "event ids: flags from mte2 to v would need 7, Ascend310B1 has 6: {{[0-9]+ (is|are)}} merged with another"
// CHECK: aicore.load
// CHECK-NEXT: aicore.set_flag mte2 -> v [%c4]
// CHECK: aicore.wait_flag mte2 -> v [%c4]
// CHECK: scf.for
func.func @k24(%x: !gm_nxf32) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : !ub_2x64xf32
  %b = aicore.buffer "b" at 512 : !ub_2x64xf32
  %c = aicore.buffer "c" at 1024 : !ub_2x64xf32
  %a_r = aicore.buffer "a_r" at 2048 : !ub_64xf32
  %b_r = aicore.buffer "b_r" at 2304 : !ub_64xf32
  %c_r = aicore.buffer "c_r" at 2560 : !ub_64xf32
  %s = aicore.buffer "s" at 4096 : !ub_64xf32
  %t = aicore.buffer "t" at 4352 : !ub_64xf32
  %part = memref.subview %x[0] [64] [1] : !gm_nxf32 to !gm_64xf32_flat
  aicore.load %part -> %s : !gm_64xf32_flat to !ub_64xf32
  aicore.vexp ins(%s : !ub_64xf32) outs(%t : !ub_64xf32)
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remsi %i, %c2 : index
    %at = memref.subview %a[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %part -> %at : !gm_64xf32_flat to !ub_64xf32_at
    %bt = memref.subview %b[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %part -> %bt : !gm_64xf32_flat to !ub_64xf32_at
    %ct = memref.subview %c[%slot, 0] [1, 64] [1, 1] : !ub_2x64xf32 to !ub_64xf32_at
    aicore.load %part -> %ct : !gm_64xf32_flat to !ub_64xf32_at
    aicore.vexp ins(%at : !ub_64xf32_at) outs(%a_r : !ub_64xf32)
    aicore.vexp ins(%bt : !ub_64xf32_at) outs(%b_r : !ub_64xf32)
    aicore.vexp ins(%ct : !ub_64xf32_at) outs(%c_r : !ub_64xf32)
  }
  return
}
