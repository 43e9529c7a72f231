!T = f16
// The operand stands still along P, Q and R.
func.func @tile3d(%x: !x) -> !y {
  %y = te.broadcast %x to !y
  return %y : !y
}
