// Scalars, branches and names that Ascend C's calls cannot say are refused with their rule.
// Without this a vector could be taken for a scalar, or a tile be chosen while the kernel runs.
// RUN: split-file %s %t
// RUN: not opc-translate --aicore-to-ascendc %t/unsigned.mlir 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not opc-translate --aicore-to-ascendc %t/half.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not opc-translate --aicore-to-ascendc %t/vector.mlir 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not opc-translate --aicore-to-ascendc %t/double.mlir 2>&1 | FileCheck %s --check-prefix=DOUBLE
// RUN: not opc-translate --aicore-to-ascendc %t/picked.mlir 2>&1 | FileCheck %s --check-prefix=PICKED
// RUN: not opc-translate --aicore-to-ascendc %t/selected.mlir 2>&1 | FileCheck %s --check-prefix=SELECTED
// RUN: not opc-translate --aicore-to-ascendc %t/names.mlir 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not opc-translate --aicore-to-ascendc %t/dim.mlir 2>&1 | FileCheck %s --check-prefix=DIM

// UNSIGNED: [ascendc_c1] expects ops that Ascend C's scalar unit has, {{.*}} found 'arith.cmpi'
//--- unsigned.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %a = arith.cmpi ult, %times, %times : i64
  return
}

// HALF: [ascendc_c1] expects ops that Ascend C's scalar unit has, {{.*}} found 'arith.addf'
//--- half.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %h = arith.constant 1.0 : f16
  %a = arith.addf %h, %h : f16
  return
}

// VECTOR: 'arith.constant' op [ascendc_c1] expects scalars of index, integers, f32, f16 or bf16, found 'vector<4xi32>'
//--- vector.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %v = arith.constant dense<1> : vector<4xi32>
  %a = arith.addi %v, %v : vector<4xi32>
  return
}

// DOUBLE: 'arith.constant' op [ascendc_c1] expects scalars of index, integers, f32, f16 or bf16, found 'f64'
//--- double.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %v = arith.constant 1.0 : f64
  return
}

// PICKED: 'scf.if' op [ascendc_c3] expects a tile that is a view of one buffer or tensor, found one that a branch picks
//--- picked.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %r = scf.if %flag -> !t {
    scf.yield %b : !t
  } else {
    scf.yield %b : !t
  }
  return
}

// SELECTED: 'arith.select' op [ascendc_c3] expects a tile that is a view of one buffer or tensor, found one of two
//--- selected.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %r = arith.select %flag, %b, %b : !t
  aicore.vexp ins(%r : !t) outs(%r : !t)
  return
}

// DIM: 'memref.dim' op [ascendc_c3] expects the size of a tile; sizes of tensors arrive as tiling data
//--- dim.mlir
#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %flag: i1 {aicore.name = "flag"},
                     %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %b = aicore.buffer "b" at 0 : !t
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32, #gm>
  return
}

// NAMES: [ascendc_c4] expects tensors whose names differ in more than underscores and capitals, found 'aB'
//--- names.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "a_b"}, %y: memref<?xf32, #gm> {aicore.name = "aB"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }
