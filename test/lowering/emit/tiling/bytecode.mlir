// One instruction an op; sizes name tensors by position; comparisons that the machine lacks are built of those it has.
// Without this a launch would run with the tiling of another shape.
// RUN: opc-translate --aicore-to-tiling %s | FileCheck %s

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "b">},
                    %last: index {aicore.size = #aicore.size<dim -1 of "a">},
                    %rank: index {aicore.size = #aicore.size<rank of "b">},
                    %blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tile"}) attributes {aicore.tiling} {
  %c8 = arith.constant 8 : index
  %q = arith.floordivsi %n, %c8 : index
  %r = arith.remsi %n, %last : index
  %le = arith.cmpi sle, %q, %r : index
  %s = arith.select %le, %rank, %blocks : index
  %d = arith.subi %s, %q : index
  return %blocks, %d : index, index
}
// CHECK: r0 = num_elements of tensor 1
// CHECK: r1 = dim -1 of tensor 0
// CHECK: r2 = rank of tensor 1
// CHECK: r3 = max_blocks
// CHECK: r4 = const 8
// CHECK: r5 = floor_div r0, r4
// CHECK: r6 = rem r0, r1
// CHECK: r7 = lt r6, r5
// CHECK: r8 = const 0
// CHECK: r9 = eq r7, r8
// CHECK: r10 = select r9, r2, r3
// CHECK: r11 = sub r10, r5
// CHECK: block_num: uint32 = r3
// A reader with a bound below 2^32 makes the field narrow.
// CHECK: tile: uint32 = r11

#gm = #aicore.space<gm>
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"}, %b: memref<?xf32, #gm> {aicore.name = "b"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %tile = aicore.tiling_data "tile" max 4096 : index
  return
}
