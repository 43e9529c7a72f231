// When the body of a loop is split into CopyIn, Compute and CopyOut, and when it stays whole; tiling data that only the loop
// reads. Without this a kernel whose pipes take turns in another order could be taken apart.
// RUN: split-file %s %t
// RUN: opc-translate --aicore-to-ascendc %t/split.mlir > %t/k.cpp
// RUN: opc-translate --aicore-to-host %t/split.mlir > %t/k_tiling.h
// RUN: FileCheck %s --check-prefix=SPLIT < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp
// RUN: opc-translate --aicore-to-ascendc %t/whole.mlir > %t/k.cpp
// RUN: FileCheck %s --check-prefix=WHOLE < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

// The length is read in the loop: Init reads it, the stages have the field.
// SPLIT: void Init(
// SPLIT: length = static_cast<int64_t>(tiling.length);
// SPLIT: void Process() {
// SPLIT: for (int64_t tile = 0; tile < 3; tile += 1) {
// SPLIT-NEXT: CopyIn(tile);
// SPLIT-NEXT: Compute();
// SPLIT-NEXT: CopyOut(tile);
// SPLIT-NEXT: }
// SPLIT: void CopyIn(int64_t tile) {
// SPLIT: offset = tile * length;
// SPLIT-NOT: yLocal
// SPLIT: AscendC::DataCopyPad(xLocal, xGm[offset],
// SPLIT-NEXT: AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(0);
// SPLIT-NEXT: }
// Each flag is emitted in the code of its pipe.
// SPLIT: void Compute() {
// SPLIT-NOT: DataCopyPad
// SPLIT: AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(0);
// SPLIT-NEXT: AscendC::Relu(yLocal, xLocal, 64);
// SPLIT-NEXT: AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(0);
// SPLIT-NEXT: }
// SPLIT: void CopyOut(
// SPLIT: AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(0);
// SPLIT-NEXT: AscendC::DataCopyPad(xGm[{{.*}}], yLocal,

// A store before the load: one method, in the order of the kernel.
// WHOLE: void Process() {
// WHOLE: for (
// WHOLE: AscendC::DataCopyPad(xGm[
// WHOLE: AscendC::DataCopyPad(xLocal,
// WHOLE: AscendC::Relu(
// WHOLE-NOT: CopyIn

//--- split.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
!g = memref<64xf32, strided<[1], offset: ?>, #gm>
func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "length"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x_tile = aicore.buffer "x" at 0 : !t
  %y_tile = aicore.buffer "y" at 256 : !t
  scf.for %tile = %c0 to %c3 step %c1 {
    %length = aicore.tiling_data "length" : index
    %offset = arith.muli %tile, %length : index
    %x_gm = memref.subview %x[%offset] [64] [1] : memref<?xf32, #gm> to !g
    aicore.load %x_gm -> %x_tile : !g to !t
    aicore.set_flag mte2 -> v [%c0]
    aicore.wait_flag mte2 -> v [%c0]
    aicore.vrelu ins(%x_tile : !t) outs(%y_tile : !t)
    aicore.set_flag v -> mte3 [%c0]
    aicore.wait_flag v -> mte3 [%c0]
    aicore.store %y_tile -> %x_gm : !t to !g
  }
  return
}

//--- whole.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
!g = memref<64xf32, strided<[1], offset: ?>, #gm>
func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "length"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x_tile = aicore.buffer "x" at 0 : !t
  scf.for %tile = %c0 to %c3 step %c1 {
    %length = aicore.tiling_data "length" : index
    %offset = arith.muli %tile, %length : index
    %x_gm = memref.subview %x[%offset] [64] [1] : memref<?xf32, #gm> to !g
    aicore.store %x_tile -> %x_gm : !t to !g
    aicore.load %x_gm -> %x_tile : !g to !t
    aicore.vrelu ins(%x_tile : !t) outs(%x_tile : !t)
  }
  return
}
