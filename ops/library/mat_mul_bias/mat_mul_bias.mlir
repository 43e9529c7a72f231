!T = f16
func.func @mat_mul_bias(%a: !a, %b: !b, %bias: !bias) -> !y {
  %product = te.matmul %a, %b axes [K]
  %y = te.add %product, %bias
  return %y : !y
}
