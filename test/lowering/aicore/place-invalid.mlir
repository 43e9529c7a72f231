// RUN: opc-opt --split-input-file --verify-diagnostics --aicore-place %s

#id = affine_map<(d0) -> (d0)>

// Without a schedule there is no capacity to write.
// expected-error @below {{[place_c4] expects an instance with a schedule (aicore.schedule)}}
func.func @unscheduled(%x: memref<?xf32> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64} {
  %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// The vector unit computes no bfloat16; what lacks is said with what would help.
func.func @quotient(%x: memref<?xbf16> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xbf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x restrict : memref<?xbf16> to tensor<?xbf16>
  %n = tensor.dim %a, %c0 : tensor<?xbf16>
  %e = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xbf16>) outs(%e : tensor<?xbf16>) {
  ^bb0(%p: bf16, %o: bf16):
    // expected-error @below {{[place_c1] expects what Ascend310B1 can compute; it has no 'vabs' of bf16: compute in float32, or give the operator a body at level aicore}}
    %abs = math.absf %p : bf16 
    linalg.yield %abs : bf16 
  } -> tensor<?xbf16>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xbf16>, memref<?xbf16>) -> ()
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// Nothing on the vector unit works on 64 bits: said where the tensor is, before any intrinsic is missed.
// expected-error @+1 {{[place_c5] expects tensors of elements that AI Core kernels work on (float16, bfloat16, float32, int8, uint8, int16, int32, bool); 'x' has elements of float64}}
func.func @long(%x: memref<?xf64> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xf64> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %a = bufferization.to_tensor %x restrict : memref<?xf64> to tensor<?xf64>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<?xf64>, memref<?xf64>) -> ()
  return
}

// -----

// Four loops have no form.
// expected-error @below {{[place_c2] expects an instance of one to three loops, the last or the ones before it reduced}}
func.func @four_loops(%x: memref<?x?x?x?xf32> {te.dims = array<i64: 0, 1, 2, 3>, te.name = "x"}, %y: memref<?x?x?x?xf32> {te.dims = array<i64: 0, 1, 2, 3>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

// Without a name a tensor would have no buffer that messages can tell.
// expected-error @below {{[place_c2] expects tensors with a name and elements of a number type, of rank 1 to 3; argument 0 is 'memref<?xf32>'}}
func.func @nameless(%x: memref<?xf32> {te.dims = array<i64: 0>}, %y: memref<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// What no expansion has a recipe for.
func.func @arctangent(%x: memref<?xf32> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    // expected-error @below {{[place_c3] expects operations that an AI Core kernel can be made of; 'math.atan' is none of them: give the operator a body at level aicore}}
    %angle = math.atan %p : f32
    linalg.yield %angle : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// The cube has no products of two types.
// expected-error @below {{[place_c3] expects matrices of one type that the cube multiplies, found float32 and float16}}
func.func @product(%a: memref<?x?xf32> {te.dims = array<i64: 0, 2>, te.name = "a"},
                   %b: memref<?x?xf16> {te.dims = array<i64: 2, 1>, te.name = "b"},
                   %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "contraction", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

// A tile of 24 rows would leave half of its last fractals out.
// expected-error @below {{[place_c4] expects a schedule of a matrix product whose tile is whole fractals of 16 rows and columns, at most 512 of each, found 24 rows and 32 columns of 768 elements}}
func.func @product_rows(%a: memref<?x?xf16> {te.dims = array<i64: 0, 2>, te.name = "a"},
                        %b: memref<?x?xf16> {te.dims = array<i64: 2, 1>, te.name = "b"},
                        %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "contraction", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 768, rows = 24, slots = 2, prefetch = false>} {
  return
}

// -----

// With one operand the kernel would multiply what nobody loads.
// expected-error @below {{[place_c2] expects two operands of a matrix product, with the loops (m, k) and (k, n)}}
func.func @product_of_one(%a: memref<?x?xf16> {te.dims = array<i64: 0, 2>, te.name = "a"},
                          %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "contraction", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

// An index for each element would be read as one for each row.
// expected-error @below {{[place_c2] expects 'te.gathered_by' to name an input of i32 or i64 that has one element for each row, found "p"}}
func.func @gather_of_elements(%t: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "t"},
                              %p: memref<?x?xi32> {te.dims = array<i64: 0, 1>, te.name = "p"},
                              %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "gather", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

// A scatter begins with a copy of an input of the result's type.
// expected-error @below {{[place_c2] expects 'te.scattered' on the one result of a kernel that scatters, which has the places of its elements, and an input of its type that it begins as}}
func.func @scattered(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "x"}, %p: memref<?x1xi32> {te.dims = array<i64: 0, -1>, te.name = "p"}, %u: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "u"}, %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.gathered_by = "p", te.name = "y", te.scattered = "p"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "scattered", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %b = bufferization.to_tensor %u restrict : memref<?x?xf32> to tensor<?x?xf32>
  bufferization.materialize_in_destination %b in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
