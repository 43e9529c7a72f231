// Compounds: several steps in one call; some write another type, some read what they write.
// Without this a destination that is read too could be passed as one more source.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>
!f = memref<128xf32, #ub>
!b = memref<128xi8, #ub>

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
  %b = aicore.buffer "b" at 1024 : !b
  %two = arith.constant 2.0 : f16
  // CHECK: AscendC::SubRelu(h2Local, hLocal, h2Local, 128);
  aicore.vsubrelu ins(%h, %h2 : !h, !h) outs(%h2 : !h)
  // CHECK: AscendC::AddReluCast(bLocal, hLocal, h2Local, 128);
  aicore.vaddrelucast ins(%h, %h2 : !h, !h) outs(%b : !b)
  // CHECK: AscendC::MulCast(bLocal, hLocal, h2Local, 128);
  aicore.vmulcast ins(%h, %h2 : !h, !h) outs(%b : !b)
  // CHECK: AscendC::FusedMulAdd(h2Local, hLocal, hLocal, 128);
  aicore.vfma ins(%h, %h : !h, !h) outs(%h2 : !h)
  // The name that the headers of both versions have.
  // CHECK: AscendC::FusedMulAddRelu(h2Local, hLocal, hLocal, 128);
  aicore.vmuladdrelu ins(%h, %h : !h, !h) outs(%h2 : !h)
  // CHECK: AscendC::MulAddDst(h2Local, hLocal, hLocal, 128);
  aicore.vmuladd ins(%h, %h : !h, !h) outs(%h2 : !h)
  // CHECK: AscendC::Axpy(fLocal, hLocal, static_cast<half>(2.0f), 128);
  aicore.vaxpy ins(%h, %two : !h, f16) outs(%f : !f)
  return
}
