!T = f16
// y = x1 * x2, of integers.
func.func @mul_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.mul %x1, %x2
  return %y : !y
}
