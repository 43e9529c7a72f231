!T = f16
func.func @conv2d(%x: !x, %w: !w) -> !y {
  %windows = te.window %x over H, W
  %y = te.matmul %w, %windows axes [C, KH, KW]
  return %y : !y
}
