// Arithmetic and logic: destination first, then sources, then a scalar of the tile's very type, then the count.
// Without this operands could change places, or a scalar's type could fail to match its call.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>
!f = memref<128xf32, #ub>
!s = memref<128xi16, #ub>
!w = memref<128xi32, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %h = aicore.buffer "h" at 0 : !h
  %h2 = aicore.buffer "h2" at 256 : !h
  %f = aicore.buffer "f" at 512 : !f
  %f2 = aicore.buffer "f2" at 1024 : !f
  %s = aicore.buffer "s" at 1536 : !s
  %w = aicore.buffer "w" at 1792 : !w
  %half = arith.constant 0.5 : f16
  %third = arith.constant 0.333333343 : f32
  %three = arith.constant -3 : i16
  %least = arith.constant -2147483648 : i32
  %infinity = arith.constant 0xFF800000 : f32
  // CHECK-DAG: AscendC::LocalTensor<half> hLocal = ub.GetWithOffset<half>(128, 0);
  // CHECK-DAG: AscendC::LocalTensor<half> h2Local = ub.GetWithOffset<half>(128, 256);
  // CHECK: AscendC::Sub(h2Local, hLocal, h2Local, 128);
  aicore.vsub ins(%h, %h2 : !h, !h) outs(%h2 : !h)
  // CHECK: AscendC::Div(f2Local, fLocal, f2Local, 128);
  aicore.vdiv ins(%f, %f2 : !f, !f) outs(%f2 : !f)
  // CHECK: AscendC::Reciprocal(f2Local, fLocal, 128);
  aicore.vrec ins(%f : !f) outs(%f2 : !f)
  // CHECK: AscendC::Adds(h2Local, hLocal, static_cast<half>(0.5f), 128);
  aicore.vadds ins(%h, %half : !h, f16) outs(%h2 : !h)
  // The shortest digits that read back to the same float.
  // CHECK: AscendC::Muls(f2Local, fLocal, 0.33333334f, 128);
  aicore.vmuls ins(%f, %third : !f, f32) outs(%f2 : !f)
  // CHECK: AscendC::Maxs(sLocal, sLocal, static_cast<int16_t>(-3), 128);
  aicore.vmaxs ins(%s, %three : !s, i16) outs(%s : !s)
  // CHECK: AscendC::Mins(wLocal, wLocal, static_cast<int32_t>(-2147483648), 128);
  aicore.vmins ins(%w, %least : !w, i32) outs(%w : !w)
  // A value without a literal goes by its bits.
  // CHECK: AscendC::Maxs(fLocal, fLocal, FromBits<float>(uint32_t(0xff800000)), 128);
  aicore.vmaxs ins(%f, %infinity : !f, f32) outs(%f : !f)
  // CHECK: AscendC::LeakyRelu(f2Local, fLocal, 0.33333334f, 128);
  aicore.vleakyrelu ins(%f, %third : !f, f32) outs(%f2 : !f)
  // CHECK: AscendC::Not(sLocal, sLocal, 128);
  aicore.vnot ins(%s : !s) outs(%s : !s)
  // CHECK: AscendC::ShiftRight(sLocal, sLocal, static_cast<int16_t>(-3), 128);
  aicore.vshr ins(%s, %three : !s, i16) outs(%s : !s)
  return
}
