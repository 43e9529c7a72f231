!T = f16
// The operand broadcasts along P and Q.
func.func @tile2d(%x: !x) -> !y {
  %y = te.broadcast %x to !y
  return %y : !y
}
