!T = f16
// y = the sum of squares over some axes.
func.func @reduce_sum_square(%x: !x) -> !y {
  %square = te.mul %x, %x
  %y = te.reduce_sum %square axes #axes
  return %y : !y
}
