!T = f16
func.func @global_average_pool(%x: !x) -> !y {
  %y = te.reduce_mean %x axes [H, W] keep
  return %y : !y
}
