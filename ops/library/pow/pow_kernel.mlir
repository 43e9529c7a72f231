!T = f16
// y = x1^x2.
func.func @pow_kernel(%x1: !x1, %x2: !x2) -> !y {
  %y = te.pow %x1, %x2
  return %y : !y
}
