!T = f16
// y = |x|.
func.func @abs_kernel(%x: !x) -> !y {
  %y = te.abs %x
  return %y : !y
}
