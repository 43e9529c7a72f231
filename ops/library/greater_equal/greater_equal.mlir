!T = f16
// y = whether x1 is at least x2.
func.func @greater_equal(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare ge %x1, %x2
  return %y : !y
}
