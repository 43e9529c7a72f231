!T = f16
func.func @concat(%a: !a, %b: !b) -> !y {
  %y = te.concat %a, %b along A+B
  return %y : !y
}
