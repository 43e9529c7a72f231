!T = f16
// y = whether x1 is less than x2.
func.func @less(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare lt %x1, %x2
  return %y : !y
}
