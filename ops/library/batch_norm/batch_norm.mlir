!T = f16
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta: a factor and a shift for each channel.
func.func @batch_norm(%x: !x, %gamma: !gamma, %beta: !beta, %mean: !mean, %variance: !variance, %epsilon: f32) -> !y {
  %safe = te.add %variance, %epsilon
  %deviation = te.rsqrt %safe
  %factor = te.mul %gamma, %deviation
  %centred = te.sub %x, %mean
  %scaled = te.mul %centred, %factor
  %y = te.add %scaled, %beta
  return %y : !y
}
