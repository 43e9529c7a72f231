!T = f16
// y = the square root of x; NaN below zero.
func.func @sqrt_kernel(%x: !x) -> !y {
  %y = te.sqrt %x
  return %y : !y
}
