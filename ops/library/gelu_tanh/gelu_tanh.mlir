!T = f16
// y = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
func.func @gelu_tanh(%x: !x) -> !y {
  %y = te.gelu tanh %x
  return %y : !y
}
