// Intrinsics that count what they read, lists and tiles with lengths of their own, patterns.
// Without this a merge would take one length for all its lists, or a scatter write past its tile.
// RUN: opc-translate --aicore-to-simulator %s | FileCheck %s

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<256xf32, #ub>
!part = memref<?xf32, strided<[1]>, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  // CHECK-DAG: r[[C256:[0-9]+]] = const 256
  // CHECK-DAG: r[[C64:[0-9]+]] = const 64
  // CHECK-DAG: r[[C100:[0-9]+]] = const 100
  %n = aicore.tiling_data "n" max 256 : index
  %a = aicore.buffer "a" at 0 : !t
  %d = aicore.buffer "d" at 1024 : !t
  %o = aicore.buffer "o" at 2048 : memref<256xui32, #ub>
  %m = aicore.buffer "m" at 3072 : memref<32xui8, #ub>
  %w = aicore.buffer "w" at 3104 : memref<4096xui8, #ub>
  // CHECK: r[[N:[0-9]+]] = param 1
  %part = memref.subview %a[0] [%n] [1] : !t to !part
  %four = memref.subview %d[0] [4] [1] : !t to memref<4xf32, strided<[1]>, #ub>
  // CHECK: vreduce_repeat_sum ub[d: r{{[0-9]+}}] f32 <- ub[a: r{{[0-9]+}}] f32, count r[[N]]
  aicore.vreduce_repeat_sum ins(%part : !part) outs(%four : memref<4xf32, strided<[1]>, #ub>)
  // CHECK: vgather_mask ub[d: {{.*}}] f32 <- ub[m: {{.*}}] ui8 ub[a: {{.*}}] f32, count r[[C256]]
  aicore.vgather_mask ins(%m, %a : memref<32xui8, #ub>, !t) outs(%d : !t)
  %half = memref.subview %d[0] [128] [1] : !t to memref<128xf32, strided<[1]>, #ub>
  // CHECK: vgather_pattern odd ub[d: {{.*}}] f32 <- ub[a: {{.*}}] f32, count r[[C256]]
  aicore.vgather_pattern odd ins(%a : !t) outs(%half : memref<128xf32, strided<[1]>, #ub>)
  %table = memref.subview %d[0] [100] [1] : !t to memref<100xf32, strided<[1]>, #ub>
  // CHECK: vscatter ub[d: r{{[0-9]+}}, length r[[C100]]] f32 <- ub[a: {{.*}}] f32 ub[o: {{.*}}] ui32, count r[[C256]]
  aicore.vscatter ins(%a, %o : !t, memref<256xui32, #ub>) outs(%table : memref<100xf32, strided<[1]>, #ub>)
  // CHECK: vgather ub[d: {{.*}}] f32 <- ub[a: r{{[0-9]+}}, length r[[N]]] f32 ub[o: {{.*}}] ui32, count r[[C256]]
  aicore.vgather ins(%part, %o : !part, memref<256xui32, #ub>) outs(%d : !t)
  %list = memref.subview %a[0] [64] [1] : !t to memref<64xf32, strided<[1]>, #ub>
  %all = memref.subview %d[0] [192] [1] : !t to memref<192xf32, strided<[1]>, #ub>
  // CHECK: vmrgsort ub[d: {{.*}}] f32 <- ub[a: r{{[0-9]+}}, length r[[C64]]] f32 ub[a: r{{[0-9]+}}, length r[[C64]]] f32 ub[a: r{{[0-9]+}}, length r[[C64]]] f32 ;
  aicore.vmrgsort ins(%list, %list, %list : memref<64xf32, strided<[1]>, #ub>, memref<64xf32, strided<[1]>, #ub>, memref<64xf32, strided<[1]>, #ub>) outs(%all : memref<192xf32, strided<[1]>, #ub>)
  // CHECK: vfloor ub[d: {{.*}}] f32 <- ub[a: {{.*}}] f32 scratch ub[w: {{.*}}] ui8, count r[[C256]]
  aicore.vfloor ins(%a : !t) outs(%d : !t) scratch(%w : memref<4096xui8, #ub>)
  return
}
