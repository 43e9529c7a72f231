// Reductions count what they read and pass their scratch tile after the source.
// Without this a reduction would take one element, or write its scratch over its source.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>
!one = memref<16xf16, #ub>
!lone = memref<1xf16, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %x_tile = aicore.buffer "x_tile" at 0 : !h
  %work = aicore.buffer "work" at 256 : !h
  %total = aicore.buffer "total" at 512 : !one
  // CHECK: AscendC::ReduceSum(totalLocal, xTileLocal, workLocal, 128);
  aicore.vreduce_sum ins(%x_tile : !h) outs(%total : !one) scratch(%work : !h)
  // CHECK: AscendC::ReduceMax(totalLocal, xTileLocal, workLocal, 128);
  aicore.vreduce_max ins(%x_tile : !h) outs(%total : !one) scratch(%work : !h)
  // CHECK: AscendC::ReduceMin(totalLocal, xTileLocal, workLocal, 128);
  aicore.vreduce_min ins(%x_tile : !h) outs(%total : !one) scratch(%work : !h)
  // The call reads a second element of its destination where a tail is left: a tensor of one has no such place.
  %most = aicore.buffer "most" at 544 : !lone
  // CHECK: AscendC::LocalTensor<half> mostLocal = ub.GetWithOffset<half>(16, 544);
  // CHECK: AscendC::ReduceMax(mostLocal, xTileLocal, workLocal, 128);
  aicore.vreduce_max ins(%x_tile : !h) outs(%most : !lone) scratch(%work : !h)
  return
}
