!T = f16
// y = the sum of all x / n.
func.func @mean(%x: !x) -> !y {
  %one = te.constant 1.0
  %n = te.constant #n : f32
  %part = te.div %one, %n
  %parts = te.mul %x, %part
  %y = te.fold add %parts
  return %y : !y
}
