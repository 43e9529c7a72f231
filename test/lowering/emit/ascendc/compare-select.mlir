// Comparisons count what they read, in whole vectors of 256 bytes; a selection says whether its second source is a scalar.
// Without this the mask's own length could be taken as the count.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!f = memref<128xf32, #ub>
!m = memref<32xui8, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %n = aicore.tiling_data "n" max 128 : index
  %f = aicore.buffer "f" at 0 : !f
  %g = aicore.buffer "g" at 512 : !f
  %m = aicore.buffer "m" at 1024 : !m
  %one = arith.constant 1.0 : f32
  // CHECK: __aicore__ inline int64_t WholeVectors(int64_t count)
  // CHECK: n = static_cast<int64_t>(tiling.n);
  // CHECK: [[COUNT:v[0-9]+]] = WholeVectors<float>(128);
  // CHECK: AscendC::Compare(mLocal, fLocal, gLocal, AscendC::CMPMODE::LE, [[COUNT]]);
  aicore.vcmp le ins(%f, %g : !f, !f) outs(%m : !m)
  // CHECK: AscendC::Select(gLocal, mLocal, fLocal, gLocal, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
  aicore.vsel ins(%m, %f, %g : !m, !f, !f) outs(%g : !f)
  // CHECK: AscendC::Select(gLocal, mLocal, fLocal, 1.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
  aicore.vsels ins(%m, %f, %one : !m, !f, f32) outs(%g : !f)
  %part = memref.subview %f[0] [%n] [1] : !f to memref<?xf32, strided<[1]>, #ub>
  // CHECK: [[COUNT:v[0-9]+]] = WholeVectors<float>(n);
  // CHECK: AscendC::CompareScalar(mLocal, [[PART:fLocal[0-9]*]], 1.0f, AscendC::CMPMODE::NE, [[COUNT]]);
  aicore.vcmps ne ins(%part, %one : memref<?xf32, strided<[1]>, #ub>, f32) outs(%m : !m)
  return
}
