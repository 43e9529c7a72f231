// Row operators at phase `fused`, for tests and measurements of the CPU form.

#ifndef OPC_TEST_UNIT_LOWERING_CPU_VECTOR_ROWBODIES_H
#define OPC_TEST_UNIT_LOWERING_CPU_VECTOR_ROWBODIES_H

namespace opc::test {

/// x, y of f32.
inline constexpr char kSoftmax[] = R"(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m, 0)>
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {te.kernel, te.shape_key = "rows_short"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %t, %c0 : tensor<?x?xf32>
  %n = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e1 = tensor.empty(%m) : tensor<?x1xf32>
  %e2 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f1 = linalg.fill ins(%lowest : f32) outs(%e1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?xf32>) outs(%f1 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %max : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<?x?xf32>) outs(%f2 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %q in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
)";

/// x, gamma, y of f16, and the launch attribute epsilon.
inline constexpr char kLayerNorm[] = R"(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m, 0)>
#gamma = affine_map<(m, n) -> (0, n)>
func.func @layer_norm(%x: memref<?x?xf16>, %gamma: memref<1x?xf16>, %y: memref<?x?xf16>, %eps: f32)
    attributes {te.kernel, te.shape_key = "rows_short"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<?x?xf16> to tensor<?x?xf16>
  %g = bufferization.to_tensor %gamma restrict : memref<1x?xf16> to tensor<1x?xf16>
  %m = tensor.dim %t, %c0 : tensor<?x?xf16>
  %n = tensor.dim %t, %c1 : tensor<?x?xf16>
  %ni = arith.index_cast %n : index to i64
  %count = arith.sitofp %ni : i64 to f32
  %e1 = tensor.empty(%m) : tensor<?x1xf32>
  %e2 = tensor.empty(%m, %n) : tensor<?x?xf16>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?xf16>) outs(%f1 : tensor<?x1xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    %r = arith.addf %w, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x1xf32>) outs(%e1 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %count : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %var = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t, %mean : tensor<?x?xf16>, tensor<?x1xf32>) outs(%f1 : tensor<?x1xf32>) {
  ^bb0(%a: f16, %b: f32, %o: f32):
    %w = arith.extf %a : f16 to f32
    %d = arith.subf %w, %b : f32
    %s = arith.mulf %d, %d : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #row, #gamma, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %mean, %var, %g : tensor<?x?xf16>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<1x?xf16>)
      outs(%e2 : tensor<?x?xf16>) {
  ^bb0(%a: f16, %b: f32, %c: f32, %h: f16, %o: f16):
    %w = arith.extf %a : f16 to f32
    %wh = arith.extf %h : f16 to f32
    %d = arith.subf %w, %b : f32
    %v = arith.divf %c, %count : f32
    %ve = arith.addf %v, %eps : f32
    %s = math.rsqrt %ve : f32
    %p = arith.mulf %d, %s : f32
    %r = arith.mulf %p, %wh : f32
    %z = arith.truncf %r : f32 to f16
    linalg.yield %z : f16
  } -> tensor<?x?xf16>
  bufferization.materialize_in_destination %q in restrict writable %y : (tensor<?x?xf16>, memref<?x?xf16>) -> ()
  return
}
)";

/// x, y of f32: y = x / sum x.
inline constexpr char kShare[] = R"(
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a, 0)>
func.func @share(%x: memref<?x?xf32>, %y: memref<?x?xf32>)
    attributes {te.kernel, te.shape_key = "rows_long"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %t, %c0 : tensor<?x?xf32>
  %n = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e1 = tensor.empty(%m) : tensor<?x1xf32>
  %e2 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?xf32>) outs(%f1 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %sum : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %q in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
)";

} // namespace opc::test

#endif // OPC_TEST_UNIT_LOWERING_CPU_VECTOR_ROWBODIES_H
