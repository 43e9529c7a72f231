!T = f16
// Weights are cast while panels of them are made, and scaled as a part of the results: there are fewer of those.
func.func @mat_mul_dequant_weights(%a: !a, %b: !b, %scale: !scale, %bias: !bias) -> !y {
  %weights = te.cast %b to !a
  %sums = te.matmul %a, %weights axes [K]
  %wide = te.cast %sums to f32
  %scaled = te.mul %wide, %scale
  %sum = te.add %scaled, %bias
  %y = te.cast %sum to !y
  return %y : !y
}
