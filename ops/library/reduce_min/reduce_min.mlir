!T = f16
// y = the smallest over some axes.
func.func @reduce_min(%x: !x) -> !y {
  %y = te.reduce_min %x axes #axes
  return %y : !y
}
