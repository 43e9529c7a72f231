!T = f16
// The sums are exact; what follows is in float32.
func.func @mat_mul_dequant_rows(%a: !a, %b: !b, %row_scale: !row_scale, %scale: !scale, %bias: !bias) -> !y {
  %sums = te.matmul %a, %b axes [K]
  %units = te.cast %sums to f32
  %ofRow = te.mul %units, %row_scale
  %scaled = te.mul %ofRow, %scale
  %sum = te.add %scaled, %bias
  %y = te.cast %sum to !y
  return %y : !y
}
