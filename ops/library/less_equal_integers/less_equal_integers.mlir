!T = f16
// y = Whether x1 is at most x2, of integers.
func.func @less_equal_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare le %x1, %x2
  return %y : !y
}
