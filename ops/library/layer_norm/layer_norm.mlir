!T = f16
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, over the last dimension.
func.func @layer_norm(%x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> !y {
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
