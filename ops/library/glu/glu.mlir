!T = f16
func.func @glu(%x: !x) -> !y {
  %value = te.slice %x along P at 0
  %gate = te.slice %x along P at 1
  %open = te.sigmoid %gate
  %y = te.mul %value, %open
  return %y : !y
}
