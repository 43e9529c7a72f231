!T = f16
// y = ln x; NaN below zero, -infinity at zero.
func.func @log_kernel(%x: !x) -> !y {
  %y = te.log %x
  return %y : !y
}
