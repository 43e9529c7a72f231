!T = f16
// y = max(x, 0).
func.func @relu(%x: !x) -> !y {
  %y = te.relu %x
  return %y : !y
}
