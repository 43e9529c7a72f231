!T = f16
func.func @max_pool3d(%x: !x) -> !y {
  %windows = te.window %x over D, H, W
  %y = te.reduce_max %windows axes [KD, KH, KW]
  return %y : !y
}
