!T = f16
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta: mean and variance of a channel over the whole batch.
func.func @batch_norm_training(%x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> (!y, !mean, !variance) {
  %mean = te.reduce_mean %x axes [N, S] keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [N, S] keep
  %safe = te.add %variance, %epsilon
  %deviation = te.rsqrt %safe
  %normal = te.mul %centred, %deviation
  %scaled = te.mul %normal, %gamma
  %y = te.add %scaled, %beta
  %mean_out = te.reduce_mean %x axes [N, S]
  %variance_out = te.reduce_mean %square axes [N, S]
  return %y, %mean_out, %variance_out : !y, !mean, !variance
}
