!T = f16
// y = the whole number nearest to x, ties to even.
func.func @round_kernel(%x: !x) -> !y {
  %y = te.round %x
  return %y : !y
}
