!T = f16
// y = x in the type of y.
func.func @cast_wide(%x: !x) -> !y {
  %y = te.cast %x to !y
  return %y : !y
}
