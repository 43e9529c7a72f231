!T = f16
// y = the largest over some axes.
func.func @reduce_max(%x: !x) -> !y {
  %y = te.reduce_max %x axes #axes
  return %y : !y
}
