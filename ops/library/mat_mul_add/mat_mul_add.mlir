!T = f16
func.func @mat_mul_add(%a: !a, %b: !b, %bias: !bias, %x: !x) -> !y {
  %product = te.matmul %a, %b axes [K]
  %sum = te.add %product, %bias
  %y = te.add %sum, %x
  return %y : !y
}
