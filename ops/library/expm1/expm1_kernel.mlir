!T = f16
// y = e^x - 1.
func.func @expm1_kernel(%x: !x) -> !y {
  %y = te.expm1 %x
  return %y : !y
}
