!T = f16
// y = x1 - floor(x1 / x2) * x2; 0 where x2 is 0.
func.func @mod_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.mod floor %x1, %x2
  return %y : !y
}
