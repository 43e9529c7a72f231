!T = f16
func.func @global_max_pool(%x: !x) -> !y {
  %y = te.reduce_max %x axes [H, W] keep
  return %y : !y
}
