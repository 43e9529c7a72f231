!T = f16
// The operand broadcasts along the dimensions of the copies.
func.func @expand3d(%x: !x) -> !y {
  %y = te.broadcast %x to !y
  return %y : !y
}
