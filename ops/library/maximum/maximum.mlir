!T = f16
// y = the larger of x1 and x2.
func.func @maximum(%x1: !x1, %x2: !x2) -> !y {
  %y = te.maximum %x1, %x2
  return %y : !y
}
