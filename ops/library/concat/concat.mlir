!T = f16
func.func @concat(%x: !x) -> !y {
  %y = te.concat %x along A[n]
  return %y : !y
}
