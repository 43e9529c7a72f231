!T = f16
// y = whether x is NaN.
func.func @is_nan(%x: !x) -> !y {
  %y = te.isnan %x
  return %y : !y
}
