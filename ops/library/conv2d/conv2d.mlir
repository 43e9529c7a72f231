!T = f16
func.func @conv2d(%x: !x, %w: !w, %bias: !bias) -> !y {
  %windows = te.window %x over H, W
  %product = te.matmul %w, %windows axes [C, KH, KW]
  %y = te.add %product, %bias
  return %y : !y
}
