!T = f16
// y = -1, 0 or 1, as x is negative, zero or positive.
func.func @sign(%x: !x) -> !y {
  %y = te.sign %x
  return %y : !y
}
