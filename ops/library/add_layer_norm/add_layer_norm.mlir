!T = f16
// y = LayerNorm(x1 + x2), over the last dimension.
func.func @add_layer_norm(%x1: !x1, %x2: !x2, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> !y {
  %x = te.add %x1, %x2
  %mean = te.reduce_mean %x axes [-1] keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [-1] keep
  %safe = te.add %variance, %epsilon
  %factor = te.rsqrt %safe
  %normal = te.mul %centred, %factor
  %scaled = te.mul %normal, %gamma
  %y = te.add %scaled, %beta
  return %y : !y
}
