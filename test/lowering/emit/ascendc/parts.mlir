// Intrinsics whose calls take a mask and repeats, or parameters of their own, go through helpers; the rest call directly.
// Without this a transpose could get a count, or a merge the wrong number of lists.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<256xf16, #ub>
!f = memref<256xf32, #ub>
!i = memref<256xui32, #ub>
!m = memref<32xui8, #ub>
!w = memref<4096xui8, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// CHECK: AscendC::Copy(dst[done], src[done]
// CHECK: AscendC::WholeReduceSum(results, elements, lane, times, 1, 1, 8);
// CHECK: AscendC::WholeReduceMax(results, elements, lane, times, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
// CHECK: AscendC::WholeReduceMin(results, elements, lane, times, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
// CHECK: AscendC::BlockReduceSum(results, elements, times, lane, 1, 1, 8);
// CHECK: AscendC::BlockReduceMax(results, elements, times, lane, 1, 1, 8);
// CHECK: AscendC::BlockReduceMin(results, elements, times, lane, 1, 1, 8);
// CHECK: AscendC::PairReduceSum(
// CHECK: AscendC::Sort32(
// CHECK: AscendC::GatherMask(dst, src, mask.template ReinterpretCast<uint16_t>()
// CHECK: AscendC::TransDataTo5HD<T>(to, from, params);
// CHECK: AscendC::MrgSort<T>(dst, AscendC::MrgSortSrcList<T>(a, b, c, d), info);
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %h = aicore.buffer "h" at 0 : !h
  %g = aicore.buffer "g" at 512 : !h
  %f = aicore.buffer "f" at 1024 : !f
  %o = aicore.buffer "o" at 2048 : !f
  %i = aicore.buffer "i" at 3072 : !i
  %m = aicore.buffer "m" at 4096 : !m
  %w = aicore.buffer "w" at 4128 : !w
  // CHECK: CopyElements(gLocal, hLocal, 256);
  aicore.vcopy ins(%h : !h) outs(%g : !h)
  %four = memref.subview %o[0] [4] [1] : !f to memref<4xf32, strided<[1]>, #ub>
  // CHECK: EachRepeat<PartCall::Min>(oLocal, fLocal, 256);
  aicore.vreduce_repeat_min ins(%f : !f) outs(%four : memref<4xf32, strided<[1]>, #ub>)
  %blocks = memref.subview %o[0] [32] [1] : !f to memref<32xf32, strided<[1]>, #ub>
  // CHECK: EachBlock<PartCall::Sum>({{.*}}, fLocal, 256);
  aicore.vreduce_block_sum ins(%f : !f) outs(%blocks : memref<32xf32, strided<[1]>, #ub>)
  %pairs = memref.subview %o[0] [128] [1] : !f to memref<128xf32, strided<[1]>, #ub>
  // CHECK: EachPair({{.*}}, fLocal, 256);
  aicore.vreduce_pair_sum ins(%f : !f) outs(%pairs : memref<128xf32, strided<[1]>, #ub>)
  // CHECK: KeepMasked(gLocal, mLocal, hLocal, 256);
  aicore.vgather_mask ins(%m, %h : !m, !h) outs(%g : !h)
  // CHECK: KeepPattern({{.*}}, fLocal, 2, 256);
  aicore.vgather_pattern odd ins(%f : !f) outs(%pairs : memref<128xf32, strided<[1]>, #ub>)
  // CHECK: AscendC::Scatter(oLocal{{[0-9]*}}, fLocal, iLocal, 0, 256);
  aicore.vscatter ins(%f, %i : !f, !i) outs(%o : !f)
  // CHECK: AscendC::Transpose(gLocal, hLocal);
  aicore.vtranspose ins(%h : !h) outs(%g : !h)
  // CHECK: ChannelsLast(gLocal, hLocal, 256);
  aicore.vtrans5hd ins(%h : !h) outs(%g : !h)
  %scores = memref.subview %f[0] [64] [1] : !f to memref<64xf32, strided<[1]>, #ub>
  %indices = memref.subview %i[0] [64] [1] : !i to memref<64xui32, strided<[1]>, #ub>
  // CHECK: SortGroups({{.*}}, {{.*}}, {{.*}}, 64);
  aicore.vsort32 ins(%scores, %indices : memref<64xf32, strided<[1]>, #ub>, memref<64xui32, strided<[1]>, #ub>) outs(%pairs : memref<128xf32, strided<[1]>, #ub>)
  %whole = memref.subview %o[0] [192] [1] : !f to memref<192xf32, strided<[1]>, #ub>
  %list = memref.subview %f[64] [128] [1] : !f to memref<128xf32, strided<[1], offset: 64>, #ub>
  // CHECK: MergeLists({{o[A-Za-z0-9]*}}, 2, [[A:f[A-Za-z0-9]*]], 64, [[B:f[A-Za-z0-9]*]], 128, [[A]], 0, [[A]], 0);
  aicore.vmrgsort ins(%scores, %list : memref<64xf32, strided<[1]>, #ub>, memref<128xf32, strided<[1], offset: 64>, #ub>) outs(%whole : memref<192xf32, strided<[1]>, #ub>)
  // CHECK: AscendC::Floor(oLocal{{[0-9]*}}, fLocal, wLocal, 256);
  aicore.vfloor ins(%f : !f) outs(%o : !f) scratch(%w : !w)
  return
}
