!T = f16
// y = whether all elements are true, over some axes.
func.func @reduce_all(%x: !x) -> !y {
  %y = te.reduce_all %x axes #axes
  return %y : !y
}
