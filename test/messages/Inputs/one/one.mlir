!T = f32
func.func @one(%x: !x) -> !y {
  %y = te.neg %x
  return %y : !y
}
