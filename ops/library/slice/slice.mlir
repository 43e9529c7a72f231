!T = f16
func.func @slice(%x: !x) -> !y {
  %y = te.slice %x along L
  return %y : !y
}
