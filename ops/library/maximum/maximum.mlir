!T = f16
// y = the largest of all x.
func.func @maximum(%x: !x) -> !y {
  %y = te.fold maximum %x
  return %y : !y
}
