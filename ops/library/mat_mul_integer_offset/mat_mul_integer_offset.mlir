!T = f16
func.func @mat_mul_integer_offset(%a: !a, %b: !b, %offset: !offset) -> !y {
  %sums = te.matmul %a, %b axes [K]
  %y = te.sub %sums, %offset
  return %y : !y
}
