!T = f16
// y = the mean over some axes.
func.func @reduce_mean(%x: !x) -> !y {
  %y = te.reduce_mean %x axes #axes
  return %y : !y
}
