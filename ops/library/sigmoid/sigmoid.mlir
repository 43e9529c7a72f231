!T = f16
// y = 1 / (1 + e^-x).
func.func @sigmoid(%x: !x) -> !y {
  %y = te.sigmoid %x
  return %y : !y
}
