// What a tiling function must not hold is refused with its rule.
// Without this an op outside of the closed set would reach a runtime that cannot run it.
// RUN: split-file %s %t
// RUN: not opc-translate --aicore-to-tiling %t/op.mlir 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not opc-translate --aicore-to-tiling %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not opc-translate --aicore-to-tiling %t/phase.mlir 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not opc-translate --aicore-to-tiling %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not opc-translate --aicore-to-tiling %t/field.mlir 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not opc-translate --aicore-to-tiling %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not opc-translate --aicore-to-tiling %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE

// OP: op.mlir:4:8: error: 'arith.shli' op [tiling_function_c1] expects const, add, sub, mul, {{.*}} on index, found 'arith.shli'
//--- op.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} {
  %0 = arith.shli %n, %n : index
  return %0 : index
}
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// TENSOR: error: 'func.func' op [tiling_function_c2] expects sizes of tensors of 'k', found "b"
//--- tensor.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "b">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// PHASE: [emit_c1] expects a kernel at phase 'synced', found planned
//--- phase.mlir
#gm = #aicore.space<gm>
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>, aicore.tiling_function = @t} { return }

// NAME: [emit_c2] expects each argument to have a name (aicore.name); argument 0 has none
//--- name.mlir
#gm = #aicore.space<gm>
func.func @k(%a: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// FIELD: field.mlir:6:11: error: 'aicore.tiling_data' op [emit_c4] expects a result of the tiling function 't', found "tile"
//--- field.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %tile = aicore.tiling_data "tile" : index
  return
}

// TWICE: [emit_c2] expects launch attributes and tiling data of different names, found 'block_num' twice
//--- twice.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"}, %b: f32 {aicore.name = "block_num"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }

// ATTRIBUTE: [emit_c3] expects a launch attribute of f32, of an integer type or of i1, found 'b' of type 'f16'
//--- attribute.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"}, %b: f16 {aicore.name = "b"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }
