!T = f16
// y = ln(1 + e^x).
func.func @softplus(%x: !x) -> !y {
  %y = te.softplus %x
  return %y : !y
}
