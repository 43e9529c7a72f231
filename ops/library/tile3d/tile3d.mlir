!T = f16
// The operand broadcasts along P, Q and R.
func.func @tile3d(%x: !x) -> !y {
  %y = te.broadcast %x to !y
  return %y : !y
}
