!T = f16
// y = sin x.
func.func @sin_kernel(%x: !x) -> !y {
  %y = te.sin %x
  return %y : !y
}
