!T = f16
// y = the first position of the largest element of a row.
func.func @arg_max(%x: !x) -> !y {
  %y = te.arg_max %x axes [-1] keep
  return %y : !y
}
