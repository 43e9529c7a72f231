!T = f16
// y = the square root of the sum of squares over some axes.
func.func @reduce_l2(%x: !x) -> !y {
  %square = te.mul %x, %x
  %sum = te.reduce_sum %square axes #axes
  %y = te.sqrt %sum
  return %y : !y
}
