!T = f16
// y = x rounded towards zero to an integer.
func.func @cast_trunc_int64(%x: !x) -> !y {
  %y = te.cast %x to !y round trunc
  return %y : !y
}
