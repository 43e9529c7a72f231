!T = f16
// y = cos x.
func.func @cos_kernel(%x: !x) -> !y {
  %y = te.cos %x
  return %y : !y
}
