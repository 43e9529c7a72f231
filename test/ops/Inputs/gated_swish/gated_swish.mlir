!T = f16
// y = x / (1 + exp(-gate * x)).
func.func @gated_swish(%x: !x, %gate: !gate) -> !y {
  %y = te.swish %x, %gate
  return %y : !y
}
