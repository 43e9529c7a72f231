!T = f16
// y = Whether x1 equals x2, of integers and truth values.
func.func @equal_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.compare eq %x1, %x2
  return %y : !y
}
