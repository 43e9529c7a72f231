!T = f16
// y = the least whole number that is not below x.
func.func @ceil_kernel(%x: !x) -> !y {
  %y = te.ceil %x
  return %y : !y
}
