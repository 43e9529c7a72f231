!T = f16
// y = Whether x1 is at least x2, of integers.
func.func @greater_equal_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare ge %x1, %x2
  return %y : !y
}
