!T = f16
// y = the largest whole number that is not above x.
func.func @floor_kernel(%x: !x) -> !y {
  %y = te.floor %x
  return %y : !y
}
