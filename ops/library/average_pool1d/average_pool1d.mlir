!T = f16
func.func @average_pool1d(%x: !x) -> !y {
  %windows = te.window %x over L
  %y = te.reduce_mean %windows axes [K]
  return %y : !y
}
