!T = f16
// y = x truncated to an integer.
func.func @cast_trunc(%x: !x) -> !y {
  %y = te.cast %x to !y round trunc
  return %y : !y
}
