!T = f16
// y = whether x1 or x2 is true.
func.func @logical_or(%x1: !x1, %x2: !x2) -> !y {
  %y = te.or %x1, %x2
  return %y : !y
}
