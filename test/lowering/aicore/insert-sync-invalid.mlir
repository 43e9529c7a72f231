// RUN: opc-opt %s --aicore-insert-sync --split-input-file --verify-diagnostics

// plan_c1: flags are inserted by address; without one there is nothing to go by.
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>} {
  // expected-note @below {{'a' has none}}
  %a = aicore.buffer "a" : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[plan_c1] expects every buffer to have an address}}
  aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// placed_c4: the pass alone must not crash on an operand that it cannot follow.
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>} {
  %a = memref.alloc() : memref<64xf32, #aicore.space<ub>>
  // expected-error @below {{[placed_c4] expects operands in memory to be views of a buffer or of an argument of the kernel}}
  aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  return
}

// -----

// event_c1: seven pairs of flags in one iteration, one in each direction. No two of these flags can be one, and none of them reaches further than
// its iteration.
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<planned>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = aicore.tiling_data "n" : index
  %a = aicore.buffer "a" at 0 : memref<64xf32, #aicore.space<ub>>
  %part = memref.subview %x[0] [64] [1] : memref<?xf32, #aicore.space<gm>> to memref<64xf32, strided<[1]>, #aicore.space<gm>>
  // expected-error @below {{[event_c1] expects the flags between two pipes to need at most 6 event ids on Ascend310B1, found 7 from}}
  // expected-note @below {{fix: fewer tensors, or fewer reductions of which one needs the result of another: an operator for each part of the body}}
  scf.for %i = %c0 to %n step %c1 {
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
    aicore.load %part -> %a : memref<64xf32, strided<[1]>, #aicore.space<gm>> to memref<64xf32, #aicore.space<ub>>
    aicore.vexp ins(%a : memref<64xf32, #aicore.space<ub>>) outs(%a : memref<64xf32, #aicore.space<ub>>)
  }
  return
}

// -----

// A kernel that is not there yet would come out unchanged, and look done.
// expected-error @below {{expects phase 'planned' here, found 'placed'; run the passes of the earlier phases first}}
func.func @k(%x: memref<?xf32, #aicore.space<gm>>) attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>} {
  return
}
