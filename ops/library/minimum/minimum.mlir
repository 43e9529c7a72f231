!T = f16
// y = the smallest of all x.
func.func @minimum(%x: !x) -> !y {
  %y = te.fold minimum %x
  return %y : !y
}
