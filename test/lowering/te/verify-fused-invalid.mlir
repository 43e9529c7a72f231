// RUN: opc-opt %s --te-verify-fused -split-input-file -verify-diagnostics

// What writes memory by itself has no place here.
func.func @fused_c1(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{[fused_c1] has no place in phase 'fused'}}
  %0 = memref.load %x[%c0] : memref<?xf32>
  return
}

// -----

#id = affine_map<(i) -> (i)>
func.func @fused_c1_memory(%x: memref<?xf32>, %y: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  // expected-error @+1 {{[fused_c1] expects linalg on tensors}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// expected-error @+1 {{[fused_c2] expects memrefs of ? and 1 without memory space and layout, then scalars; argument 0 is 'memref<8xf32>'}}
func.func @fused_c2_size(%x: memref<8xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} { return }

// -----

// expected-error @+1 {{[fused_c2] expects memrefs of ? and 1 without memory space and layout, then scalars; argument 1 is 'memref<?xf32>'}}
func.func @fused_c2_order(%b: f32, %x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} { return }

// -----

// Truth values are bytes.
// expected-error @+1 {{[fused_c2] expects memrefs of ? and 1 without memory space and layout, then scalars; argument 0 is 'memref<?xi1>'}}
func.func @fused_c2_bits(%x: memref<?xi1>) attributes {te.kernel, te.phase = #te.phase<fused>} { return }

// -----

// Without 'restrict' bufferisation would copy the input.
func.func @fused_c3_restrict(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  // expected-error @+1 {{[fused_c3] expects 'to_tensor restrict' of an argument}}
  %0 = bufferization.to_tensor %x : memref<?xf32> to tensor<?xf32>
  return
}

// -----

func.func @fused_c3_writable(%x: memref<?xf32>, %y: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  // expected-error @+1 {{[fused_c3] expects 'materialize_in_destination ... restrict writable' of an argument}}
  bufferization.materialize_in_destination %0 in writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{[fused_c3] expects an output to be written once and never read; argument 0 is written 1 times and read 1 times}}
func.func @fused_c3_in_place(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %x : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @fused_c4_tensor(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  // expected-error @+1 {{[fused_c4] expects scalars, found 'tensor<?xf32>'}}
  %1 = te.sigmoid %0
  return
}

// -----

// What arith can say is said by arith.
func.func @fused_c4_op(%b: f32) attributes {te.kernel, te.phase = #te.phase<fused>} {
  // expected-error @+1 {{[fused_c4] is no scalar op of te}}
  %0 = te.add %b, %b
  return
}

// -----

#id = affine_map<(i) -> (i)>
func.func @fused_c5(%x: memref<?xf32>, %y: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error @+1 {{[fused_c5] expects an elementwise generic to be part of its only user, which runs over the same loops}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%cst : f32) outs(%s : tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{the user is here}}
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%1 : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(i) -> (i)>
func.func @fused_c6(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>} {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  // expected-error @+1 {{[fused_c6] expects one generic in a kernel without reductions, found 2}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.exp %in : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  bufferization.materialize_in_destination %2 in restrict writable %z : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @fused_c7(%b: i8) attributes {te.kernel, te.phase = #te.phase<fused>} {
  // expected-error @+1 {{[fused_c7] expects scalars without sign, found 'vector<4xi8>'}}
  %0 = arith.constant dense<1> : vector<4xi8>
  return
}
