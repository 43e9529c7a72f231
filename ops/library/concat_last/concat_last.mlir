!T = f16
func.func @concat_last(%a: !a, %b: !b, %c: !c) -> !y {
  %y = te.concat %a, %b, %c along A+B+C
  return %y : !y
}
