!T = f16
// y = the position of the smallest element along an axis.
func.func @arg_min(%x: !x) -> !y {
  %y = te.arg_min %x axes [N] keep last #select_last_index
  return %y : !y
}
