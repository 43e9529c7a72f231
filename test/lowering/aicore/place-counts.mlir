// RUN: opc-opt --aicore-place %s | FileCheck %s
// Positions along both loops of a tile. Those along rows are made once and moved to where a tile begins; those along the
// columns begin with the first of a part, once for all tiles. Nothing is loaded.

#full = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @positions
// CHECK: %[[NUMBERS:.+]] = aicore.buffer "row_numbers" : memref<2048xi32, #ub>
// CHECK: aicore.varange ins(%c0_i32 : i32) outs(%[[LANES:.+]] : memref<2048xi32
// CHECK: %[[MADE:.+]] = memref.subview %[[NUMBERS]]
// CHECK-NEXT: aicore.vshr ins(%[[LANES]], %c3_i32 : {{.+}}) outs(%[[MADE]] : memref<2048xi32
// CHECK: scf.for
// CHECK: %[[FIRST:.+]] = arith.trunci {{.+}} : i64 to i32
// CHECK: aicore.varange ins(%[[FIRST]] : i32)
// CHECK: scf.for
// CHECK-NOT: aicore.load
// CHECK: %[[ROW:.+]] = arith.trunci {{.+}} : i64 to i32
// CHECK: %[[USED:.+]] = memref.subview %[[NUMBERS]]
// CHECK: aicore.vadds ins(%[[USED]], %[[ROW]] : {{.+}})
// CHECK: aicore.store
func.func @positions(%y: memref<?x?xi32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "counted", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %y, %c0 : memref<?x?xi32>
  %n = memref.dim %y, %c1 : memref<?x?xi32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xi32>
  %0 = linalg.generic {indexing_maps = [#full], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<?x?xi32>) {
  ^bb0(%out: i32):
    %row = linalg.index 0 {te.loop = 0 : i64} : index
    %row32 = arith.index_cast %row : index to i32
    %column = linalg.index 1 {te.loop = 1 : i64} : index
    %column32 = arith.index_cast %column : index to i32
    %sum = arith.addi %row32, %column32 : i32
    linalg.yield %sum : i32
  } -> tensor<?x?xi32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<?x?xi32>, memref<?x?xi32>) -> ()
  return
}
