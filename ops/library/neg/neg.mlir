!T = f16
// y = -x.
func.func @neg(%x: !x) -> !y {
  %y = te.neg %x
  return %y : !y
}
