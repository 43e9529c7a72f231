!T = f16
// y = (x1 + x2) / 2.
func.func @mean(%x1: !x1, %x2: !x2) -> !y {
  %half = te.constant 0.5
  %a = te.mul %x1, %half
  %b = te.mul %x2, %half
  %y = te.add %a, %b
  return %y : !y
}
