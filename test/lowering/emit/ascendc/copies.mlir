// Copies of rows: bytes of a row, how far rows lie apart on both sides, padding, and stores that add.
// Without this gaps of global memory and of UB could change sides, or an atomic add stay on for the next store.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "rows"}, index {aicore.name = "row"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %y: memref<?xf32, #gm> {aicore.name = "y"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %rows = aicore.tiling_data "rows" max 8 : index
  %row = aicore.tiling_data "row" max 64 : index
  %lowest = arith.constant 0xFF800000 : f32
  %a = aicore.buffer "a" at 2048 : memref<512xf32, #ub>
  %x_rows = memref.reinterpret_cast %x to offset: [5], sizes: [%rows, %row], strides: [%row, 1]
      : memref<?xf32, #gm> to memref<?x?xf32, strided<[?, 1], offset: 5>, #gm>
  %y_rows = memref.reinterpret_cast %y to offset: [%row], sizes: [%rows, %row], strides: [96, 1]
      : memref<?xf32, #gm> to memref<?x?xf32, strided<[96, 1], offset: ?>, #gm>
  %a_rows = memref.reinterpret_cast %a to offset: [0], sizes: [%rows, %row], strides: [64, 1]
      : memref<512xf32, #ub> to memref<?x?xf32, strided<[64, 1]>, #ub>
  // What lies between the end of a row and the start of the next: bytes in global memory, blocks in UB.
  // CHECK: DataCopyExtParams RowsIn(int64_t rows, int64_t bytes, int64_t gmPitch, int64_t ubPitch)
  // CHECK: DataCopyExtParams RowsOut(int64_t rows, int64_t bytes, int64_t ubPitch, int64_t gmPitch)
  // CHECK: AscendC::DataCopyPad(aLocal, xGm[5], RowsIn(rows, row * 4, row * 4, 256), PadRow<float>(row * 4, FromBits<float>(uint32_t(0xff800000))));  // copies.mlir:[[#@LINE+1]]
  aicore.load %x_rows -> %a_rows pad(%lowest : f32) : memref<?x?xf32, strided<[?, 1], offset: 5>, #gm> to memref<?x?xf32, strided<[64, 1]>, #ub>
  // CHECK-NEXT: AscendC::SetAtomicAdd<float>();
  // CHECK-NEXT: AscendC::DataCopyPad(yGm[row], aLocal, RowsOut(rows, row * 4, 256, 384));
  // CHECK-NEXT: AscendC::SetAtomicNone();
  aicore.store %a_rows -> %y_rows atomic_add : memref<?x?xf32, strided<[64, 1]>, #ub> to memref<?x?xf32, strided<[96, 1], offset: ?>, #gm>
  // One row alone: nothing lies between rows.
  %x_part = memref.subview %x[%rows] [%row] [1] : memref<?xf32, #gm> to memref<?xf32, strided<[1], offset: ?>, #gm>
  %a_part = memref.subview %a[0] [%row] [1] : memref<512xf32, #ub> to memref<?xf32, strided<[1]>, #ub>
  // CHECK: AscendC::DataCopyPad(aLocal{{[0-9]*}}, xGm[rows], Row(row * 4), NoPad<float>());
  aicore.load %x_part -> %a_part : memref<?xf32, strided<[1], offset: ?>, #gm> to memref<?xf32, strided<[1]>, #ub>
  return
}
