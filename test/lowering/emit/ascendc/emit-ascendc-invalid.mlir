// What Ascend C cannot say is refused with its rule.
// Without this the text would hold something else than the kernel, or nothing.
// RUN: split-file %s %t
// RUN: not opc-opt --aicore-emit-ascendc %t/op.mlir 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not opc-opt --aicore-emit-ascendc %t/address.mlir 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not opc-opt --aicore-emit-ascendc %t/carried.mlir 2>&1 | FileCheck %s --check-prefix=CARRIED
// RUN: not opc-opt --aicore-emit-ascendc %t/tensors.mlir 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: not opc-opt --aicore-emit-ascendc %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not opc-opt --aicore-emit-ascendc %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not opc-opt --aicore-emit-ascendc=operator=likely %t/operator.mlir 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: not opc-opt --aicore-emit-ascendc %t/build-macro.mlir 2>&1 | FileCheck %s --check-prefix=BUILDMACRO

// OP: op.mlir:7:8: error: 'arith.shli' op [ascendc_c1] expects ops that Ascend C's scalar unit has, {{.*}} found 'arith.shli'
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

// ADDRESS: address.mlir:6:8: error: 'aicore.buffer' op [ascendc_c2] expects a buffer with an address, found 'b'
//--- address.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" : memref<64xf32, #aicore.space<ub>>
  aicore.vexp ins(%b : memref<64xf32, #aicore.space<ub>>) outs(%b : memref<64xf32, #aicore.space<ub>>)
  return
}

// CARRIED: carried.mlir:9:8: error: 'scf.for' op [ascendc_c3] expects a tile that is a view of one buffer or tensor, found one that a loop carries
//--- carried.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = aicore.buffer "b" at 0 : memref<64xf32, #aicore.space<ub>>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %b) -> (memref<64xf32, #aicore.space<ub>>) {
    scf.yield %t : memref<64xf32, #aicore.space<ub>>
  }
  return
}

// TENSORS: [ascendc_c4] expects the tensors of all kernels of an operator to have the same names
//--- tensors.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k1(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }
func.func @k2(%b: memref<?xf32, #gm> {aicore.name = "b"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// NONE: [ascendc_c4] expects a kernel to emit
//--- none.mlir
module {}

// Names become C++ text.
// NAME: [emit_c2] expects names that are identifiers, found "a; evil()"
//--- name.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a; evil()"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// The entry has the operator's name and cannot have another.
// OPERATOR: [emit_c2] expects an operator whose name is no keyword of C++ and no macro of the device compiler's headers, found 'likely'
//--- operator.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// A tensor 'x' makes a macro DTYPE_X of a build.
// BUILDMACRO: [emit_c2] expects launch attributes and tiling data whose names do not start as macros of a build (DTYPE_, ORIG_DTYPE_, FORMAT_), found 'DTYPE_X'
//--- build-macro.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%x: memref<?xf32, #gm> {aicore.name = "x"}, %b: f32 {aicore.name = "DTYPE_X"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }
