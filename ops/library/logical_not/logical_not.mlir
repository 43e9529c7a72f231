!T = f16
// y = whether x is false.
func.func @logical_not(%x: !x) -> !y {
  %y = te.not %x
  return %y : !y
}
