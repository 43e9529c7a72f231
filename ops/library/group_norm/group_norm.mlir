!T = f16
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta: mean and variance of a group, parameters of a channel.
func.func @group_norm(%x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> !y {
  %mean = te.reduce_mean %x axes [C, S] keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [C, S] keep
  %safe = te.add %variance, %epsilon
  %deviation = te.rsqrt %safe
  %normal = te.mul %centred, %deviation
  %scaled = te.mul %normal, %gamma
  %y = te.add %scaled, %beta
  return %y : !y
}
