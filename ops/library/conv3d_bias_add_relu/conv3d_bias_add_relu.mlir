!T = f16
func.func @conv3d_bias_add_relu(%x: !x, %w: !w, %bias: !bias, %residual: !residual) -> !y {
  %windows = te.window %x over D, H, W
  %product = te.matmul %w, %windows axes [C, KD, KH, KW]
  %sum = te.add %product, %bias
  %all = te.add %sum, %residual
  %zero = te.constant 0.0
  %y = te.maximum %all, %zero
  return %y : !y
}
