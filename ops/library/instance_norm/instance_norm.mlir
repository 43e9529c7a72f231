!T = f16
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta: mean and variance of all dimensions after the channel.
func.func @instance_norm(%x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> !y {
  %mean = te.reduce_mean %x axes [S] keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [S] keep
  %safe = te.add %variance, %epsilon
  %deviation = te.rsqrt %safe
  %normal = te.mul %centred, %deviation
  %scaled = te.mul %normal, %gamma
  %y = te.add %scaled, %beta
  return %y : !y
}
