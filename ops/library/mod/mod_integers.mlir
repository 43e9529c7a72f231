!T = i8
// y = x1 - floor(x1 / x2) * x2, of integers that float32 holds.
func.func @mod_kernel(%x1: !x1, %x2: !x2) -> !y {
  %dividend = te.cast %x1 to f32
  %divisor = te.cast %x2 to f32
  %remainder = te.mod floor %dividend, %divisor
  %y = te.cast %remainder to !y
  return %y : !y
}
