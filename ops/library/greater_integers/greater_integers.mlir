!T = f16
// y = Whether x1 is greater than x2, of integers.
func.func @greater_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare gt %x1, %x2
  return %y : !y
}
