!T = f16
func.func @mat_mul_gelu(%a: !a, %b: !b, %bias: !bias) -> !y {
  %product = te.matmul %a, %b axes [K]
  %sum = te.add %product, %bias
  %y = te.gelu erf %sum
  return %y : !y
}
