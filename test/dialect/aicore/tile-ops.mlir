// RUN: opc-opt %s | opc-opt | FileCheck %s

// Buffers keep name, slots and address; printed IR calls the result by the name, which is what people search for.
// CHECK-LABEL: func.func @buffers
func.func @buffers() {
  // CHECK: %x1 = aicore.buffer "x1" : memref<8192xf16, #ub>
  %0 = aicore.buffer "x1" : memref<8192xf16, #aicore.space<ub>>
  // CHECK: %x2 = aicore.buffer "x2" at 32768 : memref<2x8192xf16, #ub>
  %1 = aicore.buffer "x2" at 32768 : memref<2x8192xf16, #aicore.space<ub>>
  // Address 0 is an address, not the absence of one.
  // CHECK: %a = aicore.buffer "a" at 0 : memref<16xi8, #l1>
  %2 = aicore.buffer "a" at 0 : memref<16xi8, #aicore.space<l1>>
  return
}

// Tiling data keeps its bounds: planner and verifiers take them as facts.
// CHECK-LABEL: func.func @tiling_data
func.func @tiling_data() -> (index, index, index, index) {
  // CHECK: %tile_length = aicore.tiling_data "tile_length" min 1 max 8192 : index
  %0 = aicore.tiling_data "tile_length" min 1 max 8192 : index
  // CHECK: %n = aicore.tiling_data "n" : index
  %1 = aicore.tiling_data "n" : index
  // CHECK: aicore.block_idx : index
  %2 = aicore.block_idx : index
  // CHECK: %mode = aicore.tiling_data "mode" cases [0, 1, 4] : index
  %3 = aicore.tiling_data "mode" cases [0, 1, 4] : index
  return %0, %1, %2, %3 : index, index, index, index
}

// CHECK-LABEL: func.func @scalars
func.func @scalars(%i: index) {
  %t = aicore.buffer "t" : memref<64xf32, #aicore.space<ub>>
  // CHECK: %[[V:.*]] = aicore.scalar_read %t[%{{.*}}] : memref<64xf32, #ub>
  %v = aicore.scalar_read %t[%i] : memref<64xf32, #aicore.space<ub>>
  // CHECK: aicore.scalar_write %[[V]], %t[%{{.*}}] : memref<64xf32, #ub>
  aicore.scalar_write %v, %t[%i] : memref<64xf32, #aicore.space<ub>>
  return
}
