!T = f16
// y = gamma * x where x is not negative, else gamma * alpha * (e^x - 1).
func.func @selu(%x: !x, %alpha: f32, %gamma: f32) -> !y {
  %zero = te.constant 0.0
  %above = te.maximum %x, %zero
  %below = te.minimum %x, %zero
  %bent = te.expm1 %below
  %scaled = te.mul %bent, %alpha
  %sum = te.add %above, %scaled
  %y = te.mul %sum, %gamma
  return %y : !y
}
