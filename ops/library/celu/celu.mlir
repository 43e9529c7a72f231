!T = f16
// y = max(0, x) + min(0, alpha * (e^(x / alpha) - 1)).
func.func @celu(%x: !x, %alpha: f32) -> !y {
  %zero = te.constant 0.0
  %above = te.maximum %x, %zero
  %below = te.minimum %x, %zero
  %share = te.div %below, %alpha
  %bent = te.expm1 %share
  %scaled = te.mul %bent, %alpha
  %y = te.add %above, %scaled
  return %y : !y
}
