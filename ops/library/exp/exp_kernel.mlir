!T = f16
// y = e^x.
func.func @exp_kernel(%x: !x) -> !y {
  %y = te.exp %x
  return %y : !y
}
