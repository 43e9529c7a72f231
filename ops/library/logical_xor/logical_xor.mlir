!T = f16
// y = whether one of x1 and x2 is true and the other is not.
func.func @logical_xor(%x1: !x1, %x2: !x2) -> !y {
  %y = te.xor %x1, %x2
  return %y : !y
}
