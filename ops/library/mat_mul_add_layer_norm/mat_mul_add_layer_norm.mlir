!T = f16
// y = LayerNorm(a b + bias + x), over the last dimension.
func.func @mat_mul_add_layer_norm(%a: !a, %b: !b, %bias: !bias, %x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32)
    -> !y {
  %product = te.matmul %a, %b axes [K]
  %biased = te.add %product, %bias
  %h = te.add %biased, %x
  %mean = te.reduce_mean %h axes [N] keep
  %centred = te.sub %h, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [N] keep
  %safe = te.add %variance, %epsilon
  %factor = te.rsqrt %safe
  %normal = te.mul %centred, %factor
  %scaled = te.mul %normal, %gamma
  %y = te.add %scaled, %beta
  return %y : !y
}
