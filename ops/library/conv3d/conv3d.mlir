!T = f16
func.func @conv3d(%x: !x, %w: !w, %bias: !bias) -> !y {
  %windows = te.window %x over D, H, W
  %product = te.matmul %w, %windows axes [C, KD, KH, KW]
  %y = te.add %product, %bias
  return %y : !y
}
