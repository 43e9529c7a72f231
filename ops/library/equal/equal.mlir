!T = f16
// y = whether x1 equals x2.
func.func @equal(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare eq %x1, %x2
  return %y : !y
}
