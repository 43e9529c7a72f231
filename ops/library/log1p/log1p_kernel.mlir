!T = f16
// y = ln(1 + x).
func.func @log1p_kernel(%x: !x) -> !y {
  %y = te.log1p %x
  return %y : !y
}
