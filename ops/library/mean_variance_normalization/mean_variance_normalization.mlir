!T = f16
// y = (x - mean) / (sqrt(variance) + 1e-9), both over the axes of the launch, as ONNX defines it.
func.func @mean_variance_normalization(%x: !x) -> !y {
  %mean = te.reduce_mean %x axes #axes keep
  %centred = te.sub %x, %mean
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes #axes keep
  %deviation = te.sqrt %variance
  %small = te.constant 1.0e-9
  %divisor = te.add %deviation, %small
  %y = te.div %centred, %divisor
  return %y : !y
}
