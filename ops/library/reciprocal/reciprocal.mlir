!T = f16
// y = 1 / x.
func.func @reciprocal(%x: !x) -> !y {
  %y = te.reciprocal %x
  return %y : !y
}
