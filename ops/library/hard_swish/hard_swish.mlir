!T = f16
// y = x * max(0, min(1, x / 6 + 1 / 2)).
func.func @hard_swish(%x: !x) -> !y {
  %three = te.constant 3.0
  %six = te.constant 6.0
  %zero = te.constant 0.0
  %sixth = te.constant 0.16666666666666666
  %shifted = te.add %x, %three
  %bounded = te.minimum %shifted, %six
  %line = te.maximum %bounded, %zero
  %gate = te.mul %line, %sixth
  %y = te.mul %x, %gate
  return %y : !y
}
