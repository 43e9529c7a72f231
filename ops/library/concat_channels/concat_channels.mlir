!T = f16
func.func @concat_channels(%a: !a, %b: !b) -> !y {
  %y = te.stack %a, %b along P
  return %y : !y
}
