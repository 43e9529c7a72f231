!T = f16
// y = the product over some axes.
func.func @reduce_prod(%x: !x) -> !y {
  %y = te.reduce_prod %x axes #axes
  return %y : !y
}
