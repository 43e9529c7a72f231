!T = f16
// y = the position of the largest element along an axis.
func.func @arg_max(%x: !x) -> !y {
  %y = te.arg_max %x axes [N] keep last #select_last_index
  return %y : !y
}
