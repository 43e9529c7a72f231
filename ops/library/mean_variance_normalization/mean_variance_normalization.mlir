!T = f16
func.func @mean_variance_normalization(%x: !x) -> !y {
  %mean = te.reduce_mean %x axes [N, H, W] keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes [N, H, W] keep
  %deviation = te.sqrt %variance
  %epsilon = te.constant 1.0e-9
  %divisor = te.add %deviation, %epsilon
  %y = te.div %centred, %divisor
  return %y : !y
}
