// RUN: opc-opt --aicore-place %s | FileCheck %s
// RUN: opc-opt --aicore-place --aicore-rotate %s | FileCheck %s --check-prefix=ROTATED
// What the dialect cannot express otherwise: indices, and rows that lie where they say.

#full = affine_map<(d0, d1) -> (d0, d1)>

// Indices are loaded once for many tiles. Each becomes a place before it is multiplied by a distance, from both sides and
// with no sum that could overflow, and the row is loaded from there. The result is stored from where it was loaded.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: %[[PLACES:.+]] = aicore.buffer "p_places" : memref<1024xi32
// CHECK: aicore.load {{.+}} : memref<?xi32, strided<[1], offset: ?>, #gm>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[READ:.+]] = aicore.scalar_read
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[READ]] : i32 to index
// CHECK: %[[LAST:.+]] = arith.subi %{{.+}}, %c1
// CHECK: %[[BELOW:.+]] = arith.minsi %[[INDEX]], %[[LAST]]
// CHECK-NEXT: %[[PLACE:.+]] = arith.maxsi %[[BELOW]], %c0
// CHECK: arith.muli %[[PLACE]], %{{.+}}
// CHECK: aicore.load
// CHECK: }
// CHECK-NOT: aicore.v
// CHECK: aicore.store
func.func @rows(%t: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "t"}, %p: memref<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "p"}, %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "gather", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %a = bufferization.to_tensor %t restrict : memref<?x?xf32> to tensor<?x?xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// With -1 as the last place an index is first brought between -count and count - 1, then count is added to what is
// negative. Indices of 64 bits are pairs of words. One index for all rows is read once for a tile, whose rows are one copy.
// CHECK-LABEL: func.func @from_end
// CHECK-SAME: memref<?xi32, #gm> {aicore.name = "p"}
// CHECK: aicore.buffer "p_places" : memref<64xi32
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: aicore.scalar_read
// CHECK: aicore.scalar_read
// CHECK: arith.minsi
// CHECK: %[[LEAST:.+]] = arith.subi %c0, %[[COUNT:.+]] : index
// CHECK: arith.maxsi %{{.+}}, %[[LEAST]]
// CHECK: arith.muli %[[COUNT]], %{{.+}}
// CHECK: aicore.load
func.func @from_end(%t: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.from_end, te.gathered_by = "p", te.name = "t"}, %p: memref<1x1xi64> {te.dims = array<i64: -1, -1>, te.name = "p"}, %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "gather", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %a = bufferization.to_tensor %t restrict : memref<?x?xf32> to tensor<?x?xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// A scatter begins with a copy of the data. Then each row's index is clamped, and the row is combined with the present
// row of the result, which is loaded from the result, and stored.
// CHECK-LABEL: func.func @added
// CHECK-SAME: %[[DATA:[a-z0-9]+]]: memref<?xf32, #gm> {aicore.name = "x"}
// CHECK-SAME: %[[RESULT:[a-z0-9]+]]: memref<?xf32, #gm> {aicore.name = "y"}
// CHECK: aicore.tiling_data "y_elements"
// CHECK: scf.for
// CHECK: memref.subview %[[DATA]]
// CHECK: aicore.load
// CHECK: memref.subview %[[RESULT]]
// CHECK: aicore.store
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: aicore.scalar_read
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: memref.reinterpret_cast %[[RESULT]]
// CHECK: aicore.load
// CHECK: aicore.vadd
// CHECK: memref.reinterpret_cast %[[RESULT]]
// CHECK: aicore.store
// A row of the result is loaded only after the row of the last iteration is stored; indices and updates are prefetched.
// ROTATED-LABEL: func.func @added
// ROTATED-SAME: %[[RESULT:[a-z0-9]+]]: memref<?xf32, #gm> {aicore.name = "y"}
// ROTATED: scf.if
// ROTATED: aicore.load
// ROTATED-COUNT-2: memref.reinterpret_cast %[[RESULT]]
// ROTATED-NOT: memref.reinterpret_cast %[[RESULT]]
func.func @added(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "x"},
                 %p: memref<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "p"},
                 %u: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "u"},
                 %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "y", te.scattered = "x"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "scattered", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %b = bufferization.to_tensor %u restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %b, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%old: f32, %new: f32, %o: f32):
    %s = arith.addf %old, %new : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
