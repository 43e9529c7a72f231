!T = f16
// y = The sum of two tensors of integers.
func.func @add_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.add %x1, %x2
  return %y : !y
}
