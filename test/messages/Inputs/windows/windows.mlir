!T = f16
func.func @windows(%x: !x, %w: !w) -> !y {
  %windows = te.window %x over H, W
  %max = te.reduce_max %windows axes [KH, KW]
  %y = te.add %max, %w
  return %y : !y
}
