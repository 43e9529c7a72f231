// RUN: opc-opt --aicore-place %s | FileCheck %s
// Along m each row is combined with a row in UB that has what came before it, which is filled before the first tile. Blocks have
// parts of the columns, since rows depend on each other.

#full = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @sums
// CHECK: aicore.tiling_data "block_groups"
// CHECK: %[[RUNNING:.+]] = aicore.buffer "running0" : memref<8192xf32, #ub>
// CHECK: scf.for
// CHECK: aicore.vbrc ins(%cst{{.*}} : f32) outs(%{{.+}} : memref<?xf32
// CHECK: scf.for
// CHECK: aicore.load
// CHECK: scf.for
// CHECK: aicore.vadd
// CHECK-NEXT: memref.subview %[[RUNNING]]
// CHECK: aicore.vcopy
// CHECK: aicore.store
func.func @sums(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"},
                %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "scanned", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %in, %c0 : tensor<?x?xf32>
  %n = tensor.dim %in, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%in : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = te.scan sum %a along N loop 0
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// A scan along a row combines the row with itself, shifted by 1, 2 and 4 elements with gathers, and then by whole
// blocks. Blocks have rows. The value before a part of the row is an element for each row, passed from part to part.

// CHECK-LABEL: func.func @lines
// CHECK: aicore.tiling_data "block_rows"
// CHECK: %[[BEFORE:.+]] = aicore.buffer "before0" : memref<2048xf32, #ub>
// CHECK: %[[LINE:.+]] = aicore.buffer "line0" : memref<8200xf32, #ub>
// CHECK: scf.for
// CHECK: memref.subview %[[BEFORE]]
// CHECK: scf.for
// CHECK: aicore.load
// CHECK: scf.for
// CHECK: aicore.vcopy
// CHECK-COUNT-3: aicore.vgather
// CHECK: scf.for
// CHECK-COUNT-3: aicore.vadd {{.*}}, #ub>)
// CHECK: scf.for
// CHECK-COUNT-7: aicore.vadd {{.*}}, #ub>)
// CHECK-NOT: aicore.vadd {{.*}}, #ub>)
// CHECK: aicore.vgather
// CHECK: aicore.vcopy
// CHECK: aicore.store
func.func @lines(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"},
                 %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "scanned", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %in, %c0 : tensor<?x?xf32>
  %n = tensor.dim %in, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%in : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = te.scan sum %a along N loop 1
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
