!T = f16
// y = max(0, min(1, alpha * x + beta)).
func.func @hard_sigmoid(%x: !x, %alpha: f32, %beta: f32) -> !y {
  %zero = te.constant 0.0
  %one = te.constant 1.0
  %line = te.mul %x, %alpha
  %shifted = te.add %line, %beta
  %bounded = te.minimum %shifted, %one
  %y = te.maximum %bounded, %zero
  return %y : !y
}
