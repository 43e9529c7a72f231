!T = f16
func.func @mat_mul_relu(%a: !a, %b: !b, %bias: !bias) -> !y {
  %product = te.matmul %a, %b axes [K]
  %sum = te.add %product, %bias
  %zero = te.constant 0.0
  %y = te.maximum %sum, %zero
  return %y : !y
}
