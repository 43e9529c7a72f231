!T = f16
// y = the sum over some axes.
func.func @reduce_sum(%x: !x) -> !y {
  %y = te.reduce_sum %x axes #axes
  return %y : !y
}
