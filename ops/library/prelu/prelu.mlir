!T = f16
// y = x where x is not negative, else slope * x.
func.func @prelu(%x: !x, %slope: !slope) -> !y {
  %y = te.leaky_relu %x, %slope
  return %y : !y
}
