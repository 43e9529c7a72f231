!T = f16
// y = whether x1 is at most x2.
func.func @less_equal(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare le %x1, %x2
  return %y : !y
}
