!T = f16
// y = x where x is not negative, else alpha * (e^x - 1).
func.func @elu(%x: !x, %alpha: f32) -> !y {
  %zero = te.constant 0.0
  %above = te.maximum %x, %zero
  %below = te.minimum %x, %zero
  %bent = te.expm1 %below
  %scaled = te.mul %bent, %alpha
  %y = te.add %above, %scaled
  return %y : !y
}
