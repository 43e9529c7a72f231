// Operands of each form of intrinsic, and copies of rows: where sources, masks, scratch, scalars and strides go.
// Without this an operand of a rarer form could land in the wrong place of the instruction.
// RUN: opc-translate --aicore-to-simulator %s | FileCheck %s

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "row"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}

func.func @k(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %rows = aicore.tiling_data "rows" max 8 : index
  %row = aicore.tiling_data "row" max 64 : index
  %pad = arith.constant 0.0 : f32
  %a = aicore.buffer "a" at 0 : memref<512xf32, #ub>
  %h = aicore.buffer "h" at 2048 : memref<512xf16, #ub>
  %m = aicore.buffer "m" at 4096 : memref<64xui8, #ub>
  %o = aicore.buffer "o" at 4160 : memref<512xui32, #ub>
  %w = aicore.buffer "w" at 8192 : memref<512xf32, #ub>
  // Rows of 64 elements, 256 bytes apart in UB, as far apart in GM as they are long.
  // CHECK-DAG: r[[C256:[0-9]+]] = const 256
  // CHECK-DAG: r[[FOUR:[0-9]+]] = const 4
  // CHECK-DAG: r[[C512:[0-9]+]] = const 512
  // CHECK-DAG: r[[W:[0-9]+]] = const 8192
  // CHECK: r[[ROWS:[0-9]+]] = param 1
  // CHECK: r[[ROW:[0-9]+]] = param 2
  // CHECK: r[[PITCH:[0-9]+]] = mul r[[ROW]], r[[FOUR]]
  // CHECK: load ub[a: r{{[0-9]+}}, stride r[[C256]]] f32 <- gm[0: r{{[0-9]+}}, stride r[[PITCH]]] f32, count r[[ROW]], rows r[[ROWS]], pad
  %x_rows = memref.reinterpret_cast %x to offset: [0], sizes: [%rows, %row], strides: [%row, 1]
      : memref<?xf32, #gm> to memref<?x?xf32, strided<[?, 1]>, #gm>
  %a_rows = memref.reinterpret_cast %a to offset: [0], sizes: [%rows, %row], strides: [64, 1]
      : memref<512xf32, #ub> to memref<?x?xf32, strided<[64, 1]>, #ub>
  aicore.load %x_rows -> %a_rows pad(%pad : f32) : memref<?x?xf32, strided<[?, 1]>, #gm> to memref<?x?xf32, strided<[64, 1]>, #ub>
  // CHECK: vcast rint ub[h: r{{[0-9]+}}] f16 <- ub[a: r{{[0-9]+}}] f32, count r[[C512]]
  aicore.vcast ins(%a : memref<512xf32, #ub>) outs(%h : memref<512xf16, #ub>) round rint
  // A comparison counts what it reads: its mask is an eighth as long.
  // CHECK: vcmp lt ub[m: r{{[0-9]+}}] ui8 <- ub[a: r{{[0-9]+}}] f32 ub[w: r[[W]]] f32, count r[[C512]]
  aicore.vcmp lt ins(%a, %w : memref<512xf32, #ub>, memref<512xf32, #ub>) outs(%m : memref<64xui8, #ub>)
  // CHECK: vsel ub[a: {{.*}}] f32 <- ub[m: {{.*}}] ui8 ub[a: {{.*}}] f32 ub[w: r[[W]]] f32, count r[[C512]]
  aicore.vsel ins(%m, %a, %w : memref<64xui8, #ub>, memref<512xf32, #ub>, memref<512xf32, #ub>) outs(%a : memref<512xf32, #ub>)
  // CHECK: vgather ub[w: {{.*}}] f32 <- ub[a: {{.*}}] f32 ub[o: {{.*}}] ui32, count r[[C512]]
  aicore.vgather ins(%a, %o : memref<512xf32, #ub>, memref<512xui32, #ub>) outs(%w : memref<512xf32, #ub>)
  // A reduction counts what it reads.
  // CHECK: vreduce_sum ub[a: {{.*}}] f32 <- ub[w: r[[W]]] f32 scratch ub[w: r[[W]]] f32, count r[[C512]]
  %one = memref.subview %a[0] [8] [1] : memref<512xf32, #ub> to memref<8xf32, strided<[1]>, #ub>
  aicore.vreduce_sum ins(%w : memref<512xf32, #ub>) outs(%one : memref<8xf32, strided<[1]>, #ub>) scratch(%w : memref<512xf32, #ub>)
  // CHECK: vbrc ub[w: {{.*}}] f32 <- scalar
  aicore.vbrc ins(%pad : f32) outs(%w : memref<512xf32, #ub>)
  // CHECK: v: barrier
  aicore.pipe_barrier v
  // CHECK: mte3: store {{.*}} atomic add
  aicore.store %a_rows -> %x_rows atomic_add : memref<?x?xf32, strided<[64, 1]>, #ub> to memref<?x?xf32, strided<[?, 1]>, #gm>
  return
}
