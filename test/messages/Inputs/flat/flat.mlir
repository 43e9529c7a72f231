!T = f16
func.func @flat(%x1: !x1, %x2: !x2) -> !y {
  %y = te.add %x1, %x2
  return %y : !y
}
