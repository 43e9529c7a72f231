!T = f16
// y = whether x1 and x2 are true.
func.func @logical_and(%x1: !x1, %x2: !x2) -> !y {
  %y = te.and %x1, %x2
  return %y : !y
}
