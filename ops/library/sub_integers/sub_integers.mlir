!T = f16
// y = The difference of two tensors of integers.
func.func @sub_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.sub %x1, %x2
  return %y : !y
}
