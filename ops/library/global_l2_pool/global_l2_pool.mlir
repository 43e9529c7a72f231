!T = f16
func.func @global_l2_pool(%x: !x) -> !y {
  %square = te.mul %x, %x
  %sum = te.reduce_sum %square axes [H, W] keep
  %y = te.sqrt %sum
  return %y : !y
}
