!T = f16
func.func @mat_mul_swish(%a: !a, %b: !b, %bias: !bias) -> !y {
  %product = te.matmul %a, %b axes [K]
  %sum = te.add %product, %bias
  %one = te.constant 1.0
  %y = te.swish %sum, %one
  return %y : !y
}
