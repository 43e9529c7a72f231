!T = f16
// y = x1 / x2.
func.func @div_kernel(%x1: !x1, %x2: !x2) -> !y {
  %y = te.div %x1, %x2
  return %y : !y
}
