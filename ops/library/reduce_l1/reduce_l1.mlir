!T = f16
// y = the sum of magnitudes over some axes.
func.func @reduce_l1(%x: !x) -> !y {
  %size = te.abs %x
  %y = te.reduce_sum %size axes #axes
  return %y : !y
}
