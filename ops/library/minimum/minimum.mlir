!T = f16
// y = the smaller of x1 and x2.
func.func @minimum(%x1: !x1, %x2: !x2) -> !y {
  %y = te.minimum %x1, %x2
  return %y : !y
}
