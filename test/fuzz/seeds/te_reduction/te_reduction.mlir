!T = f16
func.func @te_reduction(%x: !x) -> !y {
  %square = te.mul %x, %x
  %sum = te.reduce_sum %square axes #axes
  %y = te.sqrt %sum
  return %y : !y
}
