!T = f16
// y = whether x1 is greater than x2.
func.func @greater(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare gt %x1, %x2
  return %y : !y
}
