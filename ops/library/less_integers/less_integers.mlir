!T = f16
// y = Whether x1 is less than x2, of integers.
func.func @less_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare lt %x1, %x2
  return %y : !y
}
