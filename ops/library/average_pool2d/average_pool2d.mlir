!T = f16
func.func @average_pool2d(%x: !x) -> !y {
  %windows = te.window %x over H, W
  %y = te.reduce_mean %windows axes [KH, KW]
  return %y : !y
}
