!T = f16
func.func @conv1d(%x: !x, %w: !w) -> !y {
  %windows = te.window %x over L
  %y = te.matmul %w, %windows axes [C, K]
  return %y : !y
}
