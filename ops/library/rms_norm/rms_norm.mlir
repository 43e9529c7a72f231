!T = f16
// y = x / sqrt(mean of x^2 + epsilon) * gamma, over the last dimension.
func.func @rms_norm(%x: !x, %gamma: !gamma, %epsilon: f32) -> !y {
  %square = te.mul %x, %x
  %mean = te.reduce_mean %square axes [-1] keep
  %safe = te.add %mean, %epsilon
  %factor = te.rsqrt %safe
  %normal = te.mul %x, %factor
  %y = te.mul %normal, %gamma
  return %y : !y
}
