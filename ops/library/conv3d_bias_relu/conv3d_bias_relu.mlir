!T = f16
func.func @conv3d_bias_relu(%x: !x, %w: !w, %bias: !bias) -> !y {
  %windows = te.window %x over D, H, W
  %product = te.matmul %w, %windows axes [C, KD, KH, KW]
  %sum = te.add %product, %bias
  %zero = te.constant 0.0
  %y = te.maximum %sum, %zero
  return %y : !y
}
