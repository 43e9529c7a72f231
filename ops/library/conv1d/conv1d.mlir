!T = f16
func.func @conv1d(%x: !x, %w: !w, %bias: !bias) -> !y {
  %windows = te.window %x over L
  %product = te.matmul %w, %windows axes [C, K]
  %y = te.add %product, %bias
  return %y : !y
}
