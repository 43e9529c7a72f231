!T = f16
func.func @average_pool3d(%x: !x) -> !y {
  %windows = te.window %x over D, H, W
  %y = te.reduce_mean %windows axes [KD, KH, KW]
  return %y : !y
}
