// Names of authors that are macros where kernels are compiled, or words of C++: fields, tensors, locals.
// Without this a tensor called RND becomes whatever the toolchain's headers define.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: FileCheck %s --check-prefix=HOST < %t/k_tiling.h
// RUN: %ascendc -I %t -DRND=+ -DDS=+ -DNORM=+ -Dlikely=+ -Dblock_idx=+ -Dblock_num=+ %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>

// HOST: struct KTilingData {
// HOST-NEXT: uint32_t block_num_;
// HOST-NEXT: uint32_t DS_;
// HOST-NEXT: uint64_t block_idx_;
// HOST-NEXT: float RND_;
// HOST-NEXT: };
// HOST: static_assert(__builtin_offsetof(KTilingData, DS_) == 4,
// HOST: data.block_idx_ = math.ToUInt64(
func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "likely">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "DS"}, index {aicore.name = "block_idx"})
    attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}

// CHECK: void Init(AscendC::TPipe & pipe, GM_ADDR likelyValue, const KTilingData & tiling) {
// CHECK: rND = tiling.RND_;
// CHECK: dS = static_cast<int64_t>(tiling.DS_);
// CHECK: void k(GM_ADDR likelyValue, GM_ADDR workspace, GM_ADDR tiling) {
// CHECK: tilingData.block_idx_ = registered.block_idx_;
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "likely"}, %beta: f32 {aicore.name = "RND"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %f = aicore.buffer "NORM" at 0 : memref<128xf32, #ub>
  %DS = aicore.tiling_data "DS" max 128 : index
  %tile = memref.subview %f[0] [%DS] [1] : memref<128xf32, #ub> to memref<?xf32, strided<[1]>, #ub>
  aicore.vmuls ins(%tile, %beta : memref<?xf32, strided<[1]>, #ub>, f32) outs(%tile : memref<?xf32, strided<[1]>, #ub>)
  return
}
