!T = f16
// y = whether x is an infinity of either sign.
func.func @is_inf(%x: !x) -> !y {
  %y = te.isinf %x
  return %y : !y
}
