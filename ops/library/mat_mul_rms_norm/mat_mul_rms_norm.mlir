!T = f16
// y = h / sqrt(mean of h^2 + epsilon) * gamma, over the last dimension of h = a b + x.
func.func @mat_mul_rms_norm(%a: !a, %b: !b, %x: !x, %gamma: !gamma, %epsilon: f32) -> !y {
  %product = te.matmul %a, %b axes [K]
  %h = te.add %product, %x
  %square = te.mul %h, %h
  %mean = te.reduce_mean %square axes [N] keep
  %safe = te.add %mean, %epsilon
  %factor = te.rsqrt %safe
  %normal = te.mul %h, %factor
  %y = te.mul %normal, %gamma
  return %y : !y
}
