!T = f16
// The sums are exact; what follows is in float32.
func.func @mat_mul_dequant(%a: !a, %b: !b, %scale: !scale, %bias: !bias) -> !y {
  %sums = te.matmul %a, %b axes [K]
  %units = te.cast %sums to f32
  %scaled = te.mul %units, %scale
  %sum = te.add %scaled, %bias
  %y = te.cast %sum to !y
  return %y : !y
}
