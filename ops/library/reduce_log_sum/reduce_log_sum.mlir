!T = f16
// y = the logarithm of the sum over some axes.
func.func @reduce_log_sum(%x: !x) -> !y {
  %sum = te.reduce_sum %x axes #axes
  %y = te.log %sum
  return %y : !y
}
