!T = f16
// mean = the mean over some axes, variance = the mean of the squares around it.
func.func @moments(%x: !x) -> (!mean, !variance) {
  %mean = te.reduce_mean %x axes #axes
  %kept = te.reduce_mean %x axes #axes keep
  %centred = te.sub %x, %kept
  %square = te.mul %centred, %centred
  %variance = te.reduce_mean %square axes #axes
  return %mean, %variance : !mean, !variance
}
