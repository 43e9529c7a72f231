!T = f16
// y = max(x1 + x2, 0). The first line is replaced for each type row and shape.
func.func @add_relu(%x1: !x1, %x2: !x2) -> !y {
  %sum = te.add %x1, %x2
  %y = te.relu %sum
  return %y : !y
}
