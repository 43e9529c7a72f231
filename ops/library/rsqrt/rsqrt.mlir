!T = f16
// y = 1 / the square root of x; NaN below zero, infinity at zero.
func.func @rsqrt(%x: !x) -> !y {
  %y = te.rsqrt %x
  return %y : !y
}
