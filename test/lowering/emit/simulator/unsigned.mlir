// Unsigned ops on values that are never negative are the machine's signed ones; on others they are refused.
// Without this a slot of a negative counter would be computed wrong without a word.
// RUN: split-file %s %t
// RUN: opc-translate --aicore-to-simulator %t/fine.mlir | FileCheck %s
// RUN: not opc-translate --aicore-to-simulator %t/refused.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED

//--- fine.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "block_num" : index
  // The counter runs on through the outer loop.
  // CHECK: r{{[0-9]+}} = rem
  // CHECK: r{{[0-9]+}} = max
  // CHECK: r{{[0-9]+}} = min
  // CHECK: r{{[0-9]+}} = lt
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%counter = %c0) -> (index) {
    %0 = arith.remui %counter, %c2 : index
    %minus = arith.subi %i, %c2 : index
    %max = arith.maxsi %minus, %c0 : index
    %1 = arith.minui %max, %0 : index
    %less = arith.cmpi ult, %0, %1 : index
    %id = arith.select %less, %0, %1 : index
    aicore.set_flag v -> mte2 [%id]
    %next = arith.addi %counter, %c1 : index
    scf.yield %next : index
  }
  return
}

// RUN: not opc-translate --aicore-to-simulator %t/compared.mlir 2>&1 | FileCheck %s --check-prefix=COMPARED
// COMPARED: compared.mlir:9:8: error: 'arith.cmpi' op [simulator_c1] expects a signed comparison, found 'ult'
//--- compared.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "block_num" : index
  %minus = arith.subi %n, %c2 : index
  %0 = arith.cmpi ult, %minus, %c2 : index
  return
}

// REFUSED: refused.mlir:9:8: error: 'arith.remui' op [simulator_c3] expects scalar arithmetic
//--- refused.mlir
#gm = #aicore.space<gm>
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} { return %n : index }
func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c2 = arith.constant 2 : index
  %n = aicore.tiling_data "block_num" : index
  %minus = arith.subi %n, %c2 : index
  %0 = arith.remui %minus, %c2 : index
  return
}
