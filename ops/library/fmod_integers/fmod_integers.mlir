!T = f16
// y = x1 - trunc(x1 / x2) * x2; 0 where x2 is 0.
func.func @fmod_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.mod trunc %x1, %x2
  return %y : !y
}
