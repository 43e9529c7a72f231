// Fills and gathers: what has no source tile, and offsets that count bytes from the first element.
// Without this a gather could start at another base than its source.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!h = memref<128xf16, #ub>
!bf = memref<128xbf16, #ub>
!f = memref<64xf32, #ub>
!w = memref<128xi32, #ub>
!o = memref<64xui32, #ub>

// CHECK: AscendC::Duplicate(dst.ReinterpretCast<uint16_t>(), *reinterpret_cast<const uint16_t *>(&value),
func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %h = aicore.buffer "h" at 0 : !h
  %f = aicore.buffer "f" at 256 : !f
  %g = aicore.buffer "g" at 512 : !f
  %o = aicore.buffer "o" at 768 : !o
  %w = aicore.buffer "w" at 1024 : !w
  %nan = arith.constant 0x7E00 : f16
  %first = arith.constant 7 : i32
  // CHECK: AscendC::Duplicate(hLocal, FromBits<half>(uint16_t(0x7e00)), 128);
  aicore.vbrc ins(%nan : f16) outs(%h : !h)
  // Duplicate of bfloat16_t does not compile on the chip, and a conversion to it is promised nowhere: bits.
  // CHECK: FillBits(bLocal, FromBits<bfloat16_t>(uint16_t(0x3f80)), 128);
  %b = aicore.buffer "b" at 1536 : !bf
  %one = arith.constant 1.0 : bf16
  aicore.vbrc ins(%one : bf16) outs(%b : !bf)
  // CHECK: AscendC::CreateVecIndex(wLocal, 7, 128);
  aicore.varange ins(%first : i32) outs(%w : !w)
  // CHECK: AscendC::LocalTensor<uint32_t> oLocal = ub.GetWithOffset<uint32_t>(64, 768);
  // CHECK: AscendC::Gather(gLocal, fLocal, oLocal, 0, 64);
  aicore.vgather ins(%f, %o : !f, !o) outs(%g : !f)
  return
}
