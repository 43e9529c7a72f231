!T = f16
// y = x / 2 * (1 + erf(x / sqrt(2))).
func.func @gelu(%x: !x) -> !y {
  %y = te.gelu erf %x
  return %y : !y
}
