!T = f32
func.func @float32_product(%a: !a, %b: !b, %bias: !bias) -> !y {
  %product = te.matmul %a, %b axes [K]
  %y = te.add %product, %bias
  return %y : !y
}
