!T = f16
// y = erf x.
func.func @erf_kernel(%x: !x) -> !y {
  %y = te.erf %x
  return %y : !y
}
