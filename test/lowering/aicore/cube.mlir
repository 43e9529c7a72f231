// RUN: opc-opt %s --aicore-verify-placed --aicore-rotate --aicore-verify-rotated --aicore-plan --aicore-verify-planned --aicore-insert-sync --aicore-verify-synced | FileCheck %s
// RUN: opc-opt %s --aicore-verify-placed --aicore-rotate --aicore-verify-rotated --aicore-plan --aicore-verify-planned --aicore-insert-sync=fix-to-v=direct --aicore-verify-synced | FileCheck %s --check-prefix=DIRECT
// RUN: not opc-opt %s --aicore-rotate --aicore-plan --aicore-insert-sync=fix-to-v=both 2>&1 | FileCheck %s --check-prefix=NEITHER

// A product of one step of k, from placed to synced: slots in every memory, a plan for each memory, flags of the cube's pipes.
// A product of several steps, with flags back from M to MTE1, is test/ops/Inputs/add_matmul.

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
#l1 = #aicore.space<l1, nz>
!rows = memref<?x?xf16, strided<[?, 1], offset: ?>, #gm>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"}, index {aicore.name = "tiles"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// With flags between FIX and V that the kernel assumes, MTE1 has no part in it.
// DIRECT-LABEL: func.func @product
// DIRECT-SAME: aicore.fix_to_v = "direct"
// DIRECT-NOT: mte1 -> v
// DIRECT-NOT: fix -> mte1
// DIRECT: aicore.fixpipe
// DIRECT: aicore.set_flag fix -> v
// DIRECT: aicore.wait_flag fix -> v
// DIRECT-NEXT: aicore.vrelu
// DIRECT-NOT: mte1 -> v
// DIRECT: return
// NEITHER: Cannot find option named 'both'

// CHECK-LABEL: func.func @product
// Each memory begins at 0.
// CHECK-DAG: aicore.buffer "x_l1" at 0 : memref<2x4096xf16, #l1_nz>
// CHECK-DAG: aicore.buffer "w_l1" at 16384 : memref<2x4096xf16, #l1_nz>
// CHECK-DAG: aicore.buffer "x_l0" at 0 : memref<2x4096xf16, #l0a_zz>
// CHECK-DAG: aicore.buffer "w_l0" at 0 : memref<2x4096xf16, #l0b_zn>
// CHECK-DAG: aicore.buffer "sum" at 0 : memref<2x4096xf32, #l0c_nz>
// CHECK-DAG: aicore.buffer "y" at 0 : memref<2x4096xf32, #ub>
// CHECK-DAG: aicore.set_flag mte1 -> mte2 [%c0]
// CHECK-DAG: aicore.set_flag mte3 -> mte1 [%c0]
// CHECK-NOT: fix -> v
// CHECK: scf.for
// CHECK: aicore.load_nz
// CHECK: aicore.set_flag mte2 -> mte1
// CHECK: aicore.wait_flag mte2 -> mte1
// CHECK: aicore.load_fractals
// CHECK: aicore.load_fractals
// CHECK: aicore.set_flag mte1 -> m
// CHECK: aicore.wait_flag mte1 -> m
// CHECK: aicore.mmad
// CHECK: aicore.set_flag m -> fix
// CHECK: aicore.wait_flag m -> fix
// CHECK: aicore.fixpipe
// What V reads of FIX goes over MTE1.
// CHECK: aicore.set_flag fix -> mte1
// CHECK-NEXT: aicore.wait_flag fix -> mte1
// CHECK-NEXT: aicore.set_flag mte1 -> v
// CHECK: aicore.wait_flag mte1 -> v
// CHECK: aicore.vrelu
// CHECK-NOT: v -> fix
// CHECK: return
func.func @product(%x: memref<?xf16, #gm>, %w: memref<?xf16, #gm>, %z: memref<?xf32, #gm>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %true = arith.constant true
  %tiles = aicore.tiling_data "tiles" : index
  scf.for %i = %c0 to %tiles step %c1 {
    %offset = arith.muli %i, %c4096 : index
    %x_gm = memref.reinterpret_cast %x to offset: [%offset], sizes: [%c64, %c64], strides: [%c64, 1] : memref<?xf16, #gm> to !rows
    %w_gm = memref.reinterpret_cast %w to offset: [%offset], sizes: [%c64, %c64], strides: [%c64, 1] : memref<?xf16, #gm> to !rows
    %z_gm = memref.subview %z[%offset] [4096] [1] : memref<?xf32, #gm> to memref<4096xf32, strided<[1], offset: ?>, #gm>
    %x_l1 = aicore.buffer "x_l1" : memref<4096xf16, #l1>
    %w_l1 = aicore.buffer "w_l1" : memref<4096xf16, #l1>
    %x_l0 = aicore.buffer "x_l0" : memref<4096xf16, #aicore.space<l0a, zz>>
    %w_l0 = aicore.buffer "w_l0" : memref<4096xf16, #aicore.space<l0b, zn>>
    %sum = aicore.buffer "sum" : memref<4096xf32, #aicore.space<l0c, nz>>
    %y = aicore.buffer "y" : memref<4096xf32, #ub>
    aicore.load_nz %x_gm -> %x_l1 height %c64 : !rows to memref<4096xf16, #l1>
    aicore.load_nz %w_gm -> %w_l1 height %c64 : !rows to memref<4096xf16, #l1>
    aicore.load_fractals %x_l1 -> %x_l0 rows %c64 columns %c64 height %c64 : memref<4096xf16, #l1> to memref<4096xf16, #aicore.space<l0a, zz>>
    aicore.load_fractals %w_l1 -> %w_l0 rows %c64 columns %c64 height %c64 transpose : memref<4096xf16, #l1> to memref<4096xf16, #aicore.space<l0b, zn>>
    aicore.mmad ins(%x_l0, %w_l0 : memref<4096xf16, #aicore.space<l0a, zz>>, memref<4096xf16, #aicore.space<l0b, zn>>) outs(%sum : memref<4096xf32, #aicore.space<l0c, nz>>) m %c64 k %c64 n %c64 init %true
    aicore.fixpipe %sum -> %y m %c64 n %c64 stride %c64 : memref<4096xf32, #aicore.space<l0c, nz>> to memref<4096xf32, #ub>
    aicore.vrelu ins(%y : memref<4096xf32, #ub>) outs(%y : memref<4096xf32, #ub>)
    aicore.store %y -> %z_gm : memref<4096xf32, #ub> to memref<4096xf32, strided<[1], offset: ?>, #gm>
  }
  return
}
