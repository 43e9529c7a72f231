!T = f16
// y = x1 * x2 + x3.
func.func @mul_add(%x1: !x1, %x2: !x2, %x3: !x3) -> !y {
  %product = te.mul %x1, %x2
  %y = te.add %product, %x3
  return %y : !y
}
