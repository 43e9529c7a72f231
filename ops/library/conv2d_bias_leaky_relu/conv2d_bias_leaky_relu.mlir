!T = f16
func.func @conv2d_bias_leaky_relu(%x: !x, %w: !w, %bias: !bias, %alpha: f32) -> !y {
  %windows = te.window %x over H, W
  %product = te.matmul %w, %windows axes [C, KH, KW]
  %sum = te.add %product, %bias
  %y = te.leaky_relu %sum, %alpha
  return %y : !y
}
