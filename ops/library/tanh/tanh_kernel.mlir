!T = f16
// y = tanh x.
func.func @tanh_kernel(%x: !x) -> !y {
  %y = te.tanh %x
  return %y : !y
}
