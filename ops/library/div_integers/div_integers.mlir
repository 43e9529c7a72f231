!T = f16
// y = x1 / x2, rounded towards zero; 0 where x2 is 0.
func.func @div_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.div %x1, %x2
  return %y : !y
}
