!T = f16
// y = the first position of the smallest element of a row.
func.func @arg_min(%x: !x) -> !y {
  %y = te.arg_min %x axes [-1] keep
  return %y : !y
}
