// What the scalar unit and the pipes cannot do is refused with its rule, at the op's line.
// Without this a kernel by hand could yield a program that means something else.
// RUN: split-file %s %t
// RUN: not opc-translate --aicore-to-simulator %t/op.mlir 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not opc-translate --aicore-to-simulator %t/address.mlir 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not opc-translate --aicore-to-simulator %t/half.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not opc-translate --aicore-to-simulator %t/carried.mlir 2>&1 | FileCheck %s --check-prefix=CARRIED
// RUN: not opc-translate --aicore-to-simulator %t/dim.mlir 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not opc-translate --aicore-to-simulator %t/types.mlir 2>&1 | FileCheck %s --check-prefix=TYPES

// OP: op.mlir:7:8: error: 'arith.shli' op [simulator_c3] expects scalar arithmetic that the scalar unit has, {{.*}} found 'arith.shli' on 'index'
//--- op.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %n = aicore.tiling_data "block_num" : index
  %0 = arith.shli %n, %n : index
  return
}

// ADDRESS: address.mlir:6:8: error: 'aicore.buffer' op [simulator_c2] expects an address; 'b' has none
//--- address.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  return
}

// HALF: half.mlir:7:8: error: 'arith.addf' op [simulator_c3] expects scalar arithmetic {{.*}} found 'arith.addf' on 'f16'
//--- half.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %h = arith.constant 1.0 : f16
  %0 = arith.addf %h, %h : f16
  return
}

// CARRIED: carried.mlir:10:8: error: 'scf.for' op [simulator_c4] expects tiles that are views of one buffer or tensor, found {{.*}} carried by 'scf.for'
//--- carried.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = aicore.buffer "b" at 0 : memref<64xf32, #aicore.space<ub>>
  %c = aicore.buffer "c" at 256 : memref<64xf32, #aicore.space<ub>>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %b) -> (memref<64xf32, #aicore.space<ub>>) {
    scf.yield %c : memref<64xf32, #aicore.space<ub>>
  }
  return
}

// DIM: dim.mlir:7:8: error: 'memref.dim' op [simulator_c4] expects the size of a view; sizes of tensors arrive as tiling data
//--- dim.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %0 = memref.dim %a, %c0 : memref<?xf32, #gm>
  return
}

// TYPES: [simulator_c1] expects instructions that the chip has: pipe instruction 0: expects types that 'vexp' has on Ascend310B1, found i16 to i16
//--- types.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : memref<64xi16, #aicore.space<ub>>
  aicore.vexp ins(%b : memref<64xi16, #aicore.space<ub>>) outs(%b : memref<64xi16, #aicore.space<ub>>)
  return
}
