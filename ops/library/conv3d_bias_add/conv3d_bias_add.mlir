!T = f16
func.func @conv3d_bias_add(%x: !x, %w: !w, %bias: !bias, %residual: !residual) -> !y {
  %windows = te.window %x over D, H, W
  %product = te.matmul %w, %windows axes [C, KD, KH, KW]
  %sum = te.add %product, %bias
  %y = te.add %sum, %residual
  return %y : !y
}
