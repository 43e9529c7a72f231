!T = f16
// y = whether x1 differs from x2.
func.func @not_equal(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare ne %x1, %x2
  return %y : !y
}
