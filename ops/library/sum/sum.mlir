!T = f16
// y = the sum of all x.
func.func @sum(%x: !x) -> !y {
  %y = te.fold add %x
  return %y : !y
}
