!T = f16
func.func @max_pool1d(%x: !x) -> !y {
  %windows = te.window %x over L
  %y = te.reduce_max %windows axes [K]
  return %y : !y
}
