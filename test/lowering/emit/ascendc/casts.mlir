// Casts: each rounding mode by its name, between the destination's type and the source's.
// Without this a cast could round another way on the chip than in the simulator.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>
!f = memref<128xf32, #ub>
!bf = memref<128xbf16, #ub>
!b = memref<128xi8, #ub>
!w = memref<128xi32, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %h = aicore.buffer "h" at 0 : !h
  %f = aicore.buffer "f" at 512 : !f
  %bf = aicore.buffer "bf" at 1024 : !bf
  %b = aicore.buffer "b" at 1536 : !b
  %w = aicore.buffer "w" at 2048 : !w
  // CHECK: AscendC::Cast(fLocal, hLocal, AscendC::RoundMode::CAST_NONE, 128);
  aicore.vcast ins(%h : !h) outs(%f : !f) round none
  // CHECK: AscendC::Cast(hLocal, fLocal, AscendC::RoundMode::CAST_RINT, 128);
  aicore.vcast ins(%f : !f) outs(%h : !h) round rint
  // CHECK: AscendC::Cast(hLocal, fLocal, AscendC::RoundMode::CAST_ODD, 128);
  aicore.vcast ins(%f : !f) outs(%h : !h) round odd
  // CHECK: AscendC::Cast(wLocal, fLocal, AscendC::RoundMode::CAST_FLOOR, 128);
  aicore.vcast ins(%f : !f) outs(%w : !w) round floor
  // CHECK: AscendC::Cast(wLocal, fLocal, AscendC::RoundMode::CAST_CEIL, 128);
  aicore.vcast ins(%f : !f) outs(%w : !w) round ceil
  // CHECK: AscendC::Cast(wLocal, fLocal, AscendC::RoundMode::CAST_TRUNC, 128);
  aicore.vcast ins(%f : !f) outs(%w : !w) round trunc
  // CHECK: AscendC::LocalTensor<bfloat16_t> bfLocal
  // CHECK: AscendC::Cast(bfLocal, fLocal, AscendC::RoundMode::CAST_ROUND, 128);
  aicore.vcast ins(%f : !f) outs(%bf : !bf) round round
  // CHECK: AscendC::LocalTensor<int8_t> bLocal
  // CHECK: AscendC::Cast(hLocal, bLocal, AscendC::RoundMode::CAST_NONE, 128);
  aicore.vcast ins(%b : !b) outs(%h : !h) round none
  return
}
