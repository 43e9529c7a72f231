!T = f16
func.func @conv2d_bias_swish(%x: !x, %w: !w, %bias: !bias) -> !y {
  %windows = te.window %x over H, W
  %product = te.matmul %w, %windows axes [C, KH, KW]
  %sum = te.add %product, %bias
  %one = te.constant 1.0
  %y = te.swish %sum, %one
  return %y : !y
}
