!T = f16
// y = whether an element is true, over some axes.
func.func @reduce_any(%x: !x) -> !y {
  %y = te.reduce_any %x axes #axes
  return %y : !y
}
